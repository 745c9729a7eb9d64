package parquetscan

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Options say how to read a file; the zero value is for local files.
type Options struct {
	// Gap is how many unwanted bytes to read between wanted ones instead of making another request. It is 0 for local
	// files; a request to a bucket takes as long as about 256 KiB.
	Gap int64
}

// File is an open Parquet file: its footer, and access to the rest. It is safe for concurrent use if its ReaderAt is.
// It need not be closed; the caller closes the ReaderAt.
type File struct {
	// Everything except r is read-only after Open, so that readers of the same bytes can share it; see Shards.
	r    io.ReaderAt
	size int64
	gap  int64
	// Chunks are parsed from it on demand.
	footer []byte
	root   *node
	leaves []*leaf
	groups []group
	rows   int64
}

// Open reads the footer of a file of size bytes.
func Open(r io.ReaderAt, size int64, o Options) (*File, error) {
	f := &File{r: r, size: size, gap: o.Gap}
	var err error
	if f.footer, err = readFooter(r, size); err != nil {
		return nil, err
	}
	return f, f.parseFooter()
}

// NumRows returns the number of rows.
func (f *File) NumRows() int64 { return f.rows }

// Row is a row of a file.
type Row struct {
	Number   int64 // in the file, from 0
	Document *schemas.Document
}

// read fills b from the file.
func (f *File) read(b []byte, off int64) error { return readAt(f.r, b, off) }

// Rows yields the rows that match where, in the order of the file. Their documents have the given columns, named as
// top-level fields of schemas.Document; nil means all. Rows belong to the caller. It ends after an error.
func (f *File) Rows(ctx context.Context, where query.Expr, columns []string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		a, err := f.assembler(columns)
		if err != nil {
			yield(Row{}, err)
			return
		}
		// Made once for all row groups.
		filter := newFilter(f, where)
		for i := range f.groups {
			g := &f.groups[i]
			found, err := filter.group(ctx, g)
			// Without a matching row, no column of the answer is read.
			if err == nil && found.empty() {
				continue
			}
			if err == nil {
				var more bool
				// yield must not be called again.
				if more, err = a.rows(ctx, g, found, yield); err == nil && !more {
					return
				}
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
		}
	}
}

// Count returns the number of rows that match where.
func (f *File) Count(ctx context.Context, where query.Expr) (n int64, err error) {
	filter := newFilter(f, where)
	for i := range f.groups {
		found, err := filter.group(ctx, &f.groups[i])
		if err != nil {
			return 0, err
		}
		// Documents are only made if the filter needs them.
		n += int64(found.count())
	}
	return n, nil
}

// At yields the rows with these ascending numbers, as Rows does. A missing row is an error.
func (f *File) At(ctx context.Context, rows []int64, columns []string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		// An error here is yielded after the loop, which it prevents.
		a, err := f.assembler(columns)
		for i := 0; i < len(f.groups) && len(rows) > 0 && err == nil; i++ {
			g := &f.groups[i]
			wanted := newRowSet(g.rows)
			for last := int64(-1); len(rows) > 0 && rows[0] > last && rows[0] < g.first+int64(g.rows); rows = rows[1:] {
				// Numbers beyond the group's end are for later groups.
				if last = rows[0]; last < g.first {
					break // of an earlier group
				}
				wanted.add(int(last - g.first))
			}
			if wanted.empty() {
				continue
			}
			var more bool
			if more, err = a.rows(ctx, g, wanted, yield); err == nil && !more {
				return
			}
		}
		// Numbers that do not ascend, or are beyond the file, remain in rows.
		if err == nil && len(rows) > 0 {
			err = fmt.Errorf("parquetscan: no row %d, or rows that are not ascending", rows[0])
		}
		if err != nil {
			yield(Row{}, err)
		}
	}
}

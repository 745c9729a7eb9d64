package parquetscan

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Options say how a file is read; the zero value is for local files.
type Options struct {
	// Gap is how many bytes that are not wanted are read with what precedes and after them, rather than asking
	// twice. 0 for local files; a request to a bucket takes as long as some 256 KiB.
	Gap int64
}

// File is an open Parquet file: its footer, and how to read the rest. It is safe for concurrent use when its ReaderAt
// is. It takes no closing; the caller closes what it reads from.
type File struct {
	// Everything but r is read-only after Open, so that a footer may be shared by readers of the same
	// bytes; see Shards.
	r    io.ReaderAt
	size int64
	gap  int64
	// Kept whole: chunks are parsed from it when a query asks for them.
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

// NumRows is how many rows the file has.
func (f *File) NumRows() int64 { return f.rows }

// Row is a row of a file.
type Row struct {
	Number   int64 // in the file, from 0
	Document *schemas.Document
}

// read fills b from the file.
func (f *File) read(b []byte, off int64) error { return readAt(f.r, b, off) }

// Rows yields the rows that where takes, in the order of the file. Their documents have the columns that are named, as
// schemas.Document calls its fields at the top level; nil asks for all. What is yielded belongs to the caller. It ends
// after an error.
func (f *File) Rows(ctx context.Context, where query.Expr, columns []string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		a, err := f.assembler(columns)
		if err != nil {
			yield(Row{}, err)
			return
		}
		// Made once for all row groups: comparisons are parsed, and columns looked up, once.
		filter := newFilter(f, where)
		for i := range f.groups {
			g := &f.groups[i]
			found, err := filter.group(ctx, g)
			// No column of the answer is read for a row group without an answer.
			if err == nil && found.empty() {
				continue
			}
			if err == nil {
				var more bool
				// The caller has had enough: yield must not be called again.
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

// Count is how many rows where takes.
func (f *File) Count(ctx context.Context, where query.Expr) (n int64, err error) {
	filter := newFilter(f, where)
	for i := range f.groups {
		found, err := filter.group(ctx, &f.groups[i])
		if err != nil {
			return 0, err
		}
		// No document is made unless the filter needs them.
		n += int64(found.count())
	}
	return n, nil
}

// At yields the rows of these numbers, which are ascending, as Rows does. A number that the file has not is an error.
func (f *File) At(ctx context.Context, rows []int64, columns []string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		// An error here is yielded after the loop, which it keeps from beginning.
		a, err := f.assembler(columns)
		for i := 0; i < len(f.groups) && len(rows) > 0 && err == nil; i++ {
			g := &f.groups[i]
			wanted := newRowSet(g.rows)
			for last := int64(-1); len(rows) > 0 && rows[0] > last && rows[0] < g.first+int64(g.rows); rows = rows[1:] {
				// The group's end bounds the loop: numbers beyond are for the groups that follow.
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
		// A number that is not ascending, or beyond the file, is never taken off rows.
		if err == nil && len(rows) > 0 {
			err = fmt.Errorf("parquetscan: no row %d, or rows that are not ascending", rows[0])
		}
		if err != nil {
			yield(Row{}, err)
		}
	}
}

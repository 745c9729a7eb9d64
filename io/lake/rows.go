//go:build !noiceberg && !local

package lake

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	pqzstd "github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// errNoURLs is the error for a file whose rows have no known URLs.
var errNoURLs = errors.New("has no column of URLs, so that it is not known whether it has pages that were taken down")

// urlID is the field id of the column url. A renamed column keeps it.
const urlID = 1

// parquetFile is a file of rows that another program wrote, with any columns.
type parquetFile struct {
	*parquet.File
	in   folder.Reader
	name string
}

func openParquet(f folder.Folder, name string) (p *parquetFile, err error) {
	in, err := f.Open(name)
	if err != nil {
		return nil, fmt.Errorf("lake: %w", err)
	}
	p = &parquetFile{in: in, name: name}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	defer recovered(name, &err)
	if p.File, err = parquet.OpenFile(in, in.Size(), parquet.SkipBloomFilters(true)); err != nil {
		err = fmt.Errorf("lake: %s: %w", name, err)
	}
	return p, err
}

func (p *parquetFile) close() { _ = p.in.Close() } // read only

// recovered turns a panic into an error: the decoder uses lengths from the file as indexes.
func recovered(name string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("lake: %s is damaged: %v", name, r)
	}
}

// urls returns the column of URLs.
func (p *parquetFile) urls() (*parquet.Column, error) {
	for _, c := range p.Root().Columns() {
		if c.Leaf() && c.ID() == urlID {
			return c, nil
		}
	}
	// The table maps the columns of files without ids by name.
	if c := p.Root().Column("url"); c != nil && c.Leaf() {
		return c, nil
	}
	return nil, fmt.Errorf("%s %w", p.name, errNoURLs)
}

// count returns the number of rows to remove. It reads only the column of URLs.
func (p *parquetFile) count(ctx context.Context, gone func(url string) bool) (n int64, err error) {
	defer recovered(p.name, &err)
	c, err := p.urls()
	if err != nil {
		return 0, err
	}
	pages := c.Pages()
	defer func() { err = errors.Join(err, pages.Close()) }()
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return n, fmt.Errorf("lake: %s: %w", p.name, err)
		}
		values := make([]parquet.Value, page.NumValues())
		if _, err := page.Values().ReadValues(values); err != nil && !errors.Is(err, io.EOF) {
			return n, fmt.Errorf("lake: %s: %w", p.name, err)
		}
		for _, v := range values {
			if !v.IsNull() && gone(string(v.ByteArray())) {
				n++
			}
		}
		parquet.Release(page)
	}
}

// rewrite writes the remaining rows of a file, with all columns, to another file. If all rows stay or none do, it
// writes nothing.
func (r *rewriter) rewrite(ctx context.Context, name string) (made rewritten, err error) {
	p, err := openParquet(r.f, name)
	if err != nil {
		return made, err
	}
	defer p.close()
	made.removed, err = p.count(ctx, r.gone)
	made.kept = p.NumRows() - made.removed
	if err != nil || made.removed == 0 || made.kept == 0 {
		return made, err
	}
	made.name = madeName(name)
	temp := made.name + ".tmp.parquet" // Expire removes such files too
	out, err := r.f.Create(temp)
	if err != nil {
		return rewritten{}, fmt.Errorf("lake: %w", err)
	}
	err = p.copyRows(ctx, out, r.gone)
	if err = errors.Join(err, out.Sync(), out.Close()); err == nil {
		err = r.f.Rename(temp, made.name)
	}
	if err != nil {
		return rewritten{}, errors.Join(err, r.f.Remove(temp))
	}
	if err := r.verify(ctx, &made); err != nil {
		return rewritten{}, errors.Join(err, r.f.Remove(made.name))
	}
	return made, nil
}

// verify reads the written file, and records its length and bounds.
func (r *rewriter) verify(ctx context.Context, made *rewritten) error {
	p, err := openParquet(r.f, made.name)
	if err != nil {
		return err
	}
	defer p.close()
	n, err := p.count(ctx, r.gone)
	if err == nil && (n > 0 || p.NumRows() != made.kept) {
		err = fmt.Errorf("lake: %s has %d rows, %d of them of pages that were taken down, want %d and 0", made.name,
			p.NumRows(), n, made.kept)
	}
	made.bytes, made.bounds = p.in.Size(), boundsOf(p.File)
	return err
}

// copyRows writes the remaining rows and keeps their row groups.
func (p *parquetFile) copyRows(ctx context.Context, out io.Writer, gone func(url string) bool) (err error) {
	defer recovered(p.name, &err)
	urls, err := p.urls()
	if err != nil {
		return err
	}
	options := []parquet.WriterOption{p.Schema(), parquet.Compression(&pqzstd.Codec{Concurrency: 1})}
	for _, m := range p.Metadata().KeyValueMetadata {
		options = append(options, parquet.KeyValueMetadata(m.Key, m.Value))
	}
	w := parquet.NewGenericWriter[any](out, options...)
	for _, g := range p.RowGroups() {
		err := copyGroup(ctx, w, g, func(row parquet.Row) bool { return goes(row, urls.Index(), gone) })
		if err != nil {
			return fmt.Errorf("lake: %s: %w", p.name, err)
		}
	}
	return w.Close()
}

// copyGroup writes the remaining rows of a row group.
func copyGroup(
	ctx context.Context, w *parquet.GenericWriter[any], g parquet.RowGroup, gone func(parquet.Row) bool,
) (err error) {
	rows := g.Rows()
	defer func() { err = errors.Join(err, rows.Close()) }()
	// Values of buf are valid until the next ReadRows.
	buf, kept := make([]parquet.Row, 64), make([]parquet.Row, 0, 64)
	for {
		n, err := rows.ReadRows(buf)
		kept = kept[:0]
		for _, row := range buf[:n] {
			if !gone(row) {
				kept = append(kept, row)
			}
		}
		if _, err := w.WriteRows(kept); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) {
			return w.Flush()
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
}

// goes reports whether a row has to be removed, by its column of URLs.
func goes(row parquet.Row, column int, gone func(url string) bool) bool {
	for _, v := range row {
		if v.Column() == column {
			return !v.IsNull() && gone(string(v.ByteArray()))
		}
	}
	return false
}

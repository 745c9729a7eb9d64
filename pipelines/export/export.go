// Package export writes captures of a collection in the forms that commands and the server offer: tables, JSON lines,
// CSV, Parquet, and the records themselves, cut out of their archives, as WARC, WACZ or WET.
//
//	e := export.Exporter{DB: db, Store: store, Format: export.FormatWARC}
//	missing, err := e.Write(ctx, func(columns []string) iter.Seq2[*schemas.Document, error] {
//		return db.Find(ctx, q, columns)
//	}, out)
package export

import (
	"context"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// Exporter writes captures in one form. The zero value of a field is its default; WARC and WACZ need DB and Store.
type Exporter struct {
	DB       *contentdb.DB
	Store    *blob.Store // opens archives
	Archives []string    // folders or buckets that archives are in; nil for where they were, on this machine
	Format   string      // a Format constant
	Columns  []string    // of table, jsonl, csv and parquet; nil for the form's own
}

// Write writes captures, which docs yields with the columns that it is asked for. missing reports that some records
// could not be had, as when their archive is gone.
func (e Exporter) Write(
	ctx context.Context, docs func(columns []string) iter.Seq2[*schemas.Document, error], out io.Writer,
) (missing bool, err error) {
	w, err := e.NewWriter(ctx, out)
	if err != nil {
		return false, err
	}
	// The caller owns out: nothing of it is closed here.
	if _, err = Copy(docs(w.Columns()), w); err == nil {
		err = w.Close()
	}
	// Also after an error: the caller may have sent a part of the answer by then.
	return Lost(w), err
}

// Archive opens an archive of the collection by the name that documents have it by. The caller closes it.
func (e Exporter) Archive(ctx context.Context, name string) (blob.Object, error) {
	// A cutter knows where archives are, and what of it may be opened: a collection may name anything.
	w := newCutter(ctx, e, io.Discard)
	if err := w.open(name); err != nil {
		return nil, err
	}
	return w.file, nil
}

// Capture reads the capture of a document from its archive, with its head and its body.
func (e Exporter) Capture(ctx context.Context, d *schemas.Document) (*schemas.Capture, error) {
	// Nothing is written: a cutter is what knows where archives are and what may be opened.
	w := newCutter(ctx, e, io.Discard)
	defer w.closeArchive()
	if err := w.open(d.Filename); err != nil {
		return nil, err
	}
	return w.capture(d)
}

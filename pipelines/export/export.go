// Package export writes captures of a collection for commands and the server: as tables, JSON lines, CSV or Parquet.
// It also writes their records from the archives as WARC, WACZ or WET.
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

// Exporter writes captures in one format. Zero fields mean defaults; WARC and WACZ need DB and Store.
type Exporter struct {
	DB       *contentdb.DB
	Store    *blob.Store // opens archives
	Archives []string    // folders or buckets of archives; nil for their original local places
	Format   string      // a Format constant
	Columns  []string    // of table, jsonl, csv and parquet; nil for the format's own
}

// Write writes the captures that docs yields for the given columns. The result missing means that some records were
// not found.
func (e Exporter) Write(
	ctx context.Context, docs func(columns []string) iter.Seq2[*schemas.Document, error], out io.Writer,
) (missing bool, err error) {
	w, err := e.NewWriter(ctx, out)
	if err != nil {
		return false, err
	}
	// The caller owns out.
	if _, err = Copy(docs(w.Columns()), w); err == nil {
		err = w.Close()
	}
	// Even after an error, a part may have been written.
	return Lost(w), err
}

// Archive opens an archive of the collection by its name in documents. The caller closes it.
func (e Exporter) Archive(ctx context.Context, name string) (blob.Object, error) {
	// A cutter knows where archives are and which may be opened.
	w := newCutter(ctx, e, io.Discard)
	if err := w.open(name); err != nil {
		return nil, err
	}
	return w.file, nil
}

// Capture reads the capture of a document, with head and body, from its archive. It returns contentdb.ErrWithheld for a
// document of a DB with limits that may not be read.
func (e Exporter) Capture(ctx context.Context, d *schemas.Document) (*schemas.Capture, error) {
	if !e.DB.MayRead(d) {
		return nil, contentdb.ErrWithheld
	}
	w := newCutter(ctx, e, io.Discard)
	defer w.closeArchive()
	if err := w.open(d.Filename); err != nil {
		return nil, err
	}
	return w.capture(d)
}

package query

import (
	"context"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// Export writes answers in a form of this command, for programs that give them to others: pipelines/serve does.
type Export struct {
	DB       *contentdb.DB
	Store    *blob.Store // that archives are opened by
	Archives string      // folder or bucket that archives are in; "" for where they were, on this machine
	Format   string      // jsonl, csv, parquet, warc, wacz, wet or urls
	Columns  []string    // of jsonl and csv; nil for the form's own
}

// bases are the places that archives are opened beneath.
func (e Export) bases() []string {
	if e.Archives == "" {
		return nil
	}
	return []string{e.Archives}
}

// Write writes captures, which docs yields with the columns that it is asked for. missing says that some records could
// not be had, as of an archive that is not there.
func (e Export) Write(
	ctx context.Context, docs func(columns []string) iter.Seq2[*schemas.Document, error], out io.Writer,
) (missing bool, err error) {
	w, err := newWriter(ctx, config{format: e.Format, columns: e.Columns, archives: e.bases()}, e.DB, e.Store, out)
	if err != nil {
		return false, err
	}
	// The caller owns out: nothing of it is closed here.
	if _, err = copyAll(docs(w.columns()), w); err == nil {
		err = w.close()
	}
	// Also after an error: the caller may have sent a part of the answer by then.
	l, is := w.(loser)
	return is && l.lost(), err
}

// Archive opens an archive of the collection by the name that documents have it by. The caller closes it.
func (e Export) Archive(ctx context.Context, name string) (blob.Object, error) {
	// A cutter knows where archives are, and what of it may be opened: a collection may name anything.
	w := newCutter(ctx, config{format: formatWARC, archives: e.bases()}, e.DB, e.Store, io.Discard)
	if err := w.open(name); err != nil {
		return nil, err
	}
	return w.file, nil
}

// Capture reads the capture of a document from its archive, with its head and its body.
func (e Export) Capture(ctx context.Context, d *schemas.Document) (*schemas.Capture, error) {
	// Nothing is written: a cutter is what knows where archives are and what may be opened.
	w := newCutter(ctx, config{format: formatWARC, archives: e.bases()}, e.DB, e.Store, io.Discard)
	defer w.closeArchive()
	if err := w.open(d.Filename); err != nil {
		return nil, err
	}
	return w.capture(d)
}

package query

import (
	"context"
	"iter"

	"github.com/gleaner-web/gleaner/io/collection/sourcedb/sourceindex"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// withSources sets the source_id of answers, by the database that `sources --sqlite` has made. Documents are not
// rewritten when the Source DB grows, so what source a page is of is looked up when it is asked for. done is to be
// called when the answers were read.
func withSources(
	ctx context.Context, name string, docs iter.Seq2[*schemas.Document, error],
) (joined iter.Seq2[*schemas.Document, error], done func() error, err error) {
	if name == "" {
		return docs, func() error { return nil }, nil
	}
	// Whatever generation it is of: the user has named it, and the Source DB may be elsewhere.
	x, err := sourceindex.OpenFile(ctx, name)
	if err != nil {
		return nil, nil, cli.Usagef("--sources: %v", err)
	}
	return func(yield func(*schemas.Document, error) bool) {
		for d, err := range docs {
			if err == nil {
				// One look-up by an index a document: see sourceindex. A page of no source gets "".
				d.SourceID, _, err = x.SourceOf(ctx, d.URL)
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}, x.Close, nil
}

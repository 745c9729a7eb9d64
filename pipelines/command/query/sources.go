package query

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"slices"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/source/sourceindex"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// sourceField is the column whose values come from the database of sources. They are looked up for each answer,
// because documents are not rewritten when the Source DB grows.
const sourceField = "source_id"

// openSources opens a database made by `sources --sqlite`, or returns nil if name is "".
func openSources(ctx context.Context, name string) (*sourceindex.Index, error) {
	if name == "" {
		return nil, nil
	}
	// Any generation is fine: the user has named the file.
	x, err := sourceindex.OpenFile(ctx, name)
	if err != nil {
		return nil, cli.Usagef("--sources: %v", err)
	}
	return x, nil
}

// asksSources reports whether filter or groups need the database of sources.
func (c *config) asksSources() bool {
	by := slices.ContainsFunc(c.by, func(name string) bool {
		f, _, err := query.Lookup(name)
		return err == nil && f.Name == sourceField
	})
	return c.known != nil && (by || slices.Contains(query.Columns(c.query.Where), sourceField))
}

// divided returns the question without the part of its filter that needs source_id, and that part, or nil.
func (c *config) divided() (asked config, rest query.Expr) {
	asked = *c
	asked.query.Where, rest = query.Split(c.query.Where, func(e query.Expr) bool {
		compare, is := e.(*query.Compare)
		return !is || compare.Field != sourceField
	})
	if rest != nil {
		asked.query.Limit = 0 // the limit applies after rest
	}
	return asked, rest
}

// chosenBefore reports whether the newest versions of pages can be chosen before their sources are looked up. All
// versions have one URL and so one source, but other columns of the rest may differ between versions.
func (c *config) chosenBefore() bool {
	_, rest := c.divided()
	return len(query.Columns(rest)) <= 1 || c.query.AllVersions || !c.query.At.IsZero()
}

// findSourced is find with the database of sources: it sets source_id and filters by it.
func findSourced(
	ctx context.Context, c config, db *contentdb.DB, columns []string,
) iter.Seq2[*schemas.Document, error] {
	if c.known == nil {
		return find(ctx, c, db, columns)
	}
	asked, rest := c.divided()
	looked := query.Columns(rest)
	if columns != nil {
		columns = slices.Compact(slices.Sorted(slices.Values(slices.Concat(columns, looked, []string{"url"}))))
	}
	chosen := c.chosenBefore()
	asked.query.AllVersions = asked.query.AllVersions || !chosen
	docs := withSources(ctx, c.known, query.Compile(rest), find(ctx, asked, db, columns))
	if !chosen {
		return contentdb.Newest(ctx, contentdb.Options{MemoryBytes: int(c.memory / 2)}, c.query, docs)
	}
	return first(c.query.Limit, docs)
}

// withSources sets the source_id of captures and yields those that then pass test.
func withSources(
	ctx context.Context, x *sourceindex.Index, test func(*schemas.Document) bool, docs iter.Seq2[*schemas.Document, error],
) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		for d, err := range docs {
			if err == nil {
				// One indexed lookup for each document. Pages without a source get "".
				d.SourceID, _, err = x.SourceOf(ctx, d.URL)
			}
			if err == nil && !test(d) {
				continue
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// first yields at most limit documents; 0 means all.
func first(limit int, docs iter.Seq2[*schemas.Document, error]) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		n := 0
		for d, err := range docs {
			if n++; !yield(d, err) || n == limit {
				return
			}
		}
	}
}

// checkSources warns about sources of the filter that the database does not have, because no answer would match.
// Without a database it warns that documents seldom have a source_id.
func checkSources(ctx context.Context, c config) error {
	if c.known == nil {
		if slices.Contains(query.Columns(c.query.Where), sourceField) {
			slog.Warn("source_id is looked for in the documents, which ingest leaves without: name the database that " +
				"`sources --sqlite` makes by --sources")
		}
		return nil
	}
	for id := range query.Texts(c.query.Where, sourceField) {
		_, err := c.known.Get(ctx, id)
		if errors.Is(err, sourceindex.ErrNoSource) {
			slog.Warn("the database of sources has none by this id", "source_id", id, "sources", c.sources)
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

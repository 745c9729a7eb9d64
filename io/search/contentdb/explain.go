package contentdb

import (
	"context"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Explain describes how a query is answered, and where each part of its filter is tested.
func (db *DB) Explain(ctx context.Context, q query.Query) (query.Plan, error) {
	var p query.Plan
	q, err := db.settled(q)
	if err != nil {
		return nil, err
	}
	// With the index, neither pages nor lines are scanned.
	if db.asked() != nil {
		// The same functions answer queries, so the plan is what will happen.
		pushed, rest := index.Split(q.Where)
		p.Add("index", pushed, "of %d shards", len(db.columnar)+len(db.lines.Shards))
		if rest != nil {
			p.Add("rows", rest, "of what the index finds, read from their shards")
		}
		return p, nil
	}
	if db.o.Files != nil {
		p.Add("index", nil, "not asked: it is of the collection as it is now")
	}
	// The reason against the index comes first: it explains slow answers.
	for _, note := range db.notes {
		p.Add("index", nil, "%s", note)
	}
	where, rest := query.Split(q.Where, parquetscan.Pushes)
	// As in scan: with query.Query.At, shards cannot apply the filter.
	if !q.At.IsZero() { // versions that do not match may hide older ones that do
		where, rest = nil, q.Where
	}
	if len(db.columnar) > 0 {
		// Missing outlines are made now, so the first explanation of a collection takes longer.
		set, err := db.revisits(ctx, query.Columns(where))
		if err != nil {
			return nil, err
		}
		chosen, err := db.shards.Chosen(ctx, set.Wider(where))
		if err != nil {
			return nil, err
		}
		p.Add("pages", where, "of %d of %d Parquet shards", len(chosen)+len(db.foreign), len(db.columnar))
		if rest != nil {
			p.Add("rows", rest, "of these that are left")
		}
	}
	// Lines have no bounds and no columns: the whole filter is asked of each document.
	if n := len(db.lines.Shards); n > 0 && db.hasLines() {
		p.Add("lines", q.Where, "of shards of JSON lines, read whole")
	}
	// Sorted twice, as in answer: by page, to find the newest, and then in the order of the query.
	if !q.AllVersions {
		p.Add("sort", nil, "the newest version of each page")
	}
	p.Add("sort", nil, "by %v", q.Order)
	return p, nil
}

// Reads reports whether the index leaves a part of a filter, such as a phrase, to the documents, so that counting reads
// all candidates. Without an index it is false, because then every query reads.
func (db *DB) Reads(where query.Expr) bool {
	_, rest := index.Split(db.limits.narrow(where))
	return db.asked() != nil && rest != nil
}

// hasLines reports whether some documents are only in JSON lines.
func (db *DB) hasLines() bool {
	return slices.ContainsFunc(db.lines.Shards, func(s schemas.Shard) bool {
		return strings.HasPrefix(s.Name, "documents-")
	})
}

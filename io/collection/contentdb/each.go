package contentdb

import (
	"context"
	"iter"

	"github.com/gleaner-web/gleaner/io/collection/index"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// fewShare is how many captures there are for one that the index finds, from which on the index is asked: a row that it
// finds is looked up in its shard, which takes as long as reading some hundred rows one after the other.
const fewShare = 200

// Each yields every version that where takes, in no order and so without memory for sorting, with the columns at least
// (see Find). The index is asked where it says that few are taken, the shards elsewhere. It ends after an error.
func (db *DB) Each(ctx context.Context, where query.Expr, columns []string) iter.Seq2[*schemas.Document, error] {
	q := query.Query{Where: where, AllVersions: true}
	if err := CheckColumns(columns); err != nil {
		return func(yield func(*schemas.Document, error) bool) { yield(nil, err) }
	}
	return func(yield func(*schemas.Document, error) bool) {
		few, err := db.few(ctx, where)
		if err != nil {
			yield(nil, err)
			return
		}
		if few {
			db.Find(ctx, q, columns)(yield)
			return
		}
		for r, err := range db.scan(ctx, q, union(columns, query.Columns(where))) {
			if !yield(r.d, err) || err != nil {
				return
			}
		}
	}
}

// few tells whether the index knows that where takes few captures: by the part of it that needs no documents.
func (db *DB) few(ctx context.Context, where query.Expr) (bool, error) {
	x := db.asked()
	pushed, _ := index.Split(where)
	if x == nil || pushed == nil {
		return false, nil
	}
	taken, err := x.Count(ctx, query.Query{Where: pushed, AllVersions: true}, nil)
	var all int64
	if err == nil {
		all, err = x.Count(ctx, query.Query{AllVersions: true}, nil)
	}
	if err != nil {
		if db.lose(err) {
			return false, nil
		}
		return false, err
	}
	return taken*fewShare <= all, nil
}

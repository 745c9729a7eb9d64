package contentdb

import (
	"cmp"
	"context"
	"iter"

	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// fewShare is the number of captures for one hit from which the index is used. Looking up a hit in its shard takes as
// long as reading some hundred rows in sequence.
const fewShare = 200

// Each yields every version that matches where, with at least the given columns (see Find). It keeps no order and so
// needs no memory for sorting. It uses the index if that predicts few hits or knows the rows of each shard, otherwise
// the shards. It ends after an error.
func (db *DB) Each(ctx context.Context, where query.Expr, columns []string) iter.Seq2[*schemas.Document, error] {
	settled, err := db.settled(query.Query{Where: where, AllVersions: true})
	if err = cmp.Or(err, CheckColumns(columns)); err != nil {
		return func(yield func(*schemas.Document, error) bool) { yield(nil, err) }
	}
	where, columns = settled.Where, db.limits.columns(columns)
	return func(yield func(*schemas.Document, error) bool) {
		q := query.Query{Where: where, AllVersions: true}
		few, err := db.few(ctx, where)
		if err != nil {
			yield(nil, err)
			return
		}
		pushed, rest := index.Split(where)
		x := db.asked()
		switch {
		case few:
			db.Find(ctx, q, columns)(yield)
		case x != nil && pushed != nil && rest == nil:
			db.eachRow(ctx, x, q, columns)(yield)
		default:
			db.eachScanned(ctx, q, columns)(yield)
		}
	}
}

// eachScanned is Each by reading all shards that may match.
func (db *DB) eachScanned(
	ctx context.Context, q query.Query, columns []string,
) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		for r, err := range db.scan(ctx, q, union(columns, query.Columns(q.Where))) {
			if !yield(db.limits.shown(r.d), err) || err != nil {
				return
			}
		}
	}
}

// eachRow is Each by the rows that the index names. Columns that only the filter needs, such as texts, are not read.
func (db *DB) eachRow(
	ctx context.Context, x *index.Index, q query.Query, columns []string,
) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		begun, more := false, true
		set, err := db.revisits(ctx, columns)
		if err != nil {
			yield(nil, err)
			return
		}
		for r, err := range x.Rows(ctx, q.Where) {
			// After a yielded document, another way would repeat some, so the error is final.
			if err != nil && !begun && db.lose(err) {
				db.eachScanned(ctx, q, columns)(yield)
				return
			}
			if err == nil {
				begun = true
				err = db.readRows(ctx, r.Shard, r.Rows, union(columns, keyColumns), func(_ int64, d *schemas.Document) bool {
					set.Fill(d)
					more = yield(db.limits.shown(d), nil)
					return more
				})
			}
			if err != nil && more {
				yield(nil, err)
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// few reports whether the filter matches few captures by the index, ignoring parts for documents.
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

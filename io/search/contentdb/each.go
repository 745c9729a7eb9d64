package contentdb

import (
	"cmp"
	"context"
	"iter"

	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// fewShare is how many captures there are for one that the index finds, from which on the index is asked: a row that it
// finds is looked up in its shard, which takes as long as reading some hundred rows one after the other.
const fewShare = 200

// Each yields every version that where takes, in no order and so without memory for sorting, with the columns at least
// (see Find). The index is asked where it says that few are taken, or which rows of each shard, and the shards
// elsewhere. It ends after an error.
func (db *DB) Each(ctx context.Context, where query.Expr, columns []string) iter.Seq2[*schemas.Document, error] {
	where, err := query.Bind(where, db.types)
	if err = cmp.Or(err, CheckColumns(columns)); err != nil {
		return func(yield func(*schemas.Document, error) bool) { yield(nil, err) }
	}
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

// eachScanned is Each by a look at all shards that may have an answer.
func (db *DB) eachScanned(
	ctx context.Context, q query.Query, columns []string,
) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		for r, err := range db.scan(ctx, q, union(columns, query.Columns(q.Where))) {
			if !yield(r.d, err) || err != nil {
				return
			}
		}
	}
}

// eachRow is Each by the rows that the index names: what the filter alone looks at, as the texts, is not read.
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
			// Once a document was yielded, a second way would give some twice: the error stands.
			if err != nil && !begun && db.lose(err) {
				db.eachScanned(ctx, q, columns)(yield)
				return
			}
			if err == nil {
				begun = true
				err = db.readRows(ctx, r.Shard, r.Rows, union(columns, keyColumns), func(_ int64, d *schemas.Document) bool {
					set.Fill(d)
					more = yield(d, nil)
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

// few reports whether the index knows that where takes few captures: by the part of it that needs no documents.
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

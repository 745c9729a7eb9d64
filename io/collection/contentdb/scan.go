package contentdb

import (
	"context"
	"iter"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// scan yields the rows of the shards that a question has to look at: those that its filter takes, or with a moment all
// that were captured by then, since a version that the filter does not take hides older ones.
func (db *DB) scan(ctx context.Context, q query.Query, columns []string) iter.Seq2[candidate, error] {
	test := query.Compile(q.Where)
	return func(yield func(candidate, error) bool) {
		read := q.Where
		if !q.At.IsZero() {
			read = nil
		}
		for d, err := range db.rows(ctx, read, columns) {
			if err != nil {
				yield(candidate{}, err)
				return
			}
			r := candidate{d: d, taken: test(d)}
			if !q.At.IsZero() && query.KeyOf(d).Timestamp.After(q.At) || q.At.IsZero() && !r.taken {
				continue
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// rows yields the documents that where may take, with the columns at least.
func (db *DB) rows(ctx context.Context, _ query.Expr, _ []string) iter.Seq2[*schemas.Document, error] {
	return db.part.Documents(ctx)
}

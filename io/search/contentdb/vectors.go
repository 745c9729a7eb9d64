package contentdb

import (
	"context"
	"errors"

	"github.com/gleaner-web/gleaner/io/search/meaningindex"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Vectors calls take with the captures that match q, with the given columns and the text, and with the vectors of their
// passages. Captures without a text have none. The order is that of the shards, and Limit the number of captures.
// Before all, it calls begin with the number of numbers in a vector.
func (db *DB) Vectors(
	ctx context.Context, q query.Query, columns []string, begin func(dim int) error,
	take func(*schemas.Document, []meaningindex.Passage) error,
) error {
	x, err := db.openMeaning(ctx)
	if err != nil {
		return err
	}
	if q, err = db.settled(q); err != nil {
		return err
	}
	if db.limits != nil {
		q.Where = both(q.Where, db.limits.whole) // passages are content
	}
	ask := meaningindex.Query{AllVersions: q.AllVersions}
	s := &about{db: db, x: x, q: q, r: &AboutRequest{}}
	if err := errors.Join(s.filter(ctx, &ask), begin(x.Model.Dim)); err != nil {
		return err
	}
	columns = union(db.limits.columns(columns), []string{"text"})
	n := 0
	for _, part := range x.All(ask) {
		if len(part.Rows) == 0 {
			continue
		}
		var failed error
		err := db.readRows(ctx, part.Shard, part.Rows, columns, func(row int64, d *schemas.Document) bool {
			if db.MayRead(d) {
				failed = take(d, x.Passages(part.Shard, row))
				n++
			}
			if failed == nil && n == q.Limit {
				failed = errEnough
			}
			return failed == nil
		})
		if errors.Is(failed, errEnough) {
			return nil
		}
		if err := errors.Join(err, failed); err != nil {
			return err
		}
	}
	return nil
}

package contentdb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// ErrURL means that a URL cannot be read.
var ErrURL = errors.New("contentdb: not a URL")

// Near returns dated captures of a URL around a moment, the nearest first: most of those until it, and most of those
// after it. Equally near ones are in the order of SortNear. Of one time, the later one in its archive comes first.
func (db *DB) Near(
	ctx context.Context, address string, at time.Time, most int, columns []string,
) (list []*schemas.Document, err error) {
	for _, side := range []struct {
		op    query.Op
		order query.Order
	}{{query.LessEqual, query.Newest}, {query.Greater, query.Oldest}} {
		q, err := Versions(Exactly(address))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrURL, err)
		}
		// The moment has no fraction, and a capture of the same second is as near as it gets.
		second := at.Truncate(time.Second).Add(time.Second - 1)
		e, err := query.NewCompare("timestamp", side.op, second.Format(time.RFC3339Nano))
		if err != nil {
			return nil, err
		}
		q.Where = &query.And{List: []query.Expr{q.Where, e}}
		q.Order, q.Limit = side.order, most
		for d, err := range db.all().Find(ctx, q, columns) {
			if err != nil {
				return nil, err
			}
			if _, ok := query.ParseTime(d.Timestamp); ok {
				list = append(list, d)
			}
		}
	}
	// Orders sort captures of one time by their places, and the sort below is stable.
	slices.Reverse(list)
	SortNear(list, at, address)
	return list, nil
}

// SortNear sorts captures that have a time by distance from a moment. Of equally near ones those after it come first.
// Of one second, the URL itself comes first (see urlkey.Fit), and then the later one, which is also the newest version.
func SortNear(list []*schemas.Document, at time.Time, address string) {
	slices.SortStableFunc(list, func(a, b *schemas.Document) int {
		s, _ := query.ParseTime(a.Timestamp) // each has one
		t, _ := query.ParseTime(b.Timestamp)
		return cmp.Or(cmp.Compare(far(s, at), far(t, at)), cmp.Compare(t.Unix(), s.Unix()),
			cmp.Compare(urlkey.Fit(address, b.URL, b.Status), urlkey.Fit(address, a.URL, a.Status)), t.Compare(s))
	})
}

// far returns the distance in whole seconds, as addresses of captures have them.
func far(t, at time.Time) time.Duration {
	return t.Truncate(time.Second).Sub(at.Truncate(time.Second)).Abs()
}

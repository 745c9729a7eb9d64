package contentdb

import (
	"cmp"
	"context"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// Trends are counts of captures by year, month or day.
type Trends struct {
	Periods []string // ascending, without those that have no capture; "" for captures without a time
	All     []int64  // captures of each period
	// Lines are the captures of each series, in the order of the request, and of each period.
	Lines [][]int64
}

// Trends counts the captures that match q by unit ("year", "month" or "day"), and those that also match each series. It
// counts every version unless q has a moment. It ignores Order, Limit and After of q.
func (db *DB) Trends(ctx context.Context, q query.Query, series []query.Series, unit string) (*Trends, error) {
	q.AllVersions = q.At.IsZero()
	questions := []query.Query{q}
	for _, s := range series {
		one := q
		one.Where = both(q.Where, s.Where)
		questions = append(questions, one)
	}
	counts, errs := make([]map[string]int64, len(questions)), make([]error, len(questions))
	var counting sync.WaitGroup
	turn := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, one := range questions {
		turn <- struct{}{}
		counting.Go(func() {
			defer func() { <-turn }()
			groups, err := db.Facets(ctx, one, []string{unit}, 0)
			counts[i], errs[i] = map[string]int64{}, err
			for _, g := range groups {
				counts[i][g.Values[0]] = g.Count
			}
		})
	}
	counting.Wait()
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	t := &Trends{Periods: slices.Sorted(maps.Keys(counts[0])), Lines: make([][]int64, len(series))}
	for _, period := range t.Periods {
		t.All = append(t.All, counts[0][period])
		for i := range series {
			t.Lines[i] = append(t.Lines[i], counts[i+1][period])
		}
	}
	return t, nil
}

// both returns the conjunction of two filters, of which either may be nil.
func both(a, b query.Expr) query.Expr {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	return &query.And{List: []query.Expr{a, b}}
}

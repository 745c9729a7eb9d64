package contentdb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/search/meaningindex"
	"github.com/gleaner-web/gleaner/transforms/meaning"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// ErrNoBound means that a capture cannot be called near a topic: see AboutTrendsRequest.Bound.
var ErrNoBound = errors.New("contentdb: for a model of one's own, say from which cosine a passage is near a topic")

// AboutTrendsRequest asks how much of each period is near a topic.
type AboutTrendsRequest struct {
	About  AboutRequest   // Text or Like, and Query, which chooses the captures that are counted
	Series []query.Series // to compare with
	Unit   string         // year, month or day
	// Bound is the least cosine of a passage that is near the topic; 0 stands for that of the model.
	Bound float64
}

// AboutTrends are counts of captures that have a text. Of the captures of a page in a period, the newest stands for
// all, unless all versions are wanted. The first of Lines are those near the topic; the others are of the series.
type AboutTrends struct {
	Trends
	Bound   float64
	Nearest float64 // the greatest cosine, from 0, to three digits
	Unsure  string  // see AboutAnswer.Unsure
	unknown bool    // the topic has no known word
	without bool    // no capture has a vector
}

// Empty says for people why no capture is near, or "" if one is.
func (t *AboutTrends) Empty() string {
	for _, n := range t.Lines[0] {
		if n > 0 {
			return ""
		}
	}
	if len(t.Periods) == 0 {
		return "No capture with a text is chosen, so none can be near."
	}
	if t.unknown {
		return "No capture can be near, since the topic has no known word."
	}
	if t.without {
		return "No capture can be near, since no text has a word that the model knows."
	}
	return fmt.Sprintf("No capture is near: the nearest passage has a cosine of %.2f, and the bound is %.2f.", t.Nearest,
		t.Bound)
}

// AboutTrends counts the captures that are near a topic by period, and those that match each series.
func (db *DB) AboutTrends(ctx context.Context, r AboutTrendsRequest) (*AboutTrends, error) {
	s, err := db.newAbout(ctx, r.About)
	if err != nil {
		return nil, err
	}
	if r.Bound = cmp.Or(r.Bound, s.x.Model.Near); r.Bound == 0 {
		return nil, ErrNoBound
	}
	if _, err := s.look(ctx); err != nil {
		return nil, err
	}
	ask := meaningindex.Query{Vector: s.vector, AllVersions: s.q.AllVersions}
	if err := s.filter(ctx, &ask); err != nil {
		return nil, err
	}
	tests := make([]meaningindex.Query, len(r.Series))
	for i, one := range r.Series {
		where, err := db.Bind(one.Where)
		if err != nil {
			return nil, err
		}
		part := *s
		part.q.Where = both(s.q.Where, where)
		if err := part.filter(ctx, &tests[i]); err != nil {
			return nil, err
		}
	}
	t := countNear(s.x, ask, tests, r)
	t.Unsure = (&AboutAnswer{Unknown: s.unknown, Known: s.known}).Unsure()
	t.unknown = r.About.Like == nil && s.known == 0
	return t, nil
}

// countNear counts documents by period.
func countNear(
	x *meaningindex.Index, ask meaningindex.Query, tests []meaningindex.Query, r AboutTrendsRequest,
) *AboutTrends {
	t := &AboutTrends{Bound: r.Bound, without: true}
	nearest := 0.0
	counts := map[int][]int64{} // by period: all, near, and of each series
	for d := range x.Near(ask, numberOf(r.Unit)) {
		n := counts[d.Period]
		if n == nil {
			n = make([]int64, 2+len(tests))
			counts[d.Period] = n
		}
		n[0]++
		nearest, t.without = max(nearest, d.Score), t.without && d.Score == meaningindex.NoScore
		if d.Score >= r.Bound {
			n[1]++
		}
		for i := range tests {
			if tests[i].Allows(d) {
				n[2+i]++
			}
		}
	}
	t.Nearest = math.Round(1000*nearest) / 1000
	t.Lines = make([][]int64, 1+len(tests))
	for _, period := range slices.Sorted(maps.Keys(counts)) {
		t.Periods, t.All = append(t.Periods, labelOf(r.Unit, period)), append(t.All, counts[period][0])
		for i := range t.Lines {
			t.Lines[i] = append(t.Lines[i], counts[period][1+i])
		}
	}
	return t
}

// numberOf returns the number of a time's year, month or day, which labelOf writes. It is 0 for an unknown time.
func numberOf(unit string) func(time.Time) int {
	return func(t time.Time) int {
		if t.IsZero() {
			return 0
		}
		year, month, day := t.Date()
		switch unit {
		case "year":
			return year
		case "month":
			return 100*year + int(month)
		}
		return 100*(100*year+int(month)) + day
	}
}

// labelOf writes a period as query.By does.
func labelOf(unit string, n int) string {
	switch {
	case n == 0:
		return ""
	case unit == "year":
		return fmt.Sprintf("%04d", n)
	case unit == "month":
		return fmt.Sprintf("%04d-%02d", n/100, n%100)
	}
	return fmt.Sprintf("%04d-%02d-%02d", n/10000, n/100%100, n%100)
}

// newAbout begins a search by meaning.
func (db *DB) newAbout(ctx context.Context, r AboutRequest) (*about, error) {
	if !r.Query.At.IsZero() {
		return nil, errors.New("contentdb: a search by meaning is of all times, and not of a moment")
	}
	r.Query.Order, r.Query.After = query.Newest, nil
	if err := CheckColumns(r.Columns); err != nil {
		return nil, err
	}
	if r.Like == nil && !HasWord(r.Text) {
		return nil, ErrNoWord
	}
	x, err := db.openMeaning(ctx)
	if err != nil {
		return nil, err
	}
	q, err := db.settled(r.Query)
	if err != nil {
		return nil, err
	}
	if db.limits != nil {
		q.Where = both(q.Where, db.limits.whole) // passages are content
	}
	return &about{db: db, x: x, q: q, r: &r, encoder: meaning.NewEncoder(x.Model)}, nil
}

package source

import (
	"fmt"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// undated is a visit to a feed whose items have no dates.
func undated(at time.Time, from, to int) State {
	row := schemas.FeedCapture{Kind: "feed", URL: "http://a.example/feed", Timestamp: at.Format(time.RFC3339), Status: 200}
	for n := from; n < to; n++ {
		row.Items = append(row.Items, schemas.FeedItem{
			URL:   fmt.Sprintf("http://a.example/%d", n),
			Title: fmt.Sprint("Piece ", n),
		})
	}
	row.Count = len(row.Items)
	return FromFeed(&row)
}

// TestState_undated: items without dates that are shown again are not new. So a feed that publishes nothing is not
// visited again and again.
func TestState_undated(t *testing.T) {
	first := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for name, merge := range map[string]func(a, b State) State{
		"as the Source DB does": Merge,
		"as a crawl does":       func(a, b State) State { return Merge(a, Recognised(a, b)) },
	} {
		s := undated(first, 0, 10)
		for day := range 20 {
			s = merge(s, undated(first.AddDate(0, 0, day+1), 0, 10))
		}
		if dates := s.Dates(); len(dates) > 0 || s.lost() > 0 {
			t.Errorf("%s: %d dates and %d losses of items that were there from the beginning, want none", name, len(dates),
				s.lost())
		}
		wait := NextVisit(s, Policy{}).Sub(first.AddDate(0, 0, 20))
		if wait < 24*time.Hour {
			t.Errorf("%s: the next visit is in %v", name, wait)
		}
		s = merge(s, undated(first.AddDate(0, 0, 30), 2, 12))
		if dates := s.Dates(); len(dates) != 2 {
			t.Errorf("%s: %d dates, want those of 2 new items", name, len(dates))
		}
	}
	// A crawl's state does not grow by visits.
	s := undated(first, 0, 10)
	for day := range 60 {
		s = Merge(s, Recognised(s, undated(first.AddDate(0, 0, day+1), 0, 10)))
	}
	if len(s.Items) != 10 {
		t.Errorf("%d items, want 10", len(s.Items))
	}
}

func TestUnchanged(t *testing.T) {
	first := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	s := Unchanged(undated(first, 0, 10), first.Add(time.Hour))
	if len(s.Visits) != 2 || s.Visits[0].Status != 304 || s.window() != 10 || s.lost() != 0 {
		t.Errorf("%+v", s.Visits)
	}
	if next := NextVisit(s, Policy{}); !next.After(first.Add(time.Hour)) {
		t.Errorf("next visit at %v", next)
	}
	if next := NextVisit(State{}, Policy{}); !next.IsZero() {
		t.Errorf("of a source that was never visited: %v", next)
	}
}

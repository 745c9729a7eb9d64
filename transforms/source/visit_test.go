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

// TestFromFeed_sharedIDs: programs that give one guid to several items do not make these one item.
func TestFromFeed_sharedIDs(t *testing.T) {
	titles := []string{"The river rises", "A bridge is built", "Mayor resigns", "Winter begins"}
	for _, tt := range []struct {
		name string
		ids  []string
		want int
	}{
		{"the same for all", []string{"1", "1", "1", "1"}, 4},
		{"the site's", []string{"https://a.example", "https://a.example", "https://a.example", "https://a.example"}, 4},
		{"a day's", []string{"20260102", "20260102", "20260101", "20260101"}, 4},
		{"of two", []string{"tag:a,1", "tag:a,2", "tag:a,2", "tag:a,3"}, 4},
		{"their own", []string{"tag:a,1", "tag:a,2", "tag:a,3", "tag:a,4"}, 4},
		{"none", []string{"", "", "", ""}, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			row := feedOf(titles...)
			for n := range row.Items {
				row.Items[n].ID = tt.ids[n]
			}
			if got := len(FromFeed(row).linked()); got != tt.want {
				t.Errorf("%d items, want %d", got, tt.want)
			}
		})
	}
	row := feedOf(titles[0], titles[0])
	row.Items[0].ID, row.Items[1].ID = "tag:a,1", "tag:a,1"
	if got := len(FromFeed(row).linked()); got != 1 {
		t.Errorf("one link and id: %d items, want 1", got)
	}
}

package source

import (
	"fmt"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestDescribe_lastChanged: the date is that of the first visit with the present bytes of the feed. Each letter is the
// digest of a visit, one day after the previous one. 3 is a 304 answer, ! a failure, ? a visit with unknown bytes.
func TestDescribe_lastChanged(t *testing.T) {
	tests := []struct {
		name, visits string
		want         int // day; 0 if unknown
	}{
		{"never captured", "", 0},
		{"one visit", "a", 1},
		{"the same bytes", "aaa", 1},
		{"changed at the last visit", "aab", 3},
		{"changed before", "abbb", 2},
		{"changed back", "abbaa", 4},
		{"not modified", "ab333", 2},
		{"not modified between", "ab3b3", 2},
		{"failures are no change", "abb!!b!", 2},
		{"unknown bytes say nothing", "ab??b?", 2},
		{"only unknown bytes", "?3!", 0},
		{"more visits than are kept", "ab" + letters('c', MaxVisits-1), 3},
		{"the same bytes for longer than visits are kept", letters('a', MaxVisits+1), 0},
		{"not modified for longer", "a" + letters('3', MaxVisits), 0},
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var forth, back State
			parts := make([]State, 0, len(tt.visits))
			for day, c := range tt.visits {
				parts = append(parts, visitOf(c, start.AddDate(0, 0, day)))
			}
			// Parts of crawls come in any order.
			for i := range parts {
				forth, back = Merge(forth, parts[i]), Merge(back, parts[len(parts)-1-i])
			}
			want := ""
			if tt.want > 0 {
				want = start.AddDate(0, 0, tt.want-1).Format(time.RFC3339)
			}
			for _, s := range []State{forth, back} {
				if got := Describe("k", s, start.AddDate(1, 0, 0), Policy{}, World{}).LastChanged; got != want {
					t.Errorf("LastChanged = %q, want %q", got, want)
				}
			}
		})
	}
}

func letters(c byte, n int) (s string) {
	for range n {
		s += string(c)
	}
	return s
}

func visitOf(c rune, at time.Time) State {
	switch c {
	case '3':
		return Unchanged(State{}, at)
	case '!':
		return WithFate(State{}, Page{Visits: []Fetch{{Time: at.Unix(), Status: 503}}})
	}
	digest := fmt.Sprintf("sha1:%c", c)
	if c == '?' {
		digest = ""
	}
	row := schemas.FeedCapture{
		Kind: "feed", URL: "http://a.example/feed", Timestamp: at.Format(time.RFC3339), Status: 200, Digest: digest,
	}
	return FromFeed(&row)
}

// TestDescribe_lastChangedTwin: contents of a feed in another format are not a change of this one.
func TestDescribe_lastChangedTwin(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	rss := Merge(visitOf('a', start), visitOf('a', start.AddDate(0, 0, 2)))
	atom := Merge(visitOf('b', start.AddDate(0, 0, 1)), visitOf('c', start.AddDate(0, 0, 3)))
	got := Describe("k", rss.Join(atom), start.AddDate(1, 0, 0), Policy{}, World{}).LastChanged
	if want := start.Format(time.RFC3339); got != want {
		t.Errorf("LastChanged = %q, want %q", got, want)
	}
}

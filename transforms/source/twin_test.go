package source

import (
	"math/rand/v2"
	"testing"
)

// showing is a feed that shows items, by link, title and day, with ids that begin at one.
func showing(id uint64, list ...[3]int64) (s State) {
	for n, i := range list {
		s.Items = append(s.Items, Item{
			ID: id + uint64(n), Link: uint64(i[0]), Words: [8]uint16{uint16(i[1])}, Time: i[2] * day, First: 100 * day,
			Marks: Dated,
		})
	}
	s.Info.Time, s.Visits = 100*day, []Fetch{{Time: 100 * day, Items: uint32(len(list)), Status: 200}}
	return Of(s)
}

func TestState_Join(t *testing.T) {
	type list = [][3]int64
	column := list{{1, 1, 7}, {1, 1, 14}, {1, 1, 21}}
	for _, tt := range []struct {
		name       string
		ours, them State
		want       []int64 // the days of the items, the newest first
	}{
		{
			"ids of their own", showing(1, list{{1, 1, 3}, {2, 2, 2}}...), showing(9, list{{1, 1, 3}, {2, 2, 2}}...),
			[]int64{3, 2},
		},
		{"a column with one link and title", showing(1, column...), showing(9, column...), []int64{21, 14, 7}},
		{
			"the column a week later", showing(1, column...), showing(9, list{{1, 1, 14}, {1, 1, 21}, {1, 1, 28}}...),
			[]int64{28, 21, 14, 7},
		},
		{
			"two of a day", showing(1, list{{1, 1, 3}, {1, 1, 3}}...), showing(9, list{{1, 1, 3}, {1, 1, 3}}...),
			[]int64{3, 3},
		},
		{"another date", showing(1, list{{1, 1, 9}}...), showing(9, list{{1, 1, 3}}...), []int64{3}},
		{"another title", showing(1, list{{1, 1, 3}}...), showing(9, list{{1, 2, 3}}...), []int64{3}},
		{"another title and date", showing(1, list{{1, 1, 3}}...), showing(9, list{{1, 2, 4}}...), []int64{4, 3}},
		{"other links", showing(1, list{{1, 1, 3}}...), showing(9, list{{2, 1, 3}}...), []int64{3, 3}},
		{"ids equal, dates not", showing(1, list{{1, 1, 9}}...), showing(1, list{{1, 1, 3}}...), []int64{3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			joined := tt.ours.Join(tt.them)
			if len(joined.Items) != len(tt.want) {
				t.Fatalf("%d items, want %d: %+v", len(joined.Items), len(tt.want), joined.Items)
			}
			for n, i := range joined.Items {
				if i.Time != tt.want[n]*day {
					t.Errorf("item %d is of day %d, want %d", n, i.Time/day, tt.want[n])
				}
			}
			if again := joined.Join(tt.them); !isEqual(again, joined) {
				t.Errorf("joined again: %+v, want %+v", again.Items, joined.Items)
			}
		})
	}
}

// TestState_Join_any: with any feeds, the result is a state, is limited, and has at least the pieces of each feed.
func TestState_Join_any(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	any := func() (s State) {
		for range r.IntN(2 * MaxItems) {
			when := int64(r.IntN(40)) * day / 2
			s.Items = append(s.Items, Item{
				ID: r.Uint64N(200), Link: r.Uint64N(50), Words: [8]uint16{uint16(r.IntN(3))}, Time: when,
				First: max(when, int64(r.IntN(60))*day), Marks: ItemMarks(r.IntN(16)),
			})
			s.Entries = append(s.Entries, Entry{Time: when, ID: r.Uint64N(200), URL: "https://a.example/"})
		}
		s.Visits = []Fetch{{Time: int64(r.IntN(60)) * day, Status: 200}}
		return Of(s)
	}
	for range 300 {
		a, b := any(), any()
		joined := a.Join(b)
		got, err := Decode(Encode(nil, joined))
		if err != nil || !isEqual(got, joined) {
			t.Fatalf("not a state: %v", err)
		}
		if least := max(len(onePerID(a.Items)), len(onePerID(b.Items))); len(joined.Items) < least {
			t.Fatalf("%d items, want %d at least", len(joined.Items), least)
		}
		if once := (State{Items: united(a.Items)}); !isEqual(once, State{Items: united(once.Items)}) {
			t.Fatal("united again gives others")
		}
	}
}

func TestSameItems_dates(t *testing.T) {
	ten := func(id uint64, of func(n int64) [3]int64, n int64) State {
		var list [][3]int64
		for k := range n {
			list = append(list, of(k))
		}
		return showing(id, list...)
	}
	daily := func(n int64) [3]int64 { return [3]int64{n, n, 90 - n} }
	built := func(n int64) [3]int64 { return [3]int64{n, n, 95} }
	changed := func(n int64) [3]int64 { return [3]int64{n, n, 90 - n + n%3*4} }
	for _, tt := range []struct {
		name        string
		left, right State
		same        bool
	}{
		{"of publication and of change", ten(1, daily, 10), ten(50, changed, 10), true},
		{"of publication and of the site's making", ten(1, daily, 10), ten(50, built, 10), true},
		{"a section, and all with one date", ten(1, daily, 5), ten(50, built, 40), false},
		{"ten of forty", ten(1, daily, 10), ten(50, daily, 40), true},
		{"two of one date", ten(1, built, 10), ten(50, built, 10), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, share := range []float64{SameItems(tt.left, tt.right), SameItems(tt.right, tt.left)} {
				if got := share >= sameShare; got != tt.same {
					t.Errorf("they share %.2f", share)
				}
			}
		})
	}
}

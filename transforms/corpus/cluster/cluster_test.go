package cluster

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSets_anyOrder: the clusters depend on the pairs, but not on their order.
func TestSets_anyOrder(t *testing.T) {
	const n = 1000
	r := rand.New(rand.NewPCG(1, 1))
	var pairs [][2]uint32
	for range 700 {
		pairs = append(pairs, [2]uint32{r.Uint32N(n), r.Uint32N(n)})
	}
	var first []uint32
	for range 5 {
		s, err := New(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pairs {
			s.Join(p[0], p[1])
		}
		var roots []uint32
		for i := range uint32(n) {
			roots = append(roots, s.Root(i))
		}
		if first == nil {
			first = roots
		}
		if !slices.Equal(roots, first) {
			t.Fatal("another order of the pairs gives other clusters")
		}
		r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	}
	if _, err := New(1 << 40); err == nil {
		t.Error("New takes more documents than it can number")
	}
}

func TestRule_Before(t *testing.T) {
	long, early, good := Facts{Bytes: 9, Time: 5, Quality: 1}, Facts{Bytes: 3, Time: 2, Quality: 1},
		Facts{Bytes: 3, Time: 5, Quality: 8}
	unknown := Facts{Bytes: 3, Quality: 1}
	for _, tt := range []struct {
		rule Rule
		a, b Facts
	}{
		{Longest, long, early},
		{Oldest, early, long},
		{Newest, long, early},
		{Best, good, long},
		{Best, long, early},
		{Oldest, long, unknown},
	} {
		if !tt.rule.Before(tt.a, tt.b) || tt.rule.Before(tt.b, tt.a) {
			t.Errorf("%s: %+v does not go before %+v, or goes behind it too", tt.rule, tt.a, tt.b)
		}
	}
}

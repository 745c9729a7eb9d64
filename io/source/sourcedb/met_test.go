package sourcedb

import (
	"math/rand/v2"
	"testing"
)

// TestFilter: all added values are found, and few others are.
func TestFilter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	f := newFilter(16 << 20)
	for _, set := range []linkSet{mayShare, captured} {
		has := func(link uint64) bool {
			shared, pages := f.has(link)
			return map[linkSet]bool{mayShare: shared, captured: pages}[set]
		}
		links := make([]uint64, 188_000) // as many for a mebibyte as three million for 16
		for i := range links {
			links[i] = r.Uint64()
			f.add(set, links[i])
		}
		for _, link := range links {
			if !has(link) {
				t.Fatalf("%d is not there", link)
			}
		}
		wrong := 0
		for range 1_000_000 {
			if has(r.Uint64()) {
				wrong++
			}
		}
		if wrong > 150 {
			t.Errorf("%d of a million that were not added seem to be there", wrong)
		}
		t.Logf("%d of a million", wrong)
	}
}

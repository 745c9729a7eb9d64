package source

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCover(t *testing.T) {
	for _, test := range []struct {
		name string
		sets [][]int
		want []int
	}{
		{"none", nil, nil},
		{"one that is empty", [][]int{{}}, nil},
		{"one has all", [][]int{{1, 2}, {1, 2, 3}, {3}}, []int{1}},
		{"equal ones", [][]int{{1, 2}, {2, 1}}, []int{0}},
		{"apart", [][]int{{1}, {2, 3}, {}}, []int{1, 0}},
		{"the greedy choice is superfluous", [][]int{{1, 2, 4, 5}, {1, 2, 3}, {4, 5, 6}}, []int{1, 2}},
		{"the greedy choice is not the best", [][]int{
			{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 8, 9}, {4, 5, 6, 7, 10, 11}, {8, 10}, {9, 11},
		}, []int{1, 2}},
		{"sections of a site", [][]int{{1, 2, 3}, {4, 5}, {6}, {3, 4}}, []int{0, 1, 2}},
	} {
		if got := Cover(test.sets, 12); !slices.Equal(got, test.want) {
			t.Errorf("%s: Cover(%v) = %v, want %v", test.name, test.sets, got, test.want)
		}
	}
}

// TestCover_random: for any sets, the choice covers everything, and each chosen set adds something. For few sets, it
// is the smallest possible.
func TestCover_random(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		n := 1 + r.IntN(100)
		sets := make([][]int, r.IntN(40))
		for i := range sets {
			sets[i] = r.Perm(n)[:r.IntN(n+1)/2]
		}
		got := Cover(sets, n)
		all, have := map[int]bool{}, map[int]bool{}
		for _, s := range sets {
			for _, e := range s {
				all[e] = true
			}
		}
		last := n + 1
		for _, i := range got {
			before := len(have)
			for _, e := range sets[i] {
				have[e] = true
			}
			adds := len(have) - before
			if adds == 0 || adds > last {
				t.Fatalf("%v of %v: set %d adds %d after one that added %d", got, sets, i, adds, last)
			}
			last = adds
		}
		if len(have) != len(all) {
			t.Fatalf("%v of %v has %d of %d", got, sets, len(have), len(all))
		}
	}
}

func BenchmarkCover(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	sets := make([][]int, 12)
	for i := range sets {
		sets[i] = r.Perm(10_000)[:2000]
	}
	for b.Loop() {
		Cover(sets, 10_000)
	}
}

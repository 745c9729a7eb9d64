package corpora

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
)

// TestSums: counts of more values than memory holds are those of a map of all, the empty value's and equal ones too.
func TestSums(t *testing.T) {
	sums := newSums(extsort.New(extsort.Options{MemoryBytes: 1 << 16, TempDir: t.TempDir()}))
	defer func() { _ = sums.sorter.Close() }() // the test is over by then
	r, want := rand.New(rand.NewPCG(1, 2)), map[string]Named{}
	for range 100_000 {
		name := fmt.Sprint("d", int(r.ExpFloat64()*20_000))
		if name == "d0" {
			name = ""
		}
		x := want[name]
		want[name] = Named{name, x.Documents + 1, x.Bytes + 7}
		if err := sums.add(name, 1, 7); err != nil {
			t.Fatal(err)
		}
		if len(sums.held) > heldNames {
			t.Fatalf("%d values are held, want %d at most", len(sums.held), heldNames)
		}
	}
	got, err := sums.ranking()
	if err != nil {
		t.Fatal(err)
	}
	top := slices.SortedFunc(maps.Values(want), func(a, b Named) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), strings.Compare(a.Name, b.Name))
	})
	var sizes []int64
	for _, x := range top {
		sizes = addLog2(sizes, x.Documents)
	}
	if got.Distinct != int64(len(want)) || !slices.Equal(got.Top, top[:topNames]) || !slices.Equal(got.Sizes, sizes) {
		t.Errorf("ranking = %+v, want %d, %v, %v", got, len(want), top[:topNames], sizes)
	}
}

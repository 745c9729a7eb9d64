package index

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOverview_severalVolumes: counts over several volumes are equal to those of one volume of all rows.
func TestOverview_severalVolumes(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(7, 7))
	for i := range 5 {
		docs := made(r, 40, fmt.Sprintf("f%d", i))
		docs[0].Timestamp = fmt.Sprintf("2025-0%d-01T00:00:00Z", 1+i%3)
		s.put(t, i, docs)
	}
	one, _ := s.open(t, Options{Dir: t.TempDir()})
	several, _ := s.open(t, Options{Dir: t.TempDir(), VolumeRows: 60})
	if len(several.volumes) < 3 {
		t.Fatalf("%d volumes, want 3 at least", len(several.volumes))
	}
	for _, top := range []int{0, 1, 3} {
		want, err := one.Overview(t.Context(), top)
		if err != nil {
			t.Fatal(err)
		}
		got, err := several.Overview(t.Context(), top)
		if err != nil {
			t.Fatal(err)
		}
		got.Pages = want.Pages // a page counts in each volume that has it
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("top %d (-one +several):\n%s", top, diff)
		}
	}
}

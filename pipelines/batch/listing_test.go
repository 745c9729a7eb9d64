package batch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// TestListing: a list keeps its order, equal lists have equal names, and an empty list stays empty.
func TestListing(t *testing.T) {
	var list []int
	for i := range 2*listedRows + 1 {
		list = append(list, i)
	}
	out := filepath.Join(t.TempDir(), "out")
	if err := os.MkdirAll(filepath.Join(out, ".gleaner"), 0o755); err != nil {
		t.Fatal(err)
	}
	store := blob.New(blob.Options{})
	defer store.Close()
	f := folder.Open(t.Context(), out, store)
	l, err := List(f, list)
	again, _, errAgain := listing(list)
	if err != nil || errAgain != nil || len(l.Files) != 3 || !slices.Equal(l.Files, again.Files) {
		t.Fatalf("%v, %v; %v, %v; want three files of equal names", l, err, again, errAgain)
	}
	at := 0
	for _, key := range l.Files {
		lines, err := readListed(f, key)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			var n int
			if err := json.Unmarshal(line, &n); err != nil || n != at {
				t.Fatalf("line %d is %s, %v", at, line, err)
			}
			at++
		}
	}
	if none, err := List(f, []int{}); at != len(list) || !none.empty() || err != nil {
		t.Errorf("%d of %d values came back; of none there are %v, %v", at, len(list), none, err)
	}
}

package wasapi

import (
	"path"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

func manifest(files ...string) (m schemas.Manifest) {
	for _, f := range files {
		m.Units = append(m.Units, schemas.UnitResult{
			Unit: schemas.Unit{Inputs: []schemas.Range{{File: f, Format: "warc", End: 7}}},
		})
	}
	return m
}

// TestIDs: an archive that is added leaves the addresses of others as they are, and files of one name are told apart.
func TestIDs(t *testing.T) {
	before, after := filesOf(manifest("b/x.warc")), filesOf(manifest("a/x.warc", "b/x.warc", "c/y.warc"))
	if len(before) != 1 || len(after) != 3 || idOf(before[0]) != idOf(after[1]) || idOf(after[0]) == idOf(after[1]) {
		t.Errorf("ids of %v and %v", before, after)
	}
	names := namesOf(after)
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != 3 || !slices.Contains(names, "y.warc") {
		t.Errorf("names %v, want three different ones", names)
	}
	for _, n := range names {
		if path.Base(n) != n {
			t.Errorf("name %q has a folder", n)
		}
	}
}

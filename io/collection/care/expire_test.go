package care

import (
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/seekpoint"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// TestRemoveDerived_seekPoints: a takedown leaves no seek points.
func TestRemoveDerived_seekPoints(t *testing.T) {
	f := folder.Open(t.Context(), t.TempDir(), nil)
	if err := seekpoint.Prepare(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Write(seekpoint.Name("a.warc.gz", 0), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := RemoveDerived(f); err != nil {
		t.Fatal(err)
	}
	if names, err := f.Names(holdings.Hidden("seek")); err != nil || len(names) > 0 {
		t.Errorf("%v is left, %v", names, err)
	}
}

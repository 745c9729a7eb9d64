package collection

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
)

// TestReadManifest_layout: readers refuse a folder of a layout that they do not know, as runs do, and read what says
// nothing of its layout.
func TestReadManifest_layout(t *testing.T) {
	for _, tt := range []struct {
		name, marker string
		refused      bool
	}{
		{"today's", holdings.MarkerText, false},
		{"a newer one", "This folder is written by Gleaner, layout 3.\n", true},
		{"no marker's text", "x", true},
		{"empty", "", true},
		{"none", "-", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			run(t, dir, "a")
			path := filepath.Join(dir, holdings.HiddenDir, holdings.MarkerFile)
			if remove(t, path); tt.marker != "-" {
				write(t, path, tt.marker)
			}
			f := local(dir)
			_, errManifest := holdings.ReadManifest(f)
			_, errTotals := holdings.ReadTotals(f)
			_, _, errWhole := holdings.Whole(f)
			_, errVerify := care.Verify(t.Context(), f)
			for name, err := range map[string]error{
				"ReadManifest": errManifest, "ReadTotals": errTotals, "Whole": errWhole, "Verify": errVerify,
			} {
				if errors.Is(err, holdings.ErrLayout) != tt.refused || !tt.refused && err != nil {
					t.Errorf("%s: %v, want it refused: %v", name, err, tt.refused)
				}
			}
		})
	}
}

package corpora

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder of a corpus may come from others: a manifest without end must not fill the memory.
func TestStats_refusesAnEndlessManifest(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	// Sparse: it takes no place on the disk.
	if err := errors.Join(file.Truncate(8<<30), file.Close()); err != nil {
		t.Fatal(err)
	}
	_, err = Stats(t.Context(), newFolder(t, dir), 1<<20)
	if err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("Stats with a manifest of 8 GiB: %v, want an error that says it is too large", err)
	}
}

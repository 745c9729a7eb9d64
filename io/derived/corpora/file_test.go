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

// TestOurs: files of a corpus are known by their names, and a user's own files are not.
func TestOurs(t *testing.T) {
	for name, want := range map[string]bool{
		"train-00000-of-00001.parquet":            true,
		"train-00000-of-150000.parquet":           true,
		"train-149999-of-150000.jsonl.zst":        true,
		"duplicates-100007-of-150000.jsonl.zst":   true,
		"train-00000-of-00001.warc.wet.gz":        true,
		"clusters.jsonl.zst":                      true,
		"train-0-of-1.parquet":                    false,
		"train-00000-of-00001.csv":                false,
		"my-train-00000-of-00001.parquet":         false,
		"filtered-0123456789abcdef0123.jsonl.zst": true,
	} {
		if got := ours().MatchString(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

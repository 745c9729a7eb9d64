package contentdb

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// TestPurgeIndex_unreadable: an index that cannot be opened, or is of no collection, is removed. It may have pages that
// were taken down.
func TestPurgeIndex_unreadable(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no database":   {"index.db": "zqx", "text.db": "zqx"},
		"a folder":      {"index.db/x": "zqx"},
		"an empty file": {"index.db": "", "images/a.images": "zqx"},
		"others alone":  {"meaning/documents-0.meaning": "zqx"},
	} {
		dir := t.TempDir()
		index := filepath.Join(dir, filepath.FromSlash(holdings.Hidden("index")))
		for file, content := range files {
			path := filepath.Join(index, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		// A lost index is one that could not be kept.
		if _, err := PurgeIndex(t.Context(), folder.Open(t.Context(), dir, nil), 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(index); !os.IsNotExist(err) {
			t.Errorf("%s: the index is still there: %v", name, err)
		}
	}
}

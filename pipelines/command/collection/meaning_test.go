package collection

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIndex_meaning: vectors are made once, for new shards alone, and go with a takedown.
func TestIndex_meaning(t *testing.T) {
	root := t.TempDir()
	out := filepath.Join(root, "out")
	at, dir := "--collection="+out, filepath.Join(out, ".gleaner", "index", "meaning")
	must(t, "ingest", "--output="+out, month(t, root, 0))
	if text := must(t, "collection", "index", at); strings.Contains(text, "meanings") {
		t.Errorf("vectors were made unasked:\n%s", text)
	}
	if text := must(t, "collection", "index", "--meaning", at); !strings.Contains(text, "meanings   of ") {
		t.Errorf("no vectors:\n%s", text)
	}
	files := func() (list []os.FileInfo) {
		entries, err := os.ReadDir(dir)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, info)
		}
		return list
	}
	before := files()
	if len(before) != 1 {
		t.Fatalf("%d files of vectors", len(before))
	}
	must(t, "ingest", "--output="+out, "--add", month(t, root, 1))
	must(t, "collection", "index", "--meaning", at)
	kept := 0
	for _, now := range files() {
		if os.SameFile(now, before[0]) {
			kept++
		}
	}
	if len(files()) != 2 || kept != 1 {
		t.Errorf("after --add there are %d files, and %d is as it was", len(files()), kept)
	}
	must(t, "collection", "takedown", at, "example.org")
	if left := files(); len(left) > 0 {
		t.Errorf("after the takedown there are %d files of vectors", len(left))
	}
}

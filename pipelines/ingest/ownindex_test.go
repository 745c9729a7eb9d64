package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAttack18_ownIndexFindsItsArchives: an index that a run has made is given to --cdx as it is, whether archives were
// named from the working directory or absolutely, or moved together with the index. Where they are not found, the message
// names --warc_base.
func TestAttack18_ownIndexFindsItsArchives(t *testing.T) {
	root := t.TempDir()
	shelf := filepath.Join(root, "shelf")
	if err := os.CopyFS(shelf, os.DirFS("../../"+archives)); err != nil {
		t.Fatal(err)
	}
	read := func(index string) result {
		return runCommand(t, "--extract=mime", "--output="+filepath.Join(t.TempDir(), "out"), "--cdx="+index)
	}
	relative, absolute := filepath.Join(root, "relative"), filepath.Join(root, "absolute")
	mustRun(t, "--format=cdxj", "--output="+relative, archives)
	mustRun(t, "--format=cdxj", "--output="+absolute, shelf)
	for _, dir := range []string{relative, absolute} {
		if got := read(filepath.Join(dir, "index.cdxj")); got.code != 0 || !strings.Contains(got.stdout, "Rejects      0") {
			t.Errorf("%s: exit code %d\n%s%s", dir, got.code, got.stdout, got.stderr)
		}
	}
	moved := filepath.Join(root, "elsewhere", "testdata", "archives")
	if err := os.CopyFS(moved, os.DirFS(shelf)); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(root, "elsewhere", "out"), os.DirFS(relative)); err != nil {
		t.Fatal(err)
	}
	if got := read(filepath.Join(root, "elsewhere", "out", "index.cdxj")); got.code != 0 {
		t.Errorf("moved: exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if err := os.Rename(shelf, filepath.Join(root, "tape")); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	got := runCommand(t, "--extract=mime", "--output="+out, "--compression=none", "--cdx="+filepath.Join(absolute, "index.cdxj"))
	if rejects := strings.Join(lines(t, out, "rejects-*"), ""); got.code != 3 || !strings.Contains(rejects, "--warc_base") {
		t.Errorf("archives that are gone: exit code %d, rejects %.300s", got.code, rejects)
	}
}

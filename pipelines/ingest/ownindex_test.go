package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAttack18_ownIndexFindsItsArchives: an index of a run is usable as --cdx. Its archives may have relative or
// absolute names, and may have moved together with the index. If they are not found, the message names --warc_base.
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
	got := runCommand(t, "--extract=mime", "--output="+out, "--compression=none", "--cdx="+
		filepath.Join(absolute, "index.cdxj"))
	if rejects := strings.Join(lines(t, out, "rejects-*"), ""); got.code != 3 ||
		!strings.Contains(rejects, "--warc_base") {
		t.Errorf("archives that are gone: exit code %d, rejects %.300s", got.code, rejects)
	}
}

// TestAttack18_ownIndexReadsBelowOneFolder: names in an index cannot leave the folder in its manifest. --warc_base
// overrides this folder.
func TestAttack18_ownIndexReadsBelowOneFolder(t *testing.T) {
	d := newDays(t)
	d.put("shelf/in/a", "shelf/private", "shelf/other/in/a")
	made := days{t, d.root, filepath.Join(d.root, "made")}
	if r := made.run("--format=cdxj shelf/in"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	index := filepath.Join(made.out, "index.cdxj")
	good, err := os.ReadFile(index)
	if err != nil || !strings.Contains(string(good), `"filename": "a.warc"`) {
		t.Fatalf("the index is %q, %v", good, err)
	}
	read := func(name string, args ...string) (result, string) {
		out := filepath.Join(t.TempDir(), "out")
		line := strings.ReplaceAll(string(good), `"filename": "a.warc"`, `"filename": "`+name+`"`)
		if err := os.WriteFile(index, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--extract=mime", "--compression=none", "--output="+out, "--cdx="+index)
		return runCommand(t, args...), strings.Join(append(lines(t, out, "documents-*"), lines(t, out, "rejects-*")...), "")
	}
	if r, said := read("a.warc"); r.code != 0 || !strings.Contains(said, "http://shelf-in-a.example/") {
		t.Fatalf("exit code %d\n%s\n%s", r.code, r.stderr, said)
	}
	private := filepath.Join(d.root, "shelf", "private.warc")
	for _, name := range []string{"../private.warc", "./../private.warc", "x/../../private.warc", private, "file://" +
		private, `..\\private.warc`} {
		if r, said := read(name); r.code != 3 || strings.Contains(said, "shelf-private") {
			t.Errorf("%s: exit code %d, want 3 and no document\n%s\n%s", name, r.code, r.stderr, said)
		}
	}
	// The record there has another URL than the line.
	r, said := read("a.warc", "--warc_base="+filepath.Join(d.root, "shelf", "other", "in"))
	if r.code != 3 || !strings.Contains(said, "is of http://shelf-other-in-a.example/") {
		t.Errorf("with --warc_base: exit code %d\n%s\n%s", r.code, r.stderr, said)
	}
}

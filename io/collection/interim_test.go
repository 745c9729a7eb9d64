package collection

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/interim"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// interims lists the interim files of a folder, whole or not.
func interims(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	entries, err := os.ReadDir(filepath.Join(dir, holdings.HiddenDir))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), interim.Sketches) || strings.HasPrefix(e.Name(), interim.Templates) {
			names = append(names, e.Name())
		}
	}
	return names
}

func key(digit string) string { return strings.Repeat(digit, 64) }

func TestInterim_writtenAndRead(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, OpenOptions{})
	f := interim.File{Kind: interim.Sketches, Key: key("a")}
	if there, err := f.Exists(local(dir)); there || err != nil {
		t.Errorf("before it is written: %v, %v", there, err)
	}
	if _, err := f.Open(local(dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before it is written: %v; want fs.ErrNotExist", err)
	}
	for _, text := range []string{"first", "second"} { // by two workers
		if err := f.Write(local(dir), []byte(text)); err != nil {
			t.Fatal(err)
		}
		r, err := f.Open(local(dir))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil || string(got) != text {
			t.Errorf("read %q, %v; want %q", got, err, text)
		}
	}
	if there, err := f.Exists(local(dir)); !there || err != nil {
		t.Errorf("when it is written: %v, %v", there, err)
	}
	for _, bad := range []interim.File{
		{Kind: "rows", Key: key("a")},
		{Kind: interim.Sketches, Key: "../x"},
		{Kind: interim.Sketches},
		{Key: key("a")},
	} {
		if err := bad.Write(local(dir), nil); err == nil {
			t.Errorf("%v was written", bad)
		}
	}
}

func TestInterim_keptSweptAndRemoved(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir, OpenOptions{})
	a, b := interim.File{Kind: interim.Sketches, Key: key("a")}, interim.File{Kind: interim.Templates, Key: key("b")}
	for _, f := range []interim.File{a, b} {
		if err := f.Write(local(dir), nil); err != nil {
			t.Fatal(err)
		}
	}
	half := filepath.Join(dir, holdings.HiddenDir, "."+a.Name()+".tmp-"+folder.Unique())
	if err := os.WriteFile(half, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	want := func(what string, names ...string) {
		t.Helper()
		slices.Sort(names)
		if diff := cmp.Diff(names, interims(t, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	shut(t, c)
	c = open(t, dir, OpenOptions{})
	want("opened again", a.Name(), b.Name())
	if err := interim.Keep(c.f, []interim.File{b}); err != nil {
		t.Fatal(err)
	}
	want("one is kept", b.Name())
	shut(t, c)
	open(t, dir, OpenOptions{Fresh: true})
	want("fresh")
}

package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
)

// crawl writes the same captures in every writable format, and returns the folder.
func crawl(t *testing.T) (dir string, written int) {
	t.Helper()
	dir = t.TempDir()
	for _, format := range archive.Outputs() {
		sink, err := dump.OpenFolder(filepath.Join(dir, format))
		if err != nil {
			t.Fatal(err)
		}
		w, err := archive.NewWriter(format, sink, dump.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range archivetest.Samples() {
			err := w.Write(c)
			if err != nil && !errors.Is(err, dump.ErrRefused) {
				t.Fatal(err)
			}
			if err == nil {
				written++
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		closeFile(t, sink)
	}
	return dir, written
}

// TestIngest_everyFormat: crawls in all formats give the same pages, for any units. Only changed files are read
// again.
func TestIngest_everyFormat(t *testing.T) {
	in, want := crawl(t)
	out := t.TempDir()
	args := []string{"--output=" + out, "--extract=mime", "--unit_size=64KiB", in}
	mustRun(t, args...)
	got := documents(t, out)
	if len(got) != want {
		t.Errorf("%d documents, want %d", len(got), want)
	}
	relevant := func(line string) bool { return strings.Contains(line, `"relevance":"0.9731234","relevant":"true"`) }
	if n := len(slices.DeleteFunc(slices.Clone(got), func(l string) bool { return !relevant(l) })); n != 5 {
		t.Errorf("%d documents tell of the page's relevance, want those of JSON, FILES, ACHE's WARC, WARC and WACZ", n)
	}
	other := t.TempDir()
	mustRun(t, "--output="+other, "--extract=mime", in)
	slices.Sort(got)
	whole := documents(t, other)
	slices.Sort(whole)
	if diff := cmp.Diff(whole, got); diff != "" {
		t.Errorf("units of 64 KiB differ (-64MiB +64KiB):\n%.2000s", diff)
	}

	before := writeTimes(t, out)
	mustRun(t, args...)
	if diff := cmp.Diff(before, writeTimes(t, out)); diff != "" {
		t.Errorf("nothing was to be done, and shards were written (-before +after):\n%s", diff)
	}
	page := filepath.Join(in, "ache-html", "example.com", "http%3A%2F%2Fexample.com%2Fimg.png")
	if err := os.WriteFile(page, []byte("<p>another body</p>"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := mustRun(t, args...); !strings.Contains(r.stderr, "units are done already") {
		t.Errorf("a page has changed, and stderr is %q", r.stderr)
	}
	third := t.TempDir()
	mustRun(t, "--output="+third, "--extract=mime", "--unit_size=64KiB", in)
	sameFiles(t, contents(t, out), contents(t, third))
}

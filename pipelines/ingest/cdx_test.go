package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIngest_cdx: the documents are those of the archives that the index selects. Another filter reads again.
func TestIngest_cdx(t *testing.T) {
	index, all := t.TempDir(), t.TempDir()
	mustRun(t, "--format=cdxj", "--output="+index, archives)
	mustRun(t, "--extract=mime", "--output="+all, archives)
	want := documents(t, all)
	want = slices.DeleteFunc(want, func(l string) bool {
		return !strings.Contains(l, `"status":404`) || strings.Contains(l, `"sequence":`)
	})
	out := t.TempDir()
	args := []string{"--extract=mime", "--output=" + out, "--cdx=" + filepath.Join(index, "index.cdxj"), "--warc_base=" +
		archives}
	mustRun(t, append(args, "--cdx_filter=status=404")...)
	got := documents(t, out)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
		t.Errorf("%d documents with status 404; (-archives +index):\n%.2000s", len(want), diff)
	}
	mustRun(t, append(args, "--fresh", "--cdx_filter=status=404 url~nothing")...)
	if got := documents(t, out); len(got) > 0 {
		t.Errorf("%d documents of a filter that chooses none", len(got))
	}
}

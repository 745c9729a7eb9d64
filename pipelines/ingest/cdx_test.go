package main

import (
	"errors"
	"os"
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

// TestIngest_cdxBeforeItsArchives: a unit of an index is done again while none of its archives is there.
func TestIngest_cdxBeforeItsArchives(t *testing.T) {
	t.Parallel()
	index, all := t.TempDir(), t.TempDir()
	mustRun(t, "--format=cdxj", "--output="+index, archives)
	mustRun(t, "--extract=mime", "--output="+all, "--cdx="+filepath.Join(index, "index.cdxj"), "--warc_base="+archives)
	shelf := copyArchives(t)
	for _, tt := range []struct {
		name          string
		before, after func(base string) error // what becomes of the folder, before and after the first run
		again         bool                    // whether the second run reads them; otherwise the documents stay
	}{
		{
			"no folder", func(string) error { return nil },
			func(base string) error { return os.Symlink(shelf, base) }, true,
		},
		{
			"an empty folder", func(base string) error { return os.Mkdir(base, 0o755) },
			func(base string) error { return os.CopyFS(base, os.DirFS(shelf)) }, true,
		},
		{
			"a link to nothing", func(base string) error { return os.Symlink(base+"-later", base) },
			func(base string) error { return os.Symlink(shelf, base+"-later") }, true,
		},
		{
			"another folder", func(base string) error { return os.CopyFS(base, os.DirFS("testdata")) },
			func(base string) error { return os.CopyFS(base, os.DirFS(shelf)) }, true,
		},
		{
			"one that goes", func(base string) error {
				return errors.Join(os.Mkdir(base, 0o755), os.Symlink(shelf+"/site.warc", base+"/site.warc"))
			},
			func(base string) error { return os.Remove(base + "/site.warc") }, false,
		},
		{"all, which then go", func(base string) error { return os.Symlink(shelf, base) }, os.Remove, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, out := filepath.Join(t.TempDir(), "base"), t.TempDir()
			args := []string{
				"--extract=mime", "--output=" + out, "--cdx=" + filepath.Join(index, "index.cdxj"),
				"--warc_base=" + base,
			}
			if err := tt.before(base); err != nil {
				t.Fatal(err)
			}
			runCommand(t, args...)
			first := len(documents(t, out))
			if err := tt.after(base); err != nil {
				t.Fatal(err)
			}
			runCommand(t, args...)
			want := first
			if tt.again {
				want = len(documents(t, all))
			}
			if got := len(documents(t, out)); got != want || tt.again == (first > 0) {
				t.Errorf("%d documents, then %d, want %d", first, got, want)
			}
		})
	}
}

package convert

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestCDX_takedownElsewhere: a takedown leaves the index also if the command runs in another folder than before. The
// names of an archive's other sources mean nothing there.
func TestCDX_takedownElsewhere(t *testing.T) {
	line := `org,example)/3 20200101000000 {"url": "http://example.org/3", "filename": "shelf/a.warc"}` + "\n"
	for _, tt := range []struct {
		name  string
		other string // named beside the collection at first
		dir   string
		away  bool // the other is gone
		code  int
		want  []string
	}{
		{"a collection", "out-b", "elsewhere", false, 0, []string{"/1", "/3"}},
		{"an index", "old.cdxj", "elsewhere", false, 0, []string{"/1", "/3"}},
		{"a cluster", "cluster", "elsewhere", false, 0, []string{"/1", "/3"}},
		{"an archive", "shelf", "elsewhere", false, 0, []string{"/1", "/3"}},
		{"a link to an index of another name", "link.cdxj", "data", false, 0, []string{"/1", "/3"}},
		{"with another file of that name", "old.cdxj", "trap", false, 0, []string{"/1", "/3"}},
		{"gone", "old.cdxj", "elsewhere", true, cli.ExitLosses, []string{"/1", "/2", "/3"}},
		{"gone, with another file of that name", "old.cdxj", "trap", true, cli.ExitLosses, []string{"/1", "/2", "/3"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			in := func(name string) string { return filepath.Join(root, name) }
			put := func(name, text string) error {
				return errors.Join(os.MkdirAll(filepath.Dir(in(name)), 0o755), os.WriteFile(in(name), []byte(text), 0o644))
			}
			must := func(errs ...error) {
				t.Helper()
				if err := errors.Join(errs...); err != nil {
					t.Fatal(err)
				}
			}
			page := exchange(1, "http://example.org/3", "GET", "", "")
			must(put("data/old.cdxj", line), put("data/blob", line), put("data/shelf/a.warc", page),
				put("trap/old.cdxj", line+line), os.Mkdir(in("elsewhere"), 0o755), os.Symlink("blob", in("data/link.cdxj")),
				os.Rename(collect(t, "shelf/a.warc", 1, 2), in("data/out-a")),
				os.Rename(collect(t, "shelf/a.warc", 1, 3), in("data/out-b")))
			if code, text, _ := indexIn(t, in("data"), in("data/cluster"), "old.cdxj"); code != 0 {
				t.Fatal(text)
			}
			index := in("index")
			if code, text, _ := indexIn(t, in("data"), index, "out-a", tt.other); code != 0 {
				t.Fatal(text)
			}
			if tt.away {
				must(os.Remove(in("data/" + tt.other)))
			}
			takeDown(t, in("data/out-a"), "http://example.org/2")
			for range 2 {
				code, text, _ := indexIn(t, in(tt.dir), index, in("data/out-a"))
				if got := slices.Compact(paths(t, index)); code != tt.code || !slices.Equal(got, tt.want) {
					t.Fatalf("exit code %d, %q, want %d, %q:\n%s", code, got, tt.code, tt.want, text)
				}
			}
			for _, name := range filenames(t, index) {
				if name != "shelf/a.warc" {
					t.Errorf("a line names %s", name)
				}
			}
		})
	}
}

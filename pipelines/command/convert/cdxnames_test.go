package convert

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// putPages writes archives of one page each.
func putPages(t *testing.T, root string, from int, names ...string) {
	t.Helper()
	for i, name := range names {
		name = filepath.Join(root, name)
		err := os.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			page := exchange(from+i, fmt.Sprintf("http://example.com/%d", from+i), "GET", "", "")
			err = os.WriteFile(name, []byte(page), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// filenames returns the archives that lines of an index name, in order.
func filenames(t *testing.T, index string) (list []string) {
	t.Helper()
	for _, l := range indexed(t, index) {
		list = append(list, string(cdx.Filename([]byte(l))))
	}
	slices.Sort(list)
	return list
}

// TestCDX_lineNames: lines name an archive as the index does, however the input is named.
func TestCDX_lineNames(t *testing.T) {
	for _, tt := range []struct {
		name        string
		first       string // arguments, in the folder data
		dir, second string
		code        int
		want        []string // a.warc and sub/b.warc change, and sub/c.warc and new/d.warc come
	}{
		{
			"full path", "shelf", ".", "<ROOT>/data/shelf", 0,
			[]string{"shelf/a.warc", "shelf/new/d.warc", "shelf/sub/b.warc", "shelf/sub/c.warc"},
		},
		{
			"relative after a full path", "<ROOT>/data/shelf", "data", "shelf/", 0,
			[]string{
				"<ROOT>/data/shelf/a.warc", "<ROOT>/data/shelf/new/d.warc", "<ROOT>/data/shelf/sub/b.warc",
				"<ROOT>/data/shelf/sub/c.warc",
			},
		},
		{
			"through a link", "shelf", ".", "link/shelf/a.warc link/shelf/*/*", 0,
			[]string{"shelf/a.warc", "shelf/new/d.warc", "shelf/sub/b.warc", "shelf/sub/c.warc"},
		},
		{
			"from above", "../data/shelf", "data", "shelf", 0,
			[]string{"../data/shelf/a.warc", "../data/shelf/new/d.warc", "../data/shelf/sub/b.warc", "../data/shelf/sub/c.warc"},
		},
		{
			"a base", "--archives=shelf shelf", ".", "--archives=shelf <ROOT>/data/shelf", 0,
			[]string{"a.warc", "new/d.warc", "sub/b.warc", "sub/c.warc"},
		},
		{
			"a full base", "--archives=<ROOT>/data/shelf <ROOT>/data/shelf", "data", "--archives=<ROOT>/data/shelf shelf", 0,
			[]string{"a.warc", "new/d.warc", "sub/b.warc", "sub/c.warc"},
		},
		{
			"a folder beside", "shelf", ".", "<ROOT>/data/shelf <ROOT>/data/other", 0,
			[]string{
				"<ROOT>/data/other/e.warc", "shelf/a.warc", "shelf/new/d.warc", "shelf/sub/b.warc", "shelf/sub/c.warc",
			},
		},
		{
			"two files that would have one name", "shelf", "elsewhere", "shelf/new <ROOT>/data/shelf", cli.ExitUsage,
			[]string{"shelf/a.warc", "shelf/sub/b.warc"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			args := func(s string) []string { return strings.Fields(strings.ReplaceAll(s, "<ROOT>", root)) }
			putPages(t, root, 0, "data/shelf/a.warc", "data/shelf/sub/b.warc")
			if err := os.Symlink("data", filepath.Join(root, "link")); err != nil {
				t.Fatal(err)
			}
			index := filepath.Join(root, "index")
			if code, text, _ := indexIn(t, filepath.Join(root, "data"), index, args(tt.first)...); code != 0 {
				t.Fatalf("exit code %d: %s", code, text)
			}
			putPages(t, root, 10, "data/shelf/a.warc", "data/shelf/sub/b.warc", "data/shelf/sub/c.warc",
				"data/shelf/new/d.warc", "data/other/e.warc", "elsewhere/shelf/new/d.warc")
			code, text, _ := indexIn(t, filepath.Join(root, tt.dir), index, args(tt.second)...)
			for i := range tt.want {
				tt.want[i] = strings.ReplaceAll(tt.want[i], "<ROOT>", root)
			}
			if got := filenames(t, index); code != tt.code || !slices.Equal(got, tt.want) {
				t.Errorf("exit code %d, %q, want %d, %q:\n%s", code, got, tt.code, tt.want, text)
			}
		})
	}
}

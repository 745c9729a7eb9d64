package convert

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// paths returns the keys of an index without their host.
func paths(t *testing.T, index string) (list []string) {
	t.Helper()
	for _, l := range indexed(t, index) {
		key, _, _ := strings.Cut(l, " ")
		_, key, _ = strings.Cut(key, ")")
		list = append(list, key)
	}
	return list
}

// TestCDX_foldersOfArchives: a folder with a manifest that is not a collection's is one of archives.
func TestCDX_foldersOfArchives(t *testing.T) {
	in := archiveOf(t, pages(3))
	want := func() []string {
		index := filepath.Join(t.TempDir(), "index")
		mustRun(t, "cdx", "--output="+index, in)
		return paths(t, index)
	}()
	for _, tt := range []struct{ name, to, text string }{
		{"conversion", "warc", ""},
		{"conversion of ACHE", "ache-warc", ""},
		{"conversion to WACZ", "wacz", ""},
		{"copy of a conversion", "warc", "-"},
		{"manifest of something else", "", `{"name": "shelf", "units": []}`},
		{"manifest that is a list", "", `["a.warc.gz"]`},
		{"manifest that is empty", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from := filepath.Join(t.TempDir(), "from")
			var err error
			if tt.to != "" {
				mustRun(t, "--to="+tt.to, "--output="+from, in)
			} else if err = os.CopyFS(from, os.DirFS(in)); err == nil {
				err = os.WriteFile(filepath.Join(from, "manifest.json"), []byte(tt.text), 0o644)
			}
			if tt.text == "-" {
				err = os.RemoveAll(filepath.Join(from, ".gleaner"))
			}
			if err != nil {
				t.Fatal(err)
			}
			index := filepath.Join(t.TempDir(), "index")
			out := mustRun(t, "cdx", "--output="+index, from)
			if got := paths(t, index); !slices.Equal(got, want) || len(want) != 3 {
				t.Errorf("%q, want %q\n%s", got, want, out)
			}
		})
	}
}

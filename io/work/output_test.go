package work

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// TestFind_output: files of the output are not input, by whatever links or names they are found. The folder has the
// archive in/a.warc, and the output big/out with out.warc. It has these links: in/results to big/out, in/one.warc to
// out.warc, scratch to big, and big/out/link.warc to an archive elsewhere.
func TestFind_output(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"in", "big/out", "big/out2", "elsewhere"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	warc, err := os.ReadFile("../../testdata/archives/site.warc")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"in/a.warc", "big/out/out.warc", "big/out2/b.warc", "elsewhere/c.warc"} {
		if err := os.WriteFile(filepath.Join(root, name), warc, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"in/results": "../big/out", "in/one.warc": "../big/out/out.warc", "scratch": "big",
		"big/out/link.warc": "../../elsewhere/c.warc", "inner": "big/out",
	} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(root, "elsewhere"))
	for _, tt := range []struct{ name, output, inputs, want string }{
		{"a link in the input", root + "/big/out", root + "/in", "a"},
		{"an output named by a link", root + "/scratch/out", root + "/big", "b"},
		{"an input named by a link", root + "/big/out", root + "/scratch", "b"},
		{"the output is a link", root + "/inner", root + "/big", "b"},
		{"two dots through a link", root + "/inner/../scratch/out", root + "/big", "b"},
		{"two dots in an input", root + "/scratch/out", root + "/in/../big", "b"},
		{"relative", "../scratch/out", root + "/big", "b"},
		{"relative input", root + "/scratch/out", "../big", "b"},
		{"a link to one file", root + "/big/out", root + "/in/one.warc " + root + "/in/a.warc", "a"},
		{"a link out of the output", root + "/big/out", root + "/big/out/link.warc " + root + "/in/a.warc", "a"},
		{"not there yet", root + "/scratch/new", root + "/in/a.warc", "a"},
		{"beside it", root + "/big/out", root + "/big/out2", "b"},
		{"plain", root + "/big/out", root + "/big", "b"},
		{"another output", root + "/other", root + "/in", "a out c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := strings.Fields(tt.inputs)
			in, err := Find(t.Context(), blob.New(blob.Options{}), args, nil,
				FindOptions{UnitSize: 1, Output: tt.output})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			seen := map[string]bool{}
			for _, u := range in.Units {
				path, err := filepath.Abs(u.Inputs[0].File)
				if err != nil {
					t.Fatal(err)
				}
				name := filepath.Base(blob.RealPath(path))
				if name = strings.TrimSuffix(name, ".warc"); !seen[name] {
					got = append(got, name)
				}
				seen[name] = true
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("archives %q, want %q", got, tt.want)
			}
		})
	}
}

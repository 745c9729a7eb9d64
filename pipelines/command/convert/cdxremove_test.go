package convert

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestCDX_removeFolders: a folder to remove means the inputs in it, and what leaves may come in the same run.
func TestCDX_removeFolders(t *testing.T) {
	// The index has 2024/a.warc, 2024/sub/b.warc and 2024/out, a collection, as current/…; current is 2025 then.
	for _, tt := range []struct {
		name string
		dir  string
		args string
		code int
		want []string
		says string
	}{
		{"not removed", ".", "current", cli.ExitUsage, []string{"/1", "/2", "/3", "/4"}, "--remove=current/a.warc"},
		{
			"a file", ".", "--remove=current/a.warc current/a.warc", 0,
			[]string{"/11", "/2", "/3", "/4"},
			"1 left",
		},
		{"the folder", ".", "--remove=current current", 0, []string{"/11", "/12"}, "4 left"},
		{"the folder alone", ".", "--remove=current/", 0, nil, "4 left"},
		{"its real path", ".", "--remove=2024 current", 0, []string{"/11", "/12"}, "4 left"},
		{"its full path from elsewhere", "2025", "--remove=<ROOT>/2024", 0, nil, "4 left"},
		{"a folder in it", ".", "--remove=./current/sub/", 0, []string{"/1", "/3", "/4"}, "1 left"},
		{"an input that is a folder", ".", "--remove=current/out", 0, []string{"/1", "/2"}, "2 left"},
		{"the folder above", ".", "--remove=.", 0, nil, "4 left"},
		{"the beginning of a name", ".", "--remove=curr", cli.ExitUsage, []string{"/1", "/2", "/3", "/4"}, "nothing of it"},
		{"the beginning of a path", ".", "--remove=20", cli.ExitUsage, []string{"/1", "/2", "/3", "/4"}, "nothing of it"},
		{"empty", "2024", "--remove=current/sub/b.warc,", 0, []string{"/1", "/3", "/4"}, "1 left"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, index := rotated(t)
			args := strings.Fields(strings.ReplaceAll(tt.args, "<ROOT>", root))
			code, text, _ := indexIn(t, filepath.Join(root, tt.dir), index, args...)
			if got := paths(t, index); code != tt.code || !slices.Equal(got, tt.want) || !strings.Contains(text, tt.says) {
				t.Errorf("exit code %d, %q, want %d, %q and %q:\n%s", code, got, tt.code, tt.want, tt.says, text)
			}
		})
	}
}

// rotated makes an index of a link to a folder, and lets the link be one to another folder.
func rotated(t *testing.T) (root, index string) {
	t.Helper()
	root = t.TempDir()
	index = filepath.Join(root, "index")
	putPages(t, root, 1, "2024/a.warc", "2024/sub/b.warc")
	putPages(t, root, 11, "2025/a.warc", "2025/sub/b.warc")
	link := filepath.Join(root, "current")
	err := os.Symlink("2024", link)
	if err == nil {
		err = os.Rename(collect(t, "x.warc", 3, 4), filepath.Join(root, "2024", "out"))
	}
	if err != nil {
		t.Fatal(err)
	}
	code, text, _ := indexIn(t, root, index, "current/a.warc", "current/sub", "current/out")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, text)
	}
	if err = os.Remove(link); err == nil {
		err = os.Symlink("2025", link)
	}
	if err != nil {
		t.Fatal(err)
	}
	return root, index
}

// TestCDX_removeEither: a folder that names some inputs and has others is refused.
func TestCDX_removeEither(t *testing.T) {
	root, index := rotated(t)
	if code, text, _ := indexIn(t, root, index, "2025/a.warc"); code != 0 {
		t.Fatalf("exit code %d: %s", code, text)
	}
	for _, tt := range []struct {
		name string
		code int
		left int
	}{
		{"current", cli.ExitUsage, 5},
		{"current/", cli.ExitUsage, 5},
		{"current/a.warc", cli.ExitUsage, 5},
		{"2025/a.warc", 0, 4},
		{"current/sub", 0, 3},
		{"2024", 0, 0},
	} {
		code, text, lines := indexIn(t, root, index, "--remove="+tt.name)
		if code != tt.code || lines != tt.left || code != 0 && !strings.Contains(text, "full path") {
			t.Errorf("--remove=%s: exit code %d, %d lines, want %d and %d: %s", tt.name, code, lines, tt.code, tt.left, text)
		}
	}
}

// TestCDX_removedAndGone: an input that is removed is not reported as missing.
func TestCDX_removedAndGone(t *testing.T) {
	root, index := rotated(t)
	if err := os.Remove(filepath.Join(root, "2024", "a.warc")); err != nil {
		t.Fatal(err)
	}
	code, text, lines := indexIn(t, root, index, "--remove=2024/a.warc", "2024")
	if code != 0 || lines != 3 {
		t.Errorf("exit code %d, %d lines: %s", code, lines, text)
	}
}

package convert

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestCDX_oldIndexAlike: names that end alike are of files of their own in an index without paths.
func TestCDX_oldIndexAlike(t *testing.T) {
	type run struct{ dir, input string }
	replace := func(pages ...int) func(t *testing.T, root string) { // the collection
		return func(t *testing.T, root string) {
			name := "x.warc"
			if len(pages) == 1 {
				name = "y.warc"
			}
			made, out := collect(t, name, pages...), filepath.Join(root, "out")
			if err := os.RemoveAll(out); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(made, out); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct {
		name  string
		first run
		then  func(t *testing.T, root string) // between the runs
		last  run
		code  int
		lines int
		says  string
	}{
		{"two folders", run{".", "backup/shelf shelf"}, nil, run{".", "backup/shelf shelf"}, 0, 2, "0 read, 2 had not"},
		{"in the other order", run{".", "backup/shelf shelf"}, nil, run{".", "shelf backup/shelf"}, 0, 2, "0 read, 2"},
		{"a copy with its times", run{".", "shelf copy/shelf"}, nil, run{".", "copy/shelf shelf"}, 0, 2, "0 read, 2"},
		{"the copy alone", run{".", "shelf copy/shelf"}, nil, run{".", "copy/shelf"}, 0, 2, "0 read, 2"},
		{"another file, new", run{"shelf", "a.warc"}, nil, run{"shelf", "<ROOT>/backup/shelf/a.warc"}, 0, 2, "1 read"},
		{"a collection that has grown", run{".", "out"}, replace(1, 2, 3), run{".", "out"}, 0, 3, "1 read"},
		{"another collection", run{".", "out"}, replace(9), run{".", "out"}, cli.ExitUsage, 2, "--remove=out"},
		{"through a link", run{".", "current/a.warc"}, nil, run{"shelf", "<ROOT>/current/a.warc"}, 0, 1, "0 read"},
		{"with ..", run{"backup", "../shelf"}, nil, run{".", "<ROOT>/shelf"}, 0, 1, "0 read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			index := filepath.Join(root, "index")
			putPages(t, root, 1, "shelf/a.warc", "backup/shelf/a.warc")
			touch(t, filepath.Join(root, "backup", "shelf"))
			err := os.Symlink("shelf", filepath.Join(root, "current"))
			if err == nil {
				err = os.Rename(collect(t, "x.warc", 1, 2), filepath.Join(root, "out"))
			}
			if err != nil {
				t.Fatal(err)
			}
			copyWithTimes(t, filepath.Join(root, "shelf", "a.warc"), filepath.Join(root, "copy", "shelf", "a.warc"))
			do := func(r run) (int, string, int) {
				args := strings.Fields(strings.ReplaceAll(r.input, "<ROOT>", root))
				return indexIn(t, filepath.Join(root, r.dir), index, args...)
			}
			if code, text, _ := do(tt.first); code != 0 {
				t.Fatalf("exit code %d: %s", code, text)
			}
			withoutPaths(t, index, "", "")
			if tt.then != nil {
				tt.then(t, root)
			}
			code, text, lines := do(tt.last)
			if code != tt.code || lines != tt.lines || !strings.Contains(text, tt.says) {
				t.Errorf("exit code %d, %d lines, want %d and %d, and %q:\n%s", code, lines, tt.code, tt.lines, tt.says, text)
			}
		})
	}
}

// copyWithTimes copies a file as rsync -a does.
func copyWithTimes(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	if err == nil {
		err = os.Chtimes(to, info.ModTime(), info.ModTime())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestCDX_disks: what the refusal of a known name advises works, and removes nothing of another disk.
func TestCDX_disks(t *testing.T) {
	root := t.TempDir()
	index := filepath.Join(root, "index")
	putPages(t, root, 1, "disk1/warcs/rec-0.warc", "disk2/warcs/rec-1.warc")
	for _, dir := range []string{"disk1", "disk2"} {
		if code, text, _ := indexIn(t, filepath.Join(root, dir), index, "warcs"); code != 0 {
			t.Fatalf("exit code %d: %s", code, text)
		}
	}
	putPages(t, root, 3, "disk2/warcs/rec-0.warc")
	for _, tt := range []struct {
		name  string
		args  string
		code  int
		lines int
	}{
		{"a known name", "warcs", cli.ExitUsage, 2},
		{"the full path", root + "/disk2/warcs", 0, 3},
		{"both disks by one name", "--remove=warcs", cli.ExitUsage, 3},
		{"one disk", "--remove=" + root + "/disk1/warcs", 0, 2},
	} {
		code, text, lines := indexIn(t, filepath.Join(root, "disk2"), index, tt.args)
		if code != tt.code || lines != tt.lines {
			t.Errorf("%s: exit code %d, %d lines, want %d and %d: %s", tt.name, code, lines, tt.code, tt.lines, text)
		}
	}
}

// TestCDX_relativeStays: a full path in the index gives no other folder its name.
func TestCDX_relativeStays(t *testing.T) {
	root := t.TempDir()
	index := filepath.Join(root, "index")
	putPages(t, root, 1, "a/x.warc", "b/y.warc")
	for _, name := range []string{filepath.Join(root, "a"), "b"} {
		if code, text, _ := indexIn(t, root, index, name); code != 0 {
			t.Fatalf("exit code %d: %s", code, text)
		}
	}
	if lines := strings.Join(indexed(t, index), "\n"); !strings.Contains(lines, `"b/y.warc"`) {
		t.Errorf("no b/y.warc in\n%s", lines)
	}
}

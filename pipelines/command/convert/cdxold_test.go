package convert

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// sourcesOf returns the list of sources of an index, and its file.
func sourcesOf(t *testing.T, index string) (name, text string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(index, "sources-*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return files[0], string(data)
}

// withoutPaths makes an index one of the version before, which noted no paths. It also replaces text in the list of
// sources.
func withoutPaths(t *testing.T, index, from, to string) {
	t.Helper()
	name, text := sourcesOf(t, index)
	text = regexp.MustCompile(`"path":"[^"]*",`).ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, from, to)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCDX_oldIndex: inputs of an index without paths are known again, or refused if they may be others.
func TestCDX_oldIndex(t *testing.T) {
	type run struct{ dir, input string }
	first, unchanged := []run{{"2024", "warcs"}}, "0 read, 1 had not changed"
	twice := []run{{"2024", "warcs"}, {".", "<ROOT>/2024/warcs"}}
	for _, tt := range []struct {
		name    string
		runs    []run // of the version before
		changed bool
		then    run
		code    int
		lines   int
		says    string
	}{
		{"same command", first, false, run{"2024", "warcs"}, 0, 1, unchanged},
		{"full path", first, false, run{"2024", "<ROOT>/2024/warcs"}, 0, 1, unchanged},
		{"full path elsewhere", first, false, run{".", "<ROOT>/2024/warcs"}, 0, 1, unchanged},
		{"through a link", first, false, run{".", "link/warcs"}, 0, 1, unchanged},
		{"a full path before", twice[1:], false, run{"2024", "warcs"}, 0, 1, unchanged},
		{"a full path before, changed", twice[1:], true, run{"2024", "warcs"}, 0, 1, "1 read"},
		{"twice", twice, false, run{".", "2024/warcs"}, 0, 1, "1 left"},
		{"twice, as at first", twice, false, run{"2024", "warcs"}, 0, 1, "stand twice"},
		{"another file of that name", first, false, run{"2025", "warcs"}, cli.ExitUsage, 1, "--remove="},
		{"changed", first, true, run{"2024", "warcs"}, cli.ExitUsage, 1, "--remove=warcs/"},
		{"changed, by full path", first, true, run{".", "<ROOT>/2024/warcs"}, cli.ExitUsage, 1, "--remove=warcs/"},
		{"twice, and named twice", twice, false, run{".", "<ROOT>/2024/warcs 2024/warcs"}, 0, 1, "1 inputs stand twice"},
		{"others", first, false, run{".", "2025/none"}, cli.ExitUsage, 1, "none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := shelves(t)
			index := filepath.Join(root, "index")
			do := func(r run) (int, string, int) {
				args := strings.Fields(strings.ReplaceAll(r.input, "<ROOT>", root))
				return indexIn(t, filepath.Join(root, r.dir), index, args...)
			}
			for i, r := range tt.runs {
				code, text, lines := do(r)
				if code != 0 || lines != i+1 {
					t.Fatalf("exit code %d, %d lines: %s", code, lines, text)
				}
				withoutPaths(t, index, `"source":"warcs/`, `"source":"hidden/`) // that version knew names only
			}
			withoutPaths(t, index, `"source":"hidden/`, `"source":"warcs/`)
			if tt.changed {
				touch(t, filepath.Join(root, "2024", "warcs"))
			}
			for range 2 {
				code, text, lines := do(tt.then)
				if code != tt.code || lines != tt.lines || !strings.Contains(text, tt.says) {
					t.Fatalf("exit code %d, %d lines, want %d and %d, and %q:\n%s", code, lines, tt.code, tt.lines, tt.says, text)
				}
				if code != 0 {
					return
				}
				// A path that was noted holds for later changes.
				touch(t, filepath.Join(root, "2024", "warcs"))
				tt.says = "1 read, 0 had not changed"
			}
			if _, list := sourcesOf(t, index); !strings.Contains(list, `"path":"`+filepath.Join(root, "2024")) {
				t.Errorf("no path is noted: %s", list)
			}
		})
	}
}

// touch changes the time of the files in a folder.
func touch(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err == nil {
			later := info.ModTime().Add(time.Hour)
			err = os.Chtimes(f, later, later)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestCDX_movedThenChanged: the new place of a tree that was moved is noted.
func TestCDX_movedThenChanged(t *testing.T) {
	root := shelves(t)
	index := filepath.Join(root, "index")
	indexIn(t, filepath.Join(root, "2024"), index, "warcs")
	if err := os.Rename(filepath.Join(root, "2024"), filepath.Join(root, "2026")); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"0 read", "1 read"} {
		code, text, lines := indexIn(t, filepath.Join(root, "2026"), index, "warcs")
		if code != 0 || lines != 1 || !strings.Contains(text, says) {
			t.Fatalf("exit code %d, %d lines, want %q: %s", code, lines, says, text)
		}
		touch(t, filepath.Join(root, "2026", "warcs"))
	}
}

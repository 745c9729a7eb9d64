package convert

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// shelves makes two folders, 2024 and 2025, with archives of the same names and different pages. It returns the folder
// above.
func shelves(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	list := pages(3)
	for year, from := range map[string]string{"2024": archiveOf(t, list[:1]), "2025": archiveOf(t, list[1:])} {
		if err := os.CopyFS(filepath.Join(root, year, "warcs"), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "2024"), filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	return root
}

// indexIn runs `convert cdx` in a folder, and returns its exit code, its output and the number of lines in the index.
func indexIn(t *testing.T, dir, index string, args ...string) (code int, text string, lines int) {
	t.Helper()
	cmd := start(t.Context(), append([]string{"cdx", "--output=" + index}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out), len(indexed(t, index))
}

// TestCDX_otherNames: a file is the same source however it is named, and another file with its name is refused.
func TestCDX_otherNames(t *testing.T) {
	collected := func(root string) { // a collection beside the archives
		if err := os.Rename(collect(t, "x.warc", 1, 2), filepath.Join(root, "out")); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name        string
		first       []string // arguments of the first run, in 2024
		dir         string   // of the second run
		second      []string
		code, lines int
		says        string
	}{
		{"absolute", []string{"warcs"}, "2024", []string{"<ROOT>/2024/warcs"}, 0, 1, "1 had not changed"},
		{"through a link", []string{"warcs"}, "link", []string{"<ROOT>/link/warcs/"}, 0, 1, "1 had not changed"},
		{"from elsewhere", []string{"warcs"}, ".", []string{"2024/warcs"}, 0, 1, "1 had not changed"},
		{"twice in one run", []string{"warcs", "<ROOT>/2024/warcs", "./warcs"}, "2024", []string{"warcs"}, 0, 1, "0 read"},
		{"another file of that name", []string{"warcs"}, "2025", []string{"warcs"}, cli.ExitUsage, 1, "--remove="},
		{"another file with a full name", []string{"warcs"}, "2025", []string{"<ROOT>/2025/warcs"}, 0, 3, "1 read"},
		{"a collection", []string{"../out"}, ".", []string{"out/"}, 0, 2, "1 had not changed"},
		{"removed by another name", []string{"../out"}, ".", []string{"--remove=out/"}, 0, 0, "2 left"},
		{"removed as it was named", []string{"../out/"}, "2024", []string{"--remove=../out/"}, 0, 0, "2 left"},
		{"removed through a link", []string{"../out/"}, "link", []string{"--remove=<ROOT>/out"}, 0, 0, "2 left"},
		{"not there to remove", []string{"../out"}, ".", []string{"--remove=../out2"}, cli.ExitUsage, 2, "has nothing of it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := shelves(t)
			collected(root)
			index := filepath.Join(root, "index")
			in := func(args []string) (list []string) {
				for _, a := range args {
					list = append(list, strings.ReplaceAll(a, "<ROOT>", root))
				}
				return list
			}
			if code, text, _ := indexIn(t, filepath.Join(root, "2024"), index, in(tt.first)...); code != 0 {
				t.Fatalf("exit code %d: %s", code, text)
			}
			code, text, lines := indexIn(t, filepath.Join(root, tt.dir), index, in(tt.second)...)
			if code != tt.code || lines != tt.lines || !strings.Contains(text, tt.says) {
				t.Errorf("exit code %d, %d lines, want %d and %d, and %q:\n%s", code, lines, tt.code, tt.lines, tt.says, text)
			}
		})
	}
}

// TestCDX_moved: a tree that was moved keeps its lines, if its names stay.
func TestCDX_moved(t *testing.T) {
	root := shelves(t)
	index := filepath.Join(root, "index")
	for _, dir := range []string{"2024", "2026"} {
		if dir == "2026" {
			if err := os.Rename(filepath.Join(root, "2024"), filepath.Join(root, dir)); err != nil {
				t.Fatal(err)
			}
		}
		if code, text, lines := indexIn(t, filepath.Join(root, dir), index, "warcs"); code != 0 || lines != 1 {
			t.Errorf("%s: exit code %d, %d lines: %s", dir, code, lines, text)
		}
	}
}

// TestCDX_unseen: another file is refused also if the one that the index has under its name cannot be seen.
func TestCDX_unseen(t *testing.T) {
	for _, tt := range []struct {
		name  string
		input string // of both runs
		keep  string // the folder that is put where the second run is
		code  int
		lines int
		says  string
	}{
		{"another disk", "warcs", "2025", cli.ExitUsage, 1, "--remove="},
		{"another disk, as a pattern", "warcs/*", "2025", cli.ExitUsage, 1, "--remove="},
		{"another disk, with a dot", "./warcs/", "2025", cli.ExitUsage, 1, "--remove="},
		{"another collection", "out", "2025", cli.ExitUsage, 2, "--remove=out"},
		{"moved archives", "warcs", "2024", 0, 1, "1 had not changed"},
		{"moved collection", "out", "2024", 0, 2, "1 had not changed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := shelves(t)
			for year, from := range map[string]string{"2024": collect(t, "x.warc", 1, 2), "2025": collect(t, "x.warc", 3)} {
				if err := os.Rename(from, filepath.Join(root, year, "out")); err != nil {
					t.Fatal(err)
				}
			}
			index, now := filepath.Join(root, "index"), filepath.Join(root, "now")
			if code, text, _ := indexIn(t, filepath.Join(root, "2024"), index, tt.input); code != 0 {
				t.Fatalf("exit code %d: %s", code, text)
			}
			if err := os.Rename(filepath.Join(root, tt.keep), now); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(filepath.Join(root, "2024")); err != nil {
				t.Fatal(err)
			}
			code, text, lines := indexIn(t, now, index, tt.input)
			if code != tt.code || lines != tt.lines || !strings.Contains(text, tt.says) {
				t.Errorf("exit code %d, %d lines, want %d and %d, and %q:\n%s", code, lines, tt.code, tt.lines, tt.says, text)
			}
		})
	}
}

// TestCDX_gone: lines of archives that are gone from a named folder stay with a warning, or leave.
func TestCDX_gone(t *testing.T) {
	for _, tt := range []struct {
		name        string
		args        []string
		code, lines int
		says        string
		sources     string
	}{
		{"told", []string{"2024"}, cli.ExitLosses, 4, "--prune drops them", "0 read, 2 had not changed, 1 gone"},
		{"the folder above", []string{"."}, cli.ExitLosses, 5, "--prune drops them", "1 read, 2 had not changed, 1 gone"},
		{"pruned", []string{"--prune", "2024"}, 0, 3, "1 left", "0 read, 2 had not changed, 0 gone"},
		{"another folder", []string{"--prune", "2025"}, 0, 4, "0 left", "0 read, 3 had not changed, 0 gone"},
		{"a file", []string{"--prune", "2025/warcs/<FILE>"}, 0, 4, "0 left", "0 read, 3 had not changed, 0 gone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := shelves(t)
			index := filepath.Join(t.TempDir(), "index")
			files, err := filepath.Glob(filepath.Join(root, "2024", "warcs", "*"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			file := filepath.Base(files[0])
			// A folder without files is refused.
			if err := os.CopyFS(filepath.Join(root, "2024", "more"), os.DirFS(filepath.Dir(files[0]))); err != nil {
				t.Fatal(err)
			}
			if code, text, _ := indexIn(t, root, index, "2024", "2025"); code != 0 {
				t.Fatalf("exit code %d: %s", code, text)
			}
			if err := os.Rename(files[0], filepath.Join(root, "done-"+file)); err != nil {
				t.Fatal(err)
			}
			args := slices.Clone(tt.args)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "<FILE>", file)
			}
			code, text, lines := indexIn(t, root, index, args...)
			if code != tt.code || lines != tt.lines || !strings.Contains(text, tt.says) || !strings.Contains(text, tt.sources) {
				t.Errorf("exit code %d, %d lines, want %d and %d, and %q and %q:\n%s", code, lines, tt.code, tt.lines, tt.says,
					tt.sources, text)
			}
		})
	}
}

// TestCDX_foreignBase: the command warns of a base that no name begins with.
func TestCDX_foreignBase(t *testing.T) {
	root := shelves(t)
	for base, want := range map[string]bool{"2024": false, "2024/warcs/": false, root: true, "2025": true, "": false} {
		_, text, _ := indexIn(t, root, filepath.Join(t.TempDir(), "index"), "--archives="+base, "2024")
		if strings.Contains(text, "no archive of 1 inputs") != want {
			t.Errorf("--archives=%s: %s", base, text)
		}
	}
}

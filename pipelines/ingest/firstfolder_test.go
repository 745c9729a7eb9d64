package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestAttack01_folderOfTheFirstVersion: a command either continues a folder of version b0a5a56 or is refused. In both
// cases, it keeps the files. `ingest --output=folder --extract=mime --format=jsonl,cdxj day1` has made the folder.
func TestAttack01_folderOfTheFirstVersion(t *testing.T) {
	const ab, all = "day1-a day1-b", "day1-a day1-b day2-c"
	for _, tt := range []struct {
		name, remove, args string
		code               int
		held               string
	}{
		{"again", "", "day1", 0, ab},
		{"again with its formats", "", "--format=jsonl,cdxj day1", 0, ab},
		{"another shelf", "", "day2", 2, ab},
		{"another shelf added", "", "--add day2", 0, all},
		{"another format", "", "--format=parquet day1", 0, ab},
		{"more fields", "", "--extract=mime,charset day1", 0, ab},
		{"an archive gone", "day1/a.warc", "day1", 0, ab},
		{"an archive gone, another format", "day1/a.warc", "--format=parquet day1", 0, ab},
		{"an archive gone, another shelf added", "day1/a.warc", "--add day2", 0, all},
		{"an archive gone, removed", "day1/a.warc", "--prune day1", 0, "day1-b"},
		{"all archives gone, removed", "day1", "--prune day1", 2, ab},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := filepath.Join(t.TempDir(), "first")
			if err := os.CopyFS(root, os.DirFS("testdata/first")); err != nil {
				t.Fatal(err)
			}
			d := days{t, root, filepath.Join(root, "folder")}
			written := time.Unix(1767225600, 0) // as in the rows
			for _, name := range []string{"day1/a.warc", "day1/b.warc", "day2/c.warc"} {
				if err := os.Chtimes(filepath.Join(root, name), written, written); err != nil {
					t.Fatal(err)
				}
			}
			if tt.remove != "" {
				d.remove(tt.remove)
			}
			run := func() result {
				args := append([]string{"--output=folder"}, strings.Fields(tt.args)...)
				if !strings.Contains(tt.args, "--extract") {
					args = append(args, "--extract=mime")
				}
				cmd := command(t.Context(), args...)
				cmd.Dir = root
				said, _ := cmd.CombinedOutput() // the exit code is checked
				return result{code: cmd.ProcessState.ExitCode(), stderr: string(said)}
			}
			if r := run(); r.code != tt.code || d.held() != tt.held {
				t.Fatalf("exit code %d, want %d; it holds %q, want %q\n%s", r.code, tt.code, d.held(), tt.held, r.stderr)
			}
			if tt.code != 0 {
				sameFiles(t, contents(t, d.out), contents(t, "testdata/first/folder"))
				return
			}
			d.isWhole()
			before := contents(t, d.out)
			if r := run(); r.code != 0 {
				t.Errorf("once more: exit code %d\n%s", r.code, r.stderr)
			}
			sameFiles(t, contents(t, d.out), before)
		})
	}
}

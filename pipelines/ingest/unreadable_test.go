package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAttack01_whatMayNotBeReadAnyMoreStays: a file or folder that has become unreadable is not a missing one. Its
// documents are kept, even with --prune. Once it is readable again, they equal those of a clean run.
func TestAttack01_whatMayNotBeReadAnyMoreStays(t *testing.T) {
	t.Parallel()
	dir, binary := open(t)
	for _, forbidden := range []string{"a.warc", "c"} {
		for _, args := range []string{"", "--prune", "--add", "--format=parquet", "--extract=mime,charset"} {
			t.Run(forbidden+" "+args, func(t *testing.T) {
				root, err := os.MkdirTemp(dir, "run")
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(root, 0o777); err != nil {
					t.Fatal(err)
				}
				d := days{t, root, filepath.Join(root, "out")}
				d.put("shelf/a", "shelf/b", "shelf/c/d")
				run := func(args string) result {
					all := append(strings.Fields(args), "--output="+d.out, filepath.Join(root, "shelf"))
					if !strings.Contains(args, "--extract") {
						all = append(all, "--extract=mime")
					}
					return asNobody(t, binary, all...)
				}
				const held = "shelf-a shelf-b shelf-c-d"
				if r := run(""); r.code != 0 || d.held() != held {
					t.Fatalf("exit code %d\n%s", r.code, r.stderr)
				}
				path := filepath.Join(root, "shelf", forbidden)
				was, err := os.Stat(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(path, 0); err != nil {
					t.Fatal(err)
				}
				if r := run(args); d.held() != held || r.code == 1 {
					t.Errorf("forbidden: exit code %d, it holds %q, want %q\n%s", r.code, d.held(), held, r.stderr)
				}
				if err := os.Chmod(path, was.Mode()); err != nil {
					t.Fatal(err)
				}
				if r := run(args); r.code != 0 || d.held() != held {
					t.Errorf("allowed again: exit code %d, it holds %q, want %q\n%s", r.code, d.held(), held, r.stderr)
				}
				d.isWhole()
			})
		}
	}
}

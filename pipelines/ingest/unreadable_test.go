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
				root := forAll(t, dir)
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

// TestAttack01_unreadableByAnotherName: the folder knows an archive by any of its names.
func TestAttack01_unreadableByAnotherName(t *testing.T) {
	t.Parallel()
	dir, binary := open(t)
	for _, tt := range []struct{ first, then, args string }{
		{first: "whole", then: "whole"},
		{first: "whole", then: "relative"},
		{first: "whole", then: "link", args: "--add"},
		{first: "relative", then: "whole", args: "--extract=mime,charset"},
		{first: "link", then: "relative", args: "--unit_size=1GiB"},
		{first: "link", then: "archive", args: "--prune"},
		{first: "archive", then: "whole", args: "--stale"},
		{first: "whole", then: "archive", args: "--since=1d"},
	} {
		t.Run(tt.first+", then "+tt.then+" "+tt.args, func(t *testing.T) {
			root := forAll(t, dir)
			d := days{t, root, filepath.Join(root, "out")}
			d.put("shelf/a", "shelf/b")
			inputs := spellings(t, root)
			run := func(args string, inputs ...string) result {
				all := append(strings.Fields("--extract=mime "+args), "--output="+d.out)
				return asNobody(t, binary, append(all, inputs...)...)
			}
			const held = "shelf-a shelf-b"
			if r := run("", inputs[tt.first]...); r.code != 0 || d.held() != held {
				t.Fatalf("exit code %d\n%s", r.code, r.stderr)
			}
			path := filepath.Join(root, "shelf/a.warc")
			if err := os.Chmod(path, 0); err != nil {
				t.Fatal(err)
			}
			if r := run(tt.args, inputs[tt.then]...); d.held() != held || r.code == 1 {
				t.Errorf("forbidden: exit code %d, it holds %q, want %q\n%s", r.code, d.held(), held, r.stderr)
			}
			if err := os.Chmod(path, 0o644); err != nil {
				t.Fatal(err)
			}
			if r := run(tt.args, inputs[tt.then]...); r.code != 0 || d.held() != held {
				t.Errorf("allowed again: exit code %d, it holds %q, want %q\n%s", r.code, d.held(), held, r.stderr)
			}
			d.isWhole()
		})
	}
}

// forAll makes a folder that everybody may use.
func forAll(t *testing.T, dir string) string {
	t.Helper()
	root, err := os.MkdirTemp(dir, "run")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(root, 0o777); err != nil {
		t.Fatal(err)
	}
	return root
}

// spellings returns several ways to name the archives of root/shelf.
func spellings(t *testing.T, root string) map[string][]string {
	t.Helper()
	whole, link := filepath.Join(root, "shelf"), filepath.Join(root, "link")
	if err := os.Symlink("shelf", link); err != nil {
		t.Fatal(err)
	}
	wd, err := filepath.Abs("../..") // where commands run
	if err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(wd, whole)
	if err != nil {
		t.Fatal(err)
	}
	alias := filepath.Join(root, "alias.warc")
	if err := os.Symlink("shelf/a.warc", alias); err != nil {
		t.Fatal(err)
	}
	return map[string][]string{
		"whole": {whole}, "relative": {relative}, "link": {link},
		"archive": {alias, filepath.Join(whole, "b.warc")},
	}
}

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// TestBusy_isFailedAndNotUsage: a folder in use by another run is free later, so a scheduler should try again. The
// exit code is 1, because 2 would mean a wrong command line.
func TestBusy_isFailedAndNotUsage(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	done := func(args ...string) {
		t.Helper()
		if code, _, stderr := gleaner(t, args...); code != 0 && code != 3 {
			t.Fatalf("gleaner %q: exit code %d\n%s", args, code, stderr)
		}
	}
	done("ingest", "--output="+at("out"), "--format=jsonl,parquet,links",
		"--extract=text,language,mime,metadata,quality,links,feeds,neardup",
		"testdata/archives")
	for _, tt := range []struct {
		name, locked string // the folder whose lock is held, and the lock in it
		args         []string
	}{
		{"ingest", "out/.gleaner/lock", []string{"--output=" + at("out"), "--add", "testdata/damaged"}},
		{"convert", "cdr/.gleaner/lock", []string{"--to=cdr", "--output=" + at("cdr"), "testdata/archives/site.warc.gz"}},
		{"corpus", "corpus/.gleaner/lock", []string{"--output=" + at("corpus"), "--collection=" + at("out")}},
		{"graph", "graph/.gleaner/lock", []string{"--output=" + at("graph"), at("out")}},
		{"sources", "sources/.gleaner/lock", []string{"--output=" + at("sources"), "--collection=" + at("out")}},
		{"fileset", "set/.gleaner/lock", []string{"--output=" + at("set"), "testdata/datasets"}},
		{"collection", "out/.gleaner/lock", []string{"compact", "--collection=" + at("out")}},
		{"collection", "out/.gleaner/lock", []string{"takedown", "--collection=" + at("out"), "http://a.example/"}},
		{"collection", "out/.gleaner/index/lock", []string{"index", "--rebuild", "--collection=" + at("out")}},
		{"serve", "state/lock", []string{"--state=" + at("state"), "--addr=127.0.0.1:0", at("out")}},
	} {
		t.Run(tt.name+" "+tt.args[0], func(t *testing.T) {
			f := folder.Open(t.Context(), dir, nil)
			if err := f.Make(filepath.Dir(tt.locked)); err != nil {
				t.Fatal(err)
			}
			lock, err := f.Lock(tt.locked)
			if err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := gleaner(t, append([]string{tt.name}, tt.args...)...)
			if code != 1 || !strings.Contains(stderr, "another") || strings.Contains(stderr, "--help") {
				t.Errorf("exit code %d, want 1 and why\n%s%s", code, stdout, stderr)
			}
			if err := lock.Close(); err != nil {
				t.Fatal(err)
			}
			if tt.name != "serve" {
				done(append([]string{tt.name}, tt.args...)...)
			}
		})
	}
}

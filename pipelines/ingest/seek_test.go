package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/shelftest"
)

// TestIngest_seekPoints: a run over a long gzip member leaves points in the collection, the same ones with any format
// and number of workers. Where they cannot be written, the run says so and is otherwise the same.
func TestIngest_seekPoints(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "one.warc.gz")
	shelftest.OneMember(t, archive, 150)
	run := func(t *testing.T, out string, args ...string) result {
		t.Helper()
		return runCommand(t, append(args, "--output="+out, "--extract=mime", archive)...)
	}
	seek := func(out string) string { return filepath.Join(out, ".gleaner", "seek") }
	points := func(t *testing.T, out string) map[string]string { return shelftest.Contents(t, seek(out)) }
	first := t.TempDir()
	if r := run(t, first, "--workers=1"); r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	want := points(t, first)
	if len(want) != 1 {
		t.Fatalf("%d files of points, want 1", len(want))
	}
	second := t.TempDir()
	if r := run(t, second, "--workers=2"); r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	shelftest.SameFiles(t, points(t, second), want)
	shelftest.SameFiles(t, shelftest.Contents(t, second), shelftest.Contents(t, first))
	index := t.TempDir()
	if r := runCommand(t, "--format=cdxj", "--output="+index, archive); r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	shelftest.SameFiles(t, points(t, index), want)

	t.Run("not writable", func(t *testing.T) {
		out := t.TempDir()
		if r := runCommand(t, "--output="+out, "--extract=mime", archives); r.code != 0 && r.code != 3 {
			t.Fatalf("exit code %d\n%s", r.code, r.stderr)
		}
		if err := os.WriteFile(seek(out), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		r := run(t, out, "--add")
		if r.code != 0 && r.code != 3 || !strings.Contains(r.stderr, "no seek points") {
			t.Errorf("exit code %d\n%s", r.code, r.stderr)
		}
	})
	t.Run("fresh", func(t *testing.T) {
		if r := runCommand(t, "--output="+first, "--extract=mime", "--fresh", archives); r.code != 0 && r.code != 3 {
			t.Fatalf("exit code %d\n%s", r.code, r.stderr)
		}
		if left, err := filepath.Glob(filepath.Join(seek(first), "*")); err != nil || len(left) > 0 {
			t.Errorf("points of an archive that is not in the collection: %v, %v", left, err)
		}
	})
}

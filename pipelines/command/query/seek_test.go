package query

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestQuery_recordsOfOneMember: records out of one long gzip member are the same by seek points, without them, and if
// these are damaged or the archive was changed.
func TestQuery_recordsOfOneMember(t *testing.T) {
	shelf := t.TempDir()
	archive := filepath.Join(shelf, "one.warc.gz")
	shelftest.OneMember(t, archive, 150)
	dir := collect(t, shelf)
	seek := filepath.Join(dir, ".gleaner", "seek")
	ask := func(t *testing.T, want int) (answer, errs string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "cut.warc.gz")
		code, _, errs := command(t, "--collection="+dir, "--order=surt", "--format=warc", "--output="+file)
		b, err := os.ReadFile(file)
		if code != want || err != nil {
			t.Fatalf("exit code %d, %v\n%s", code, err, errs)
		}
		return string(b), errs
	}
	clear := func(t *testing.T) {
		t.Helper()
		if err := os.RemoveAll(seek); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := ask(t, cli.ExitDone) // makes the points
	points, err := filepath.Glob(filepath.Join(seek, "*"))
	if err != nil || len(points) != 1 {
		t.Fatalf("files of points: %v, %v", points, err)
	}
	file, err := os.ReadFile(points[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Run("by points", func(t *testing.T) {
		if got, errs := ask(t, cli.ExitDone); got != want || strings.Contains(errs, "start") {
			t.Errorf("%d bytes, want %d\n%s", len(got), len(want), errs)
		}
	})
	t.Run("damaged points", func(t *testing.T) {
		bad := bytes.Clone(file)
		bad[len(bad)-1] ^= 1
		if err := os.WriteFile(points[0], bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, errs := ask(t, cli.ExitDone); got != want || !strings.Contains(errs, "read from the start") {
			t.Errorf("%d bytes, want %d\n%s", len(got), len(want), errs)
		}
	})
	t.Run("two at once", func(t *testing.T) {
		clear(t)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if got, _ := ask(t, cli.ExitDone); got != want {
					t.Errorf("%d bytes, want %d", len(got), len(want))
				}
			})
		}
		wg.Wait()
		if again, err := os.ReadFile(points[0]); err != nil || !bytes.Equal(again, file) {
			t.Errorf("other points: %d bytes, want %d: %v", len(again), len(file), err)
		}
	})
	t.Run("nowhere to write", func(t *testing.T) {
		clear(t)
		if err := os.WriteFile(seek, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, errs := ask(t, cli.ExitDone); got != want {
			t.Errorf("%d bytes, want %d\n%s", len(got), len(want), errs)
		}
	})
	t.Run("changed archive", func(t *testing.T) {
		data, err := os.ReadFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		copy(data[len(data)*3/4:], bytes.Repeat([]byte("damage"), 1000))
		if err := os.WriteFile(archive, data, 0o644); err != nil {
			t.Fatal(err)
		}
		without, _ := ask(t, cli.ExitLosses) // the file in the way is still there
		clear(t)
		if err := os.Mkdir(seek, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(points[0], file, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, errs := ask(t, cli.ExitLosses); got != without || !strings.Contains(errs, "read from the start") {
			t.Errorf("%d bytes, want %d\n%s", len(got), len(without), errs)
		}
	})
}

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/shelftest"
)

// TestShards: seven commands do the parts of a shelf, two of them are killed and run again, and their folders are
// joined. The result has the files of one command for all, also where a record is in archives of two parts.
func TestShards(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := func(name string) string { return filepath.Join(dir, name) }
	args := func(folder string, more ...string) []string {
		return append(append([]string{"ingest", "--output=" + out(folder)}, more...), "--extract=mime,language",
			"--unit_size=64KiB", "testdata/archives", "testdata/segmented")
	}
	ingest := func(folder string, more ...string) {
		t.Helper()
		if code, _, errs := gleaner(t, args(folder, more...)...); code != 0 && code != 3 { // an archive is damaged
			t.Fatalf("exit code %d: %s", code, errs)
		}
	}
	ingest("one")
	merge := []string{"collection", "merge", "--collection=" + out("all")}
	for i := 1; i <= 7; i++ {
		part, shard := fmt.Sprint("part-", i), fmt.Sprintf("--shard=%d/7", i)
		if i%3 == 0 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(100*i)*time.Millisecond)
			cmd := exec.CommandContext(ctx, os.Args[0], args(part, shard)...)
			cmd.Env, cmd.Dir = append(os.Environ(), asCommand+"=1"), "../.."
			_ = cmd.Run() // killed, or done before
			cancel()
		}
		ingest(part, shard)
		merge = append(merge, out(part))
	}
	if code, _, errs := gleaner(t, merge...); code != 0 {
		t.Fatalf("merge: exit code %d: %s", code, errs)
	}
	ingest("all")
	shelftest.SameFiles(t, shelftest.Contents(t, out("one")), shelftest.Contents(t, out("all")))
}

func TestShards_refused(t *testing.T) {
	for _, s := range []string{"0/7", "8/7", "1", "1/", "1/7x", "-1/7", "01/7"} {
		code, _, errs := gleaner(t, "ingest", "--shard="+s, "--output="+filepath.Join(t.TempDir(), "out"), "testdata/archives")
		if code != 2 || errs == "" {
			t.Errorf("%s: exit code %d, %s", s, code, errs)
		}
	}
}

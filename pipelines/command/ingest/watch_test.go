package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestReadTriggers: rules come from the named file, or from the output folder if it has them; a named one must be
// there.
func TestReadTriggers(t *testing.T) {
	dir, broken := t.TempDir(), filepath.Join(t.TempDir(), "broken")
	for name, text := range map[string]string{broken: "{", filepath.Join(dir, "file"): "x"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name, output string
		index        bool
		fails        bool
	}{
		{"", dir, false, false},
		{"", filepath.Join(dir, "none"), false, false},
		{"", filepath.Join(dir, "file"), false, false},
		{"", "s3://bucket/out", false, false},
		{"", dir, true, false},
		{filepath.Join(dir, "none"), dir, false, true},
		{broken, dir, false, true},
		{dir, dir, false, true},
	} {
		_, err := readTriggers(tt.name, tt.output, tt.index)
		var usage *cli.UsageError
		if (err != nil) != tt.fails || tt.fails && !errors.As(err, &usage) {
			t.Errorf("readTriggers(%q, %q, %v): %v", tt.name, tt.output, tt.index, err)
		}
	}
}

// TestExitCodes: damage and refused documents are a result of their own, and mistakes differ from failures.
func TestExitCodes(t *testing.T) {
	if got := exitCode(schemas.Manifest{}); got != cli.ExitDone {
		t.Errorf("a run without losses ends with %d", got)
	}
	if got := exitCode(schemas.Manifest{Totals: schemas.Counts{BytesLost: 1}}); got != cli.ExitLosses {
		t.Errorf("a run with losses ends with %d", got)
	}
	for err, want := range map[error]int{
		cli.Usagef("x"): cli.ExitUsage, fmt.Errorf("in: %w", cli.Usagef("x")): cli.ExitUsage, fs.ErrNotExist: cli.ExitFailed,
	} {
		if got := exitCodeOf(err); got != want {
			t.Errorf("%v ends with %d, want %d", err, got, want)
		}
	}
}

// TestWatch: an inbox is read again when archives arrive, and an interrupt between two runs is not an error.
func TestWatch(t *testing.T) {
	inbox := t.TempDir()
	c, err := parsed(t, "--watch=10ms", "--extract=text", inbox)
	if err != nil {
		t.Fatal(err)
	}
	c.said = os.Stderr
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	type end struct {
		code int
		err  error
	}
	ended := make(chan end, 1)
	go func() {
		code, err := watch(ctx, c)
		ended <- end{code, err}
	}()
	for n := range 2 {
		shelftest.Put(t, filepath.Join(inbox, fmt.Sprintf("%d.warc", n)), fmt.Sprintf("h%d", n), "text")
		for documents(c.request.Output) != int64(n+1) {
			select {
			case e := <-ended:
				t.Fatalf("it has ended with %d, %v", e.code, e.err)
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	cancel()
	if e := <-ended; e.code != cli.ExitDone || e.err != nil && !errors.Is(e.err, context.Canceled) {
		t.Errorf("interrupted, it ends with %d, %v", e.code, e.err)
	}
}

// TestWatch_liveCrawl: while a crawler appends to an archive, other archives are in the manifest, and afterwards all
// its records are.
func TestWatch_liveCrawl(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		size int // of a write: records may be written in parts
	}{
		{"whole records", []string{"--extract=text"}, 1 << 20},
		{"parts of records", []string{"--extract=text"}, 100},
		{"several units", []string{"--extract=text", "--unit_size=64KiB"}, 1 << 20},
		{"an index", []string{"--format=cdxj"}, 1 << 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inbox := t.TempDir()
			c, err := parsed(t, append(tt.args, "--watch=10ms", inbox)...)
			if err != nil {
				t.Fatal(err)
			}
			c.said = os.Stderr
			live := filepath.Join(inbox, "live.warc")
			shelftest.Put(t, live, "h0", "text")
			shelftest.Put(t, filepath.Join(inbox, "other.warc"), "other", "text")
			record := filepath.Join(t.TempDir(), "record")
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := watch(ctx, c)
				ended <- err
			}()
			n := 1
			for ; captures(c.request.Output) < 20; n++ {
				if n > 10_000 {
					t.Fatal("no manifest was written while the archive grew")
				}
				shelftest.Put(t, record, fmt.Sprint("h", n), strings.Repeat("text ", 1000))
				appendTo(t, live, record, tt.size)
			}
			end := time.Now().Add(time.Minute)
			for captures(c.request.Output) != int64(n+1) && time.Now().Before(end) {
				time.Sleep(5 * time.Millisecond)
			}
			cancel()
			if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			if got := captures(c.request.Output); got != int64(n+1) {
				t.Errorf("%d captures, want %d", got, n+1)
			}
		})
	}
}

// appendTo appends a file to another in writes of a size.
func appendTo(t *testing.T, path, from string, size int) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for part := range slices.Chunk(data, size) {
		_, failed := f.Write(part)
		err = errors.Join(err, failed)
		time.Sleep(time.Millisecond)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func captures(dir string) int64 { return totals(dir).Captures }

// documents returns how many documents the manifest of a folder has, or 0.
func documents(dir string) int64 { return totals(dir).Documents }

func totals(dir string) schemas.Counts {
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	var m schemas.Manifest
	if err != nil || json.Unmarshal(data, &m) != nil {
		return schemas.Counts{}
	}
	return m.Totals
}

// TestMark: a mistake in a filter is shown below it, other errors as they are.
func TestMark(t *testing.T) {
	if got := mark(fs.ErrNotExist, "x"); got != "" {
		t.Errorf("another error has the mark %q", got)
	}
	_, err := parsed(t, "--where=status = )")
	if err == nil || !strings.Contains(err.Error(), "^") && !strings.Contains(err.Error(), "\n") {
		t.Errorf("the mistake is not marked: %v", err)
	}
}

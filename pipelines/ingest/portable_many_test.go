//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/jobserver"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// manyUnits is the number of files in a month of Common Crawl; someUnits is enough to show that the job runs.
const (
	manyUnits = 90_000
	someUnits = 2_000
)

// TestIngest_portableManyUnits: a job server with at most 400 MB of heap accepts a job of 90,000 units, and Flink
// runs it. All of them would take a quarter of an hour.
func TestIngest_portableManyUnits(t *testing.T) {
	server, _ := jobserver.Flink(t)
	t.Setenv("TMPDIR", t.TempDir())
	in, out := t.TempDir(), t.TempDir()
	for i := range manyUnits {
		// There are hundreds of folders, because large folders are slow.
		dir := filepath.Join(in, fmt.Sprint(i/1000))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		writeHollow(t, filepath.Join(dir, fmt.Sprintf("%d.warc", i)))
	}
	cmd := command(t.Context(), slices.Concat([]string{
		"--output=" + out, "--runner=flink", "--endpoint=" + server.Endpoint, "--unit_size=64KiB", "--format=cdxj",
		"--extract=",
		in + "/**/*.warc",
	}, inLoopback)...)
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	server.Await(5*time.Minute, func() error {
		if rows, err := filepath.Glob(filepath.Join(out, committedRows)); err != nil || len(rows) < someUnits {
			return fmt.Errorf("%d units are done: %w", len(rows), err)
		}
		return nil
	})
	peak, err := server.Peak()
	if err != nil {
		t.Error(err)
	}
	t.Logf("the job server's process has had %d MB at most, its heap being bounded", peak>>20)
	interruptSubmitter(t, server, cmd)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != cli.ExitFailed {
		t.Errorf("the submitter ended by %v, want code %d\n%s", err, cli.ExitFailed, errs.String())
	}
}

// writeHollow writes a WARC file of one record. It is large enough for a unit of its own but sparse.
func writeHollow(t *testing.T, name string) {
	t.Helper()
	const length = 64 << 10
	head := fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/%s\r\n"+
		"WARC-Date: 2026-11-26T00:00:00Z\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n",
		filepath.Base(name), length)
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	_, errHead := f.WriteString(head)
	_, errEnd := f.WriteAt([]byte("\r\n\r\n"), int64(len(head)+length))
	if err := errors.Join(errHead, errEnd, f.Close()); err != nil {
		t.Fatal(err)
	}
}

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestPiped_likeAFolder: standard output gets the lines that a folder gets, whatever the units and the workers. Joined
// records come last.
func TestPiped_likeAFolder(t *testing.T) {
	for _, input := range []string{"testdata/archives", segmented} {
		dir := t.TempDir()
		runCommand(t, "--output="+dir, input)
		want := strings.Join(slices.Sorted(slices.Values(lines(t, dir, "documents-*"))), "\n")
		for _, args := range [][]string{
			{"--workers=1"}, {"--workers=4"}, {"--workers=1", "--unit_size=64KiB"}, {"--workers=4", "--unit_size=64KiB"},
		} {
			r := runCommand(t, append(args, "--output=-", input)...)
			got := strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n")
			slices.Sort(got)
			if strings.Join(got, "\n") != want {
				t.Errorf("%s %v: %d lines that differ from the folder's", input, args, len(got))
			}
			if !strings.Contains(r.stderr, "Captures") {
				t.Errorf("%s %v: no summary on standard error: %s", input, args, r.stderr)
			}
		}
	}
}

// TestPiped_sameBytes: units end in another order each time, and their documents stay in the order of the plan.
func TestPiped_sameBytes(t *testing.T) {
	want := mustRun(t, "--output=-", "--unit_size=64KiB", "--workers=1", "--extract=mime", "testdata/archives").stdout
	for range 3 {
		got := mustRun(t, "--output=-", "--unit_size=64KiB", "--workers=8", "--extract=mime", "testdata/archives").stdout
		if got != want {
			t.Fatal("other bytes")
		}
	}
}

func TestPiped_arrow(t *testing.T) {
	r := mustRun(t, "--output=-", "--format=arrow", "testdata/archives")
	stream, err := ipc.NewReader(strings.NewReader(r.stdout))
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Release()
	rows := int64(0)
	for stream.Next() {
		rows += stream.RecordBatch().NumRows()
	}
	if rows != 121 || stream.Err() != nil {
		t.Error(rows, stream.Err())
	}
}

// TestPiped_rejects: the log names losses, since no file does.
func TestPiped_rejects(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.warc.gz")
	archive, err := os.ReadFile("../../testdata/archives/site.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	archive = append(archive, strings.Repeat("garbage ", 500)...)
	if err := os.WriteFile(bad, archive, 0o644); err != nil {
		t.Fatal(err)
	}
	r := runCommand(t, "--output=-", "--log_format=json", bad)
	var found bool
	for line := range strings.Lines(r.stderr) {
		var record struct {
			Msg, Filename string
			Lost          int64 `json:"bytes_lost"`
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		found = found || record.Msg == "reject" && record.Filename == filepath.ToSlash(bad) && record.Lost > 0
	}
	if r.code != 3 || !found {
		t.Errorf("exit code %d\n%s", r.code, r.stderr)
	}
}

// TestPiped_readerGone: a reader that has enough, as head, ends the run without an error. Nothing is left behind.
func TestPiped_readerGone(t *testing.T) {
	scratch := t.TempDir()
	cmd := command(t.Context(), "--output=-", "--unit_size=64KiB", "testdata/archives")
	cmd.Env = append(cmd.Env, "TMPDIR="+scratch)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var d schemas.Document
	if err != nil || json.Unmarshal(line, &d) != nil {
		t.Fatal(string(line), err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	// The signal or the failed write may be noticed first.
	err = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 128+int(syscall.SIGPIPE) || errs.Len() > 0 {
		t.Errorf("%v: %s", err, &errs)
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestPiped_fullDisk(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /dev/full")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = full.Close() }() // nothing is written
	cmd := command(t.Context(), "--output=-", "testdata/archives")
	var errs strings.Builder
	cmd.Stdout, cmd.Stderr = full, &errs
	if err := cmd.Run(); err == nil || !strings.Contains(errs.String(), "no space left on device") {
		t.Errorf("%v: %s", err, &errs)
	}
}

func TestPiped_refused(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"--output=- --format=wet", "--format=jsonl or arrow"},
		{"--output=- --format=jsonl,arrow", "--format=jsonl or arrow"},
		{"--output=- --format=cdxj", "--format=jsonl or arrow"},
		{"--format=arrow --output=" + filepath.Join(t.TempDir(), "new"), "it needs --output=-"},
		{"--output=- --add", "--add is for folders"},
		{"--output=- --watch=1m", "--watch is for folders"},
		{"--output=- --compression=gzip", "--compression is for folders"},
		{"--output=- --runner=direct", "needs --runner=local"},
	} {
		r := runCommand(t, append(strings.Fields(tt.args), "testdata/archives")...)
		if r.code != 2 || !strings.Contains(r.stderr, tt.want) || r.stdout != "" {
			t.Errorf("%s: exit code %d, %s%s", tt.args, r.code, r.stdout, r.stderr)
		}
	}
}

// BenchmarkPiped measures the whole command, from its start.
func BenchmarkPiped(b *testing.B) {
	for b.Loop() {
		cmd := command(b.Context(), "--output=-", "testdata/archives")
		cmd.Stdout = io.Discard
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
	}
}

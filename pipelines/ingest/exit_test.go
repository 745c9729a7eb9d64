package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestAttack18_wrongOutputIsUsage: an invalid output folder is a usage error with a message.
func TestAttack18_wrongOutputIsUsage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	outputs := []string{
		file, filepath.Join(file, "below"), filepath.Join(t.TempDir(), strings.Repeat("n", 300)),
		"ftp://host/out",
	}
	if runtime.GOOS == "linux" {
		outputs = append(outputs, "/proc/out", "/sys/out")
	}
	for _, out := range outputs {
		for _, format := range []string{"jsonl", "cdxj"} {
			got := runCommand(t, "--output="+out, "--format="+format, archives)
			if got.code != 2 || !strings.Contains(got.stderr, "--output") {
				t.Errorf("--output=%.60s: exit code %d, %s; want 2 and a word of --output", out, got.code, got.stderr)
			}
		}
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "mine" {
		t.Errorf("the file holds %q, %v", data, err)
	}
}

// withMemory runs the command with limited address space in KiB.
func withMemory(t *testing.T, kib string, args ...string) (code int, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh",
		append([]string{"-c", "ulimit -v " + kib + ` && exec "$0" "$@"`, os.Args[0]}, args...)...)
	cmd.Env, cmd.Dir = append(os.Environ(), asCommand+"=1"), "../.."
	var errs bytes.Buffer
	cmd.Stderr = &errs
	_ = cmd.Run() // the state shows the result
	return cmd.ProcessState.ExitCode(), errs.String()
}

// hugeRecord returns the name of a WARC file of one record, whose block is a hole of 2 GiB.
func hugeRecord(t *testing.T) string {
	t.Helper()
	const size = 2 << 30
	head := fmt.Sprintf("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://huge.example/\r\n"+
		"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:0b4d3b70-0000-4000-8000-000000000001>\r\n"+
		"Content-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n", size)
	name := filepath.Join(t.TempDir(), "huge.warc")
	err := os.WriteFile(name, []byte(head), 0o600)
	if err = cmp.Or(err, os.Truncate(name, int64(len(head))+size+4)); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestAttack18_outOfMemoryIsNoUsage: Go's runtime exits with 2 when it gets no memory, but 2 would mean a usage
// error.
func TestAttack18_outOfMemoryIsNoUsage(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("limits on address space are Linux's")
	}
	// The program starts reliably in 2.4 GB of address space, of which Go reserves nearly half. With 2.6 GB, there is
	// no space for a whole body of 2 GiB.
	huge := hugeRecord(t)
	for range 2 {
		code, stderr := withMemory(t, "2600000", "--max_body=3GiB", "--output="+filepath.Join(t.TempDir(), "out"), huge)
		if code != 1 || !strings.Contains(stderr, "raise the limit on memory") {
			t.Errorf("too little memory: exit code %d, want 1 and what to do: %.300s", code, stderr)
		}
	}
	if code, stderr := withMemory(t, "8000000", "--output="+filepath.Join(t.TempDir(), "out"), "--formt=x"); code != 2 {
		t.Errorf("a wrong flag below a limit: exit code %d, want 2: %s", code, stderr)
	}
	if code, stderr := withMemory(t, "8000000", "--output="+filepath.Join(t.TempDir(), "out"), archives); code != 0 {
		t.Errorf("below a high limit: exit code %d, want 0: %s", code, stderr)
	}
}

package jobs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// shell makes jobs of a shell command.
func shell(command string) Options {
	return Options{Program: func(string, []string) *exec.Cmd { return exec.Command("sh", "-c", command) }}
}

func ended(t *testing.T, q *Queue, n int64) Job {
	t.Helper()
	for {
		j, err := q.Get(n)
		if err != nil {
			t.Fatal(err)
		}
		if !j.State.IsLive() {
			return j
		}
		if t.Context().Err() != nil {
			t.Fatal("the job does not end")
		}
		time.Sleep(time.Millisecond)
	}
}

// TestOpen_cancelledStaysSo: a running job was cancelled, and its server was killed before the job ended. It is not
// started again, but a job that was not cancelled is.
func TestOpen_cancelledStaysSo(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	for n, cancel := range map[int]string{1: `"cancel": "ada",`, 2: ""} {
		folder := filepath.Join(dir, fmt.Sprintf("%06d", n))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(`{"number": %d, "verb": "ingest", "state": "running", %s "created": "2026-01-01T00:00:00Z"}`, n,
			cancel)
		if err := os.WriteFile(filepath.Join(folder, "job.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	q, err := Open(dir, shell("echo begun"))
	if err != nil {
		t.Fatal(err)
	}
	first, second := ended(t, q, 1), ended(t, q, 2)
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if log, _, _ := q.Log(1, 1000); first.State != Cancelled || first.Again != 0 || log != "" || first.Ended.IsZero() {
		t.Errorf("the cancelled job: %+v, log %q", first, log)
	}
	if second.State != Done || second.Again != 1 {
		t.Errorf("the other one: %+v", second)
	}
	// The next server does the same.
	q, err = Open(dir, shell("echo begun"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = q.Close() }() // nothing runs
	if j, err := q.Get(1); err != nil || j.State != Cancelled {
		t.Errorf("after another start: %+v, %v", j, err)
	}
}

// TestLastWords: the last line of a long log is the error of a job.
func TestLastWords(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	q, err := Open(t.TempDir(), shell("yes a long line | head -c 200000; echo; echo 'ingest: no such file'; exit 1"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = q.Close() }() // nothing runs
	j, err := q.Start(Request{Verb: "ingest"})
	if err != nil {
		t.Fatal(err)
	}
	if j = ended(t, q, j.Number); j.State != Failed || j.Code != 1 || strings.TrimSpace(j.Error) != "no such file" {
		t.Errorf("%+v, want the last line as its error", j)
	}
}

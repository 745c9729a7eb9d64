package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// many fills a folder with copies of an archive that take some seconds to read.
func many(t *testing.T, n int) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(archives(t), "site.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for i := range n {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("copy%03d.warc.gz", i)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// bytesOf returns a hash of a run's output, which is the same for the same input.
func bytesOf(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*-*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%v: %d shards", err, len(names))
	}
	h := sha256.New()
	for _, name := range append(names, filepath.Join(dir, "manifest.json")) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%s %x\n", filepath.Base(name), sha256.Sum256(data))
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

type jobState struct {
	State, Error string
	Number       int64
}

// TestKill_serverDuringJob kills a server repeatedly while it runs a job and others wait. The output is that of one
// clean run, and is not shown before it is whole.
func TestKill_serverDuringJob(t *testing.T) {
	in, state, out := many(t, 40), t.TempDir(), filepath.Join(t.TempDir(), "killed")
	args := []string{"--collection=" + out, "--state=" + state, "--inputs=" + in}
	s := start(t, args...)
	job := `{"verb":"ingest","values":{"archives":["."],"unit_size":["100KiB"],"workers":["1"]}}`
	if status, body := s.send("POST", "/api/v1/jobs", job, "Content-Type: application/json"); status != 200 {
		t.Fatalf("the job: %d %s", status, body)
	}
	if status, body := s.send("POST", "/api/v1/jobs", `{"verb":"query","values":{"name":["later"]}}`,
		"Content-Type: application/json"); status != 200 {
		t.Fatalf("the job that waits: %d %s", status, body)
	}
	killed := 0
	for range 3 {
		time.Sleep(600 * time.Millisecond)
		var j jobState
		if s.json("/api/v1/jobs/1", &j); j.State == "running" {
			killed++
		}
		// Until the run has finished, no part of it is shown.
		if j.State != "done" && j.State != "losses" {
			if status, body := s.send("GET", "/api/v1/overview", ""); status == 200 && j.State == "queued" {
				t.Errorf("an unfinished run is shown: %.200s", body)
			}
		}
		s.kill(syscall.SIGKILL)
		s = start(t, args...)
	}
	for n, want := range map[string]string{"1": "done", "2": "done"} {
		var j jobState
		s.until("job "+n+" has ended", 2*time.Minute, func() bool {
			s.json("/api/v1/jobs/"+n, &j)
			return j.State != "queued" && j.State != "running"
		})
		if j.State != want && j.State != "losses" {
			t.Errorf("job %s: %+v", n, j)
		}
	}
	if killed == 0 {
		t.Log("the job was over before the server was killed: the machine is fast")
	}
	clean := filepath.Join(t.TempDir(), "clean")
	_, stderr, code := run(t, true, "", "ingest", "--output="+clean, "--unit_size=100KiB", in)
	if code != 0 && code != 3 {
		t.Fatalf("the clean run: %d\n%s", code, stderr)
	}
	if bytesOf(t, out) != bytesOf(t, clean) {
		t.Error("what the killed server's job wrote is not what one clean run writes")
	}
	s.until("the collection is shown", time.Minute, func() bool {
		status, _ := s.send("GET", "/api/v1/overview", "")
		return status == 200
	})
}

// TestKill_serverDuringIndexing: results after a restart are complete, for any part of the index.
func TestKill_serverDuringIndexing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "indexed")
	if _, stderr, code := run(t, true, "", "ingest", "--output="+out, "--unit_size=100KiB", many(t, 25)); code != 0 &&
		code != 3 {
		t.Fatal(stderr)
	}
	state := t.TempDir()
	for i := range 4 {
		s := start(t, "--collection="+out, "--state="+state)
		time.Sleep(time.Duration(20+40*i) * time.Millisecond)
		s.kill(syscall.SIGKILL)
	}
	s := start(t, "--collection="+out, "--state="+state)
	s.ready()
	var o struct{ Captures int64 }
	s.json("/api/v1/overview", &o)
	var a struct{ Captures int64 }
	s.json("/api/v1/search?fold=none", &a)
	if o.Captures != 25*35 && o.Captures%25 != 0 || a.Captures != o.Captures {
		t.Errorf("%d captures in the overview, %d in a search of all", o.Captures, a.Captures)
	}
}

// TestJobs_cancel: a cancelled job that runs ends and cleans up. One that waits does not start.
func TestJobs_cancel(t *testing.T) {
	out := filepath.Join(t.TempDir(), "cancelled")
	s := start(t, "--collection="+out, "--state="+t.TempDir(), "--inputs="+many(t, 60))
	job := `{"verb":"ingest","values":{"archives":["."],"unit_size":["100KiB"],"workers":["1"]}}`
	for range 2 {
		if status, body := s.send("POST", "/api/v1/jobs", job, "Content-Type: application/json"); status != 200 {
			t.Fatalf("%d %s", status, body)
		}
	}
	var j jobState
	s.until("the job runs", time.Minute, func() bool { s.json("/api/v1/jobs/1", &j); return j.State != "queued" })
	for _, n := range []string{"2", "1"} {
		if status, body := s.send("POST", "/api/v1/jobs/"+n+"/cancel", "", "Content-Type: application/json"); status != 200 &&
			status != 409 {
			t.Errorf("cancel %s: %d %s", n, status, body)
		}
	}
	for _, n := range []string{"1", "2"} {
		s.until("job "+n+" has ended", time.Minute, func() bool {
			s.json("/api/v1/jobs/"+n, &j)
			return j.State == "cancelled" || j.State == "done" && n == "1"
		})
	}
	if _, body := s.send("POST", "/api/v1/jobs/1/cancel", "", "Content-Type: application/json"); !strings.Contains(body,
		"has ended") {
		t.Errorf("cancelling it again: %s", body)
	}
}

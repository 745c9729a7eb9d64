package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// watched is a command with --watch.
type watched struct {
	t   *testing.T
	cmd *exec.Cmd
	mu  sync.Mutex
	out bytes.Buffer // its standard error
}

func startWatch(t *testing.T, args ...string) *watched {
	t.Helper()
	w := &watched{t: t, cmd: command(t.Context(), append([]string{"--watch=1s", "--extract=mime"}, args...)...)}
	w.cmd.Stderr = w
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if w.cmd.ProcessState == nil {
			w.end(syscall.SIGKILL)
		}
	})
	return w
}

// Write receives the command's output.
func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

func (w *watched) printed() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.String()
}

// says waits until the command has printed the text n times.
func (w *watched) says(text string, n int) {
	w.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); strings.Count(w.printed(),
		text) < n; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("%q was not printed %d times:\n%s", text, n, w.printed())
		}
	}
}

// end signals the command and returns its exit code.
func (w *watched) end(s os.Signal) int {
	w.t.Helper()
	if err := w.cmd.Process.Signal(s); err != nil {
		w.t.Log(err) // it had ended
	}
	if err := w.cmd.Wait(); err != nil {
		w.t.Log(err)
	}
	return w.cmd.ProcessState.ExitCode()
}

// TestWatch: new archives are read when they appear, and an error is logged and tried again. An interrupt between two
// runs ends the command with the last exit code.
func TestWatch(t *testing.T) {
	t.Parallel() // it mostly waits
	d := newDays(t)
	if err := os.Mkdir(filepath.Join(d.root, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	w := startWatch(t, "--output="+d.out, filepath.Join(d.root, "in", "*.warc"))
	w.says("nothing is there; the next run", 2)
	d.put("in/a")
	w.says("done; the next run", 1)
	w.says("nothing to do; the next run", 2)
	d.put("in/b")
	w.says("done; the next run", 2)
	w.says("nothing to do; the next run", 3)
	if code := w.end(syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d after runs that went well, want 0\n%s", code, w.printed())
	}
	clean := t.TempDir()
	mustRun(t, "--extract=mime", "--output="+clean, filepath.Join(d.root, "in", "*.warc"))
	sameFiles(t, contents(t, d.out), contents(t, clean))
}

func TestWatch_endsWithTheCodeOfAFailedRun(t *testing.T) {
	t.Parallel() // it mostly waits
	d := newDays(t)
	if err := os.Mkdir(filepath.Join(d.root, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	w := startWatch(t, "--output="+d.out, filepath.Join(d.root, "nowhere", "*.warc"))
	w.says("this run failed", 1)
	if code := w.end(os.Interrupt); code != 2 {
		t.Errorf("exit code %d after a run without input, want 2\n%s", code, w.printed())
	}
}

// TestWatch_lockedFolder: while another run has the folder, a command exits with 1 and changes nothing. With --watch,
// it continues when the folder is free.
func TestWatch_lockedFolder(t *testing.T) {
	t.Parallel() // it mostly waits
	d := newDays(t)
	d.put("in/a")
	store := blob.New(blob.Options{})
	other, err := collection.Open(folder.Open(t.Context(), d.out, store), collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := runCommand(t, "--output="+d.out, filepath.Join(d.root, "in"))
	if r.code != 1 || !strings.Contains(r.stderr, "another run is writing to this folder") || len(contents(t, d.out)) > 0 {
		t.Errorf("exit code %d, %d files, stderr %q; want code 1, nothing written and the reason", r.code,
			len(contents(t, d.out)), r.stderr)
	}
	w := startWatch(t, "--output="+d.out, filepath.Join(d.root, "in"))
	w.says("another run is writing to this folder", 2)
	if n := len(contents(t, d.out)); n > 0 {
		t.Errorf("%d files were written to a folder that is locked", n)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	w.says("done; the next run", 1)
	if code := w.end(syscall.SIGTERM); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}

// TestIngest_twoAtOnce: of two commands, one has the folder. The other fails with a message, or runs after it.
func TestIngest_twoAtOnce(t *testing.T) {
	t.Parallel() // it mostly waits
	out := t.TempDir()
	args := []string{"--output=" + out, "--unit_size=64KiB", archives}
	var group sync.WaitGroup
	results := make([]result, 3)
	for i := range results {
		group.Go(func() { results[i] = runCommand(t, args...) })
	}
	group.Wait()
	done := 0
	for _, r := range results {
		switch {
		case r.code == 0:
			done++
		case r.code != 1 || !strings.Contains(r.stderr, "another run is writing to this folder"):
			t.Errorf("exit code %d, stderr %q; want 0, or 1 and the reason", r.code, r.stderr)
		}
	}
	if done == 0 {
		t.Error("no command got through")
	}
	clean := t.TempDir()
	mustRun(t, "--output="+clean, "--unit_size=64KiB", archives)
	sameFiles(t, contents(t, out), contents(t, clean))
}

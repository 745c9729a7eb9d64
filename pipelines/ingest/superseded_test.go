//go:build linux

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/jobserver"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// gate is a web server with one archive. After the first requests, it blocks until it is opened. So a test can hold a
// job in the middle of its units.
type gate struct {
	*httptest.Server
	seen, free, waiting atomic.Int64
	open                chan struct{}
}

func startGate(t *testing.T, archive string) *gate {
	t.Helper()
	g := &gate{open: make(chan struct{})}
	g.free.Store(1 << 40)
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.seen.Add(1) > g.free.Load() {
			g.waiting.Add(1)
			defer g.waiting.Add(-1)
			select {
			case <-g.open:
			case <-r.Context().Done():
				return
			}
		}
		http.ServeFile(w, r, archive)
	}))
	t.Cleanup(g.CloseClientConnections)
	return g
}

// TestIngest_portableSuperseded: the command of a job is interrupted or killed, or loses its lock, but the job
// continues. Another run starts over with other flags and ends, and then the first job ends too. The folder has
// exactly the bytes of the second run.
func TestIngest_portableSuperseded(t *testing.T) {
	other := []string{
		"--unit_size=64KiB", "--fresh", "--extract=mime,text", "--compression=gzip", "testdata/segmented",
		archives,
	}
	direct := t.TempDir()
	want := runCommand(t, append([]string{"--output=" + direct}, other...)...)
	files := contents(t, direct)
	p := installPortable(t)
	for _, runner := range []struct {
		name  string
		start func(testing.TB) *jobserver.Server
		flags func(*testing.T) []string
	}{
		{"prism", jobserver.Prism, func(t *testing.T) []string { return p.process(t) }},
		{"python", jobserver.Python, p.external}, // which calls jobs cancelled that go on
		// The first job keeps one of two slots until its worker ends.
		{"flink", startFlink, func(t *testing.T) []string { return append(p.process(t), "--parallelism=1") }},
	} {
		for _, way := range []string{"interrupted", "killed", "without its lock"} {
			t.Run(runner.name+" "+way, func(t *testing.T) {
				if name := runner.name + way; name != "prisminterrupted" && name != "pythonkilled" &&
					os.Getenv("GLEANER_SLOW") == "" {
					t.Skip("it takes 15 s: set GLEANER_SLOW=1")
				}
				server, environment := runner.start(t), runner.flags(t)
				out := t.TempDir()
				g := startGate(t, "../../"+archives+"/site.warc.gz")
				held := []string{"--private_hosts", "--workers=1", "--unit_size=64KiB", g.URL + "/site.warc.gz"}
				mustRun(t, append([]string{"--output=" + t.TempDir()}, held...)...)
				// The last request of such a run is blocked.
				g.free.Store(g.seen.Swap(0) - 1)
				flags := append([]string{"--output=" + out, "--runner=universal", "--endpoint=" + server.Endpoint}, environment...)
				first, end := startFirst(t, append(slices.Clone(flags), held...))
				waitFor(t, filepath.Join(out, ".documents-*tmp*"))
				supersede(t, way, out, first)
				if way != "without its lock" {
					end()
				}
				r := runCommand(t, append(slices.Clone(flags), other...)...)
				if r.code != want.code {
					t.Fatalf("the second run: exit code %d, want %d\n%s", r.code, want.code, r.stderr)
				}
				before := contents(t, out)
				if runner.name == "python" && g.waiting.Load() == 0 {
					t.Error("the first job is not held, and so the test tests nothing")
				}
				close(g.open)
				server.Await(time.Minute, func() error { return ended(server) })
				if end(); way == "without its lock" && first.ProcessState.ExitCode() != cli.ExitFailed {
					t.Errorf("the first command ended by %v, want code %d", first.ProcessState, cli.ExitFailed)
				}
				time.Sleep(time.Second) // for late writes of a worker after its job's end
				sameFiles(t, before, files)
				sameFiles(t, contents(t, out), files)
			})
		}
	}
}

// startFirst starts the command that will lose the folder. end waits for it, once.
func startFirst(t *testing.T, args []string) (cmd *exec.Cmd, end func()) {
	t.Helper()
	cmd = command(t.Context(), args...)
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		err := cmd.Wait()
		t.Logf("the first command: %v\n%s", err, errs.String())
	})
	t.Cleanup(end)
	return cmd, end
}

func supersede(t *testing.T, way, out string, first *exec.Cmd) {
	t.Helper()
	switch way {
	case "interrupted":
		interruptSubmitter(t, nil, first)
	case "killed":
		killSubmitter(t, nil, first)
	default:
		// A lock on a disk cannot be lost. One in a bucket is lost if its owner sleeps for a minute.
		if err := os.Remove(filepath.Join(out, ".gleaner/lock")); err != nil {
			t.Fatal(err)
		}
	}
}

// ended returns an error if a job of the server is active.
func ended(server *jobserver.Server) error {
	for _, state := range server.States() {
		switch state {
		case "RUNNING", "STARTING", "CANCELLING":
			return fmt.Errorf("a job is %s", state)
		}
	}
	return nil
}

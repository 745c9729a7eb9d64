//go:build linux

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/jobserver"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// portable holds the programs that workers need: the shell scripts of docs/clusters/flink and Beam's boot program.
type portable struct{ start, worker string }

// installPortable makes the test binary a worker, and keeps the files of servers and workers in the test's folders.
func installPortable(t *testing.T) portable {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GLEANER_WORKER", self)
	t.Setenv(asCommand, "1")
	start := filepath.Join(t.TempDir(), "start")
	script, err := os.ReadFile("../../docs/clusters/flink/start")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(start, script, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(jobserver.Boot(t), filepath.Join(filepath.Dir(start), "boot")); err != nil {
		t.Fatal(err)
	}
	worker, err := filepath.Abs("../../docs/clusters/flink/worker")
	if err != nil {
		t.Fatal(err)
	}
	return portable{start, worker}
}

// process returns the flags of workers that the server starts, with additional variables of their environment as
// "NAME=value". The server may be older than the test, with another environment.
func (p portable) process(t *testing.T, more ...string) []string {
	t.Helper()
	env := map[string]string{}
	for _, variable := range more {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	for _, name := range []string{"TMPDIR", "GLEANER_WORKER", asCommand} {
		env[name] = os.Getenv(name)
	}
	config, err := json.Marshal(map[string]any{"command": p.start, "env": env})
	if err != nil {
		t.Fatal(err)
	}
	return []string{"--environment_type=PROCESS", "--environment_config=" + string(config), "--worker_binary=" + p.worker}
}

// external returns the flags of workers that a pool starts.
func (p portable) external(t *testing.T) []string {
	t.Helper()
	return []string{
		"--environment_type=EXTERNAL", "--environment_config=" + jobserver.Pool(t, p.start),
		"--worker_binary=" + p.worker,
	}
}

// inLoopback are the flags of a worker in the submitter.
var inLoopback = []string{"--environment_type=LOOPBACK"}

// portableArgs are the input of these tests: several units, and segments to join.
var portableArgs = []string{"--unit_size=64KiB", archives, "testdata/segmented"}

// TestIngest_portable: three independent runners, with every way to start workers, write the bytes of the direct
// runner.
func TestIngest_portable(t *testing.T) {
	first := t.TempDir()
	direct := runCommand(t, append([]string{"--output=" + first}, portableArgs...)...)
	want := contents(t, first)
	p := installPortable(t)
	for _, tt := range []struct {
		name         string
		start        func(testing.TB) *jobserver.Server
		environments [][]string
	}{
		{"prism", jobserver.Prism, [][]string{inLoopback, p.process(t), p.external(t)}},
		{"python", jobserver.Python, [][]string{inLoopback, p.external(t)}}, // it knows no processes
		{"flink", startFlink, [][]string{inLoopback, p.process(t)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := tt.start(t)
			for _, environment := range tt.environments {
				_, name, _ := strings.Cut(environment[0], "=")
				t.Run(name, func(t *testing.T) {
					out := t.TempDir()
					flags := []string{"--output=" + out, "--runner=universal", "--endpoint=" + server.Endpoint}
					r := runCommand(t, slices.Concat(flags, environment, portableArgs)...)
					if r.code != cli.ExitLosses || r.code != direct.code {
						t.Fatalf("exit code %d, want %d as on the direct runner, %d\n%s", r.code, cli.ExitLosses, direct.code, r.stderr)
					}
					sameFiles(t, contents(t, out), want)
				})
			}
		})
	}
}

func startFlink(t testing.TB) *jobserver.Server {
	server, _ := jobserver.Flink(t)
	return server
}

// committedRows matches the rows of finished units, named by their keys.
var committedRows = ".gleaner/" + strings.Repeat("[0-9a-f]", 64) + ".json"

// committedUnits returns the documents of the units with rows, by name, with file information.
func committedUnits(t *testing.T, out string) map[string]os.FileInfo {
	t.Helper()
	rows, err := filepath.Glob(filepath.Join(out, committedRows))
	if err != nil {
		t.Fatal(err)
	}
	done := map[string]os.FileInfo{}
	for _, row := range rows {
		// The names of shards contain the first 20 digits of the key. The key is the name of the row.
		name := filepath.Join(out, "documents-"+filepath.Base(row)[:20]+".jsonl.zst")
		if done[name], err = os.Stat(name); err != nil {
			t.Error(err)
		}
	}
	return done
}

// notDoneAgain checks that no unit was repeated that was done before a worker died. A repeated unit would have
// replaced its shard.
func notDoneAgain(t *testing.T, done map[string]os.FileInfo) {
	t.Helper()
	again := 0
	for name, before := range done {
		if now, err := os.Stat(name); err != nil || !os.SameFile(before, now) {
			again++
		}
	}
	if t.Logf("%d units were done before", len(done)); again > 0 || len(done) == 0 {
		t.Errorf("%d of the %d units that were done before are done again; want none, and some that were", again, len(done))
	}
}

// TestIngest_portableDoneOnce: finished units of a killed worker are not repeated.
func TestIngest_portableDoneOnce(t *testing.T) {
	p := installPortable(t)
	g := startGate(t, "../../"+archives+"/site.warc.gz")
	// One capture of a unit is blocked, and the others continue.
	args := []string{"--private_hosts", "--workers=2", "--unit_size=64KiB", archives, g.URL + "/site.warc.gz"}
	first, out := t.TempDir(), t.TempDir()
	direct := runCommand(t, append([]string{"--output=" + first}, args...)...)
	g.free.Store(g.seen.Swap(0) - 1)
	server := jobserver.Prism(t)
	flags := slices.Concat([]string{"--output=" + out, "--runner=universal", "--endpoint=" + server.Endpoint},
		p.process(t), args)
	_, end := startFirst(t, flags)
	waitFor(t, filepath.Join(out, committedRows))
	killWorker(t, server, nil)
	end()
	done := committedUnits(t, out)
	close(g.open)
	if r := runCommand(t, flags...); r.code != direct.code {
		t.Errorf("run again: exit code %d, want %d\n%s", r.code, direct.code, r.stderr)
	}
	sameFiles(t, contents(t, out), contents(t, first))
	notDoneAgain(t, done)
}

// TestIngest_portableKilled: after the submitter or the worker is killed or interrupted, the next run ends like a
// clean one.
func TestIngest_portableKilled(t *testing.T) {
	args := append([]string{"--workers=1"}, portableArgs...)
	first := t.TempDir()
	direct := runCommand(t, append([]string{"--output=" + first}, args...)...)
	want := contents(t, first)
	p := installPortable(t)
	for _, tt := range []struct {
		name string
		kill func(*testing.T, *jobserver.Server, *exec.Cmd)
		code int    // of the submitter
		said string // in its output
		job  string // its state, or "" if unknown
	}{
		{"submitter interrupted", interruptSubmitter, cli.ExitFailed, "run the same command again", "CANCELLED"},
		{"submitter killed", killSubmitter, -1, "", ""},
		{"worker killed", killWorker, cli.ExitFailed, "ingest: ", "FAILED"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := jobserver.Prism(t)
			out := t.TempDir()
			flags := slices.Concat([]string{"--output=" + out, "--runner=universal", "--endpoint=" + server.Endpoint},
				p.process(t), args)
			cmd := command(t.Context(), flags...)
			var errs strings.Builder
			cmd.Stderr = &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			waitFor(t, filepath.Join(out, ".documents-*tmp*"))
			tt.kill(t, server, cmd)
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != tt.code || !strings.Contains(errs.String(), tt.said) {
				t.Errorf("the submitter ended by %v and said %q; want code %d and %q", err, errs.String(), tt.code, tt.said)
			}
			if tt.job != "" {
				if states := server.States(); !slices.Equal(states, []string{tt.job}) {
					t.Errorf("the jobs are %v, want %s", states, tt.job)
				}
				server.Await(time.Minute, server.NoWorkers)
			}
			r := runCommand(t, flags...)
			// A job without a submitter continues, and has the folder until it ends.
			if r.code == cli.ExitFailed && strings.Contains(r.stderr, "has not ended at "+server.Endpoint) {
				server.Await(time.Minute, func() error { return ended(server) })
				r = runCommand(t, flags...)
			}
			if r.code != direct.code {
				t.Errorf("run again: exit code %d, want %d\n%s", r.code, direct.code, r.stderr)
			}
			sameFiles(t, contents(t, out), want)
			if names, err := filepath.Glob(filepath.Join(os.TempDir(), "gleaner-worker-*")); err != nil || len(names) > 0 {
				t.Errorf("folders of workers are left: %v, %v", names, err)
			}
		})
	}
}

func interruptSubmitter(t *testing.T, _ *jobserver.Server, cmd *exec.Cmd) {
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
}

func killSubmitter(t *testing.T, _ *jobserver.Server, cmd *exec.Cmd) {
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
}

func killWorker(t *testing.T, server *jobserver.Server, _ *exec.Cmd) {
	if n := server.KillWorkers(); n == 0 {
		t.Error("there is no worker")
	}
}

package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/derived/corpora"
)

// TestSignals_afterwardsAllIsWell: an interrupted command ends soon, with exit code 1 unless it was done. The same
// command then gives the result of a run in a new folder.
func TestSignals_afterwardsAllIsWell(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	if code, _, stderr := gleaner(t, "ingest", "--output="+out, "--format=jsonl,links", "--compression=none",
		"--unit_size=64KiB", "testdata/archives"); code != 0 && code != 3 {
		t.Fatal(stderr)
	}
	for name, args := range map[string][]string{
		"convert": {"--to=cdr,warc", "--unit_size=64KiB", "testdata/archives"},
		"corpus":  {"--keep_refused", "--filters=none", out},
		"graph":   {out},
		"sources": {"--as_of=2027-01-01", "--collection=" + out},
		"fileset": {"--unit_requests=2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clean := filepath.Join(dir, name+"-clean")
			command := append([]string{name}, args...)
			want, _, stderr := gleaner(t, append(command, "--output="+clean)...)
			if want != 0 && want != 3 {
				t.Fatalf("exit code %d\n%s", want, stderr)
			}
			signals := map[syscall.Signal]time.Duration{syscall.SIGINT: 0, syscall.SIGTERM: 40 * time.Millisecond}
			for sig, after := range signals {
				broken := filepath.Join(dir, name+"-"+sig.String())
				again := append(command, "--output="+broken)
				code, said := signalled(t, sig, broken, after, again...)
				if code != 1 && code != want || code == 1 && !strings.Contains(said, "interrupted") {
					t.Errorf("%v: exit code %d\n%s", sig, code, said)
				}
				if code, _, stderr := gleaner(t, again...); code != want {
					t.Fatalf("again: exit code %d, want %d\n%s", code, want, stderr)
				}
				if diff := differing(outputs(t, clean), outputs(t, broken)); len(diff) > 0 {
					t.Errorf("%v: after it these files differ: %v", sig, diff)
				}
			}
		})
	}
}

// signalled runs the program, and sends it a signal some time after its first write to dir.
func signalled(
	t *testing.T, sig syscall.Signal, dir string, after time.Duration, args ...string,
) (code int, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env, cmd.Dir = append(os.Environ(), asCommand+"=1"), "../.."
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, ".gleaner")); err == nil {
			break
		}
	}
	time.Sleep(after)
	_ = cmd.Process.Signal(sig) // it may have ended
	sent := time.Now()
	_ = cmd.Wait() // the exit code shows it
	if d := time.Since(sent); d > 20*time.Second {
		t.Errorf("it ended %v after the signal", d)
	}
	return cmd.ProcessState.ExitCode(), said.String()
}

// outputs returns the hashes of a command's output files, without the hidden folder and the report.
func outputs(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	all := map[string][32]byte{}
	for name, sum := range sums(t, dir) {
		name = strings.TrimPrefix(name, dir)
		times := strings.HasSuffix(name, "report.json") || strings.HasSuffix(name, corpora.StatsFile)
		if !times && !strings.Contains(name, "/.gleaner/") {
			all[name] = sum
		}
	}
	return all
}

// differing returns the names that differ.
func differing(a, b map[string][32]byte) (names []string) {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for name := range all {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	return names
}

//go:build linux

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/jobserver"
)

// slowServer is a web server that has an archive under any name. It takes its time, and counts how often it sends it. A
// unit asks once.
type slowServer struct {
	*httptest.Server
	reads atomic.Int64
}

func startSlowServer(t *testing.T, archive string) *slowServer {
	t.Helper()
	s := &slowServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			s.reads.Add(1)
			time.Sleep(200 * time.Millisecond)
		}
		http.ServeFile(w, r, archive)
	}))
	t.Cleanup(s.Close)
	return s
}

// TestIngest_portableTaskManagerKilled: one of two task managers is killed when half of the units are done. Flink
// repeats the lost work, and the bytes are the same. Units that were done are not read again, and of others at most one
// for each of the two slots.
func TestIngest_portableTaskManagerKilled(t *testing.T) {
	const units, slots = 24, 2
	p := installPortable(t)
	server, cluster := jobserver.Flink(t)
	if cluster == nil {
		t.Skip("the cluster of FLINK_JOB_SERVER is not ours to kill: set FLINK_JOB_SERVER_JAR instead")
	}
	s := startSlowServer(t, "../../"+archives+"/site.warc.gz")
	args := []string{"--private_hosts", "--workers=1", "--unit_size=64KiB", "testdata/segmented"}
	for i := range units {
		args = append(args, fmt.Sprintf("%s/%02d.warc.gz", s.URL, i))
	}
	first, out := t.TempDir(), t.TempDir()
	direct := runCommand(t, append([]string{"--output=" + first}, args...)...)
	cmd := command(t.Context(), slices.Concat([]string{"--output=" + out, "--runner=flink", "--endpoint=" +
		server.Endpoint, "--parallelism=2"}, p.process(t), args)...)
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// By then the archives are planned, which reads them too.
	waitFor(t, filepath.Join(out, ".gleaner/job.json"))
	s.reads.Store(0)
	server.Await(5*time.Minute, func() error { return halfDone(out, units) })
	cluster.TaskManagers[0].Kill()
	done := committedUnits(t, out)
	cluster.Restart(0)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != direct.code {
		t.Errorf("the submitter ended by %v, want code %d\n%s", err, direct.code, errs.String())
	}
	sameFiles(t, contents(t, out), contents(t, first))
	notDoneAgain(t, done)
	again := int(s.reads.Load()) - units
	t.Logf("%d of %d units were done, and %d units were read again", len(done), units, again)
	if again < 0 || again > slots || len(done) == units {
		t.Errorf("%d units were read again after %d of %d, want at most %d", again, len(done), units, slots)
	}
}

// halfDone returns nil if at least half of the units have rows.
func halfDone(out string, units int) error {
	rows, err := filepath.Glob(filepath.Join(out, committedRows))
	if err == nil && len(rows) < units/2 {
		err = fmt.Errorf("%d of %d units are done", len(rows), units)
	}
	return err
}

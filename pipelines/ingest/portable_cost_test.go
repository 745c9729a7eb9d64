//go:build linux

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/jobserver"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
)

// maxFlinkCost is the CPU time of a job on Flink against that of the runner local, for archives with payloads of
// largeJob bytes and more. The start of a job costs up to 20 s of CPU time, which are the most of smaller jobs.
const (
	maxFlinkCost = 1.15
	largeJob     = 9e9
)

// TestIngest_portableCost compares the CPU time of a job on Flink, with all processes of the cluster, to that of the
// runner local. GLEANER_BENCH names a folder of WARC files, GLEANER_EXTRACT is the value of --extract.
func TestIngest_portableCost(t *testing.T) {
	in := os.Getenv("GLEANER_BENCH")
	if in == "" || os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("it takes minutes: set GLEANER_SLOW=1 and GLEANER_BENCH to a folder of WARC files")
	}
	p := installPortable(t)
	args := []string{in}
	if list, set := os.LookupEnv("GLEANER_EXTRACT"); set {
		args = append(args, "--extract="+list)
	}
	m := jobserver.StartMeter(t)
	server, cluster := jobserver.Flink(t)
	if cluster == nil {
		t.Skip("the processes of FLINK_JOB_SERVER are not known")
	}
	server.Watch(m)
	cluster.Watch(m)
	t.Logf("the cluster's start: %v", show(m.CPU()))
	// In the second round the cluster has run a job before, which matters for small jobs.
	for _, cluster := range []string{"new", "warm"} {
		local, out := t.TempDir(), t.TempDir()
		here := cost(t, m, append([]string{"--output=" + local, "--workers=2"}, args...))
		// A slot is a core, so that the job has two cores as the local one.
		there := cost(t, m, slices.Concat([]string{
			"--output=" + out, "--workers=1", "--runner=flink", "--parallelism=2", "--endpoint=" + server.Endpoint,
		}, p.process(t, "GOMAXPROCS=1"), args))
		payloads := readJSON[schemas.Manifest](t, out, holdings.ManifestFile).Totals.BodyBytes
		ratio := there.Seconds() / here.Seconds()
		t.Logf("%d MB of payloads, on a %s cluster: %.3f times the local CPU time", payloads/1e6, cluster, ratio)
		if payloads > largeJob && ratio > maxFlinkCost {
			t.Errorf("a job on Flink takes %.2f times the local CPU time, want at most %v", ratio, maxFlinkCost)
		}
		sameFiles(t, contents(t, out), contents(t, local))
		if payloads > 1e9 {
			break
		}
	}
}

// cost runs a command and returns the CPU time of all watched processes meanwhile. It waits for workers, which end
// after their job.
func cost(t *testing.T, m *jobserver.Meter, args []string) (all time.Duration) {
	t.Helper()
	before, start := m.CPU(), time.Now()
	cmd := command(t.Context(), args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	m.Watch("ingest", cmd.Process.Pid)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, errs.String())
	}
	wall := time.Since(start)
	time.Sleep(3 * time.Second)
	spent := m.CPU()
	for name, d := range before {
		spent[name] -= d
	}
	for name, d := range spent {
		// Beside a local run the cluster is idle.
		if !slices.Contains(args, "--runner=flink") && !strings.HasPrefix(name, "ingest ") {
			continue
		}
		all += d
	}
	t.Logf("CPU %.2f s, wall %.2f s: %v", all.Seconds(), wall.Seconds(), show(spent))
	return all
}

// show formats times, the longest first, without those below a tenth of a second.
func show(times map[string]time.Duration) (text string) {
	for _, name := range slices.SortedFunc(maps.Keys(times), func(a, b string) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
	}) {
		if times[name] >= 100*time.Millisecond {
			text += fmt.Sprintf("%s %.2f, ", name, times[name].Seconds())
		}
	}
	return text
}

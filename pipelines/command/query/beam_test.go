//go:build linux

package query

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/internal/jobserver"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// questions are the queries for each runner.
var questions = [][]string{
	{"--lang=fr"},
	{"--all_versions", "--order=surt", "--fields=url,timestamp"},
	{"--mime=text/html", "--limit=7", "--order=oldest", "--format=csv"},
	{"--at=2025", "--format=urls"},
	{"--where=status = 200 AND NOT language = en", "--format=count"},
	{"--lang=th", "--host=nowhere.example"},
}

// sameByRunner compares the results of a pipeline with those of this process, byte for byte.
func sameByRunner(t *testing.T, out string, questions [][]string, runner ...string) {
	t.Helper()
	for _, q := range questions {
		args := append([]string{"--collection=" + out}, q...)
		_, want, _ := command(t, args...)
		code, got, errs := command(t, slices.Concat(args, runner)...)
		if code != cli.ExitDone || got != want {
			t.Errorf("%v %v: exit code %d, %d bytes, want %d\n%s", q, runner, code, len(got), len(want), errs)
		}
	}
	if left, err := filepath.Glob(filepath.Join(out, ".gleaner", "query-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestQuery_runners: all runners return the same rows in the same order.
func TestQuery_runners(t *testing.T) {
	out := collect(t, archives(t))
	for _, q := range questions[:5] {
		if _, text, _ := command(t, append([]string{"--collection=" + out}, q...)...); text == "" {
			t.Errorf("%v: there is nothing to compare", q)
		}
	}
	sameByRunner(t, out, questions, "--runner=prism")
	sameByRunner(t, out, questions, "--runner=direct")
}

// TestQuery_python uses the job server of Beam's Python SDK, which takes 5 s per query. It runs all queries only with
// GLEANER_SLOW=1.
func TestQuery_python(t *testing.T) {
	out := collect(t, archives(t))
	s := jobserver.Python(t)
	some := questions[:2]
	if os.Getenv("GLEANER_SLOW") != "" {
		some = questions
	}
	sameByRunner(t, out, some, "--runner=universal", "--endpoint="+s.Endpoint, "--environment_type=LOOPBACK")
}

func TestQuery_runnerUsage(t *testing.T) {
	out := "--collection=" + collect(t, archives(t))
	for _, args := range [][]string{
		{"--runner=prims"},
		{"--runner=flink"},
		{"--runner=prism", "--by=lang", "--format=urls"},
		{"--runner=prism", "--text=paris", "--order=relevance"},
		{"--no_index", "--text=paris", "--order=relevance"},
		{"--snapshot=newest", "--text=paris", "--order=relevance"},
		{"--collection=hbase://127.0.0.1:1/x", "--text=paris", "--order=relevance"},
		{"--sources=x", "--where=source_id = x OR language = fr", "--order=relevance"},
		{"--runner=prism", "--collection=hbase://127.0.0.1:1/x", "--format=count"},
	} {
		if code, _, errs := command(t, append([]string{out}, args...)...); code != cli.ExitUsage {
			t.Errorf("%v: exit code %d\n%s", args, code, errs)
		}
	}
}

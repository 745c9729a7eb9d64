package job

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/protobuf/proto"

	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// graphBytes is how long a graph is as it is sent to runners.
func graphBytes(t *testing.T, p *beam.Pipeline) int {
	t.Helper()
	edges, _, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	m, err := graphx.Marshal(edges, &graphx.Options{Environment: &pipepb.Environment{Urn: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	return proto.Size(m)
}

// TestBuild_graphIsSmall: however many units are to be done or were done, their plan is not in the graph.
func TestBuild_graphIsSmall(t *testing.T) {
	run.Init()
	const limit = 100 << 10
	for _, n := range []int{1, 90_000, 300_000} {
		tasks := make([]task, n)
		for i := range tasks {
			name := fmt.Sprintf("gs://bucket/crawl-2026/segment-%06d/file-%06d.warc.gz", i/100, i)
			tasks[i] = task{
				Unit:   schemas.Unit{ID: i, Inputs: []schemas.Range{{File: name, End: 64 << 20, Format: "warc"}}},
				Key:    fmt.Sprintf("%064x", i),
				Stamps: map[string]string{name: "1700000000000000"},
			}
		}
		todo, _, err := newListing(tasks)
		if err != nil {
			t.Fatal(err)
		}
		p, s := beam.NewPipelineWithRoot()
		build(s, Options{Output: "gs://bucket/out", Units: 2 * n, Job: "job"}, todo, todo)
		size := graphBytes(t, p)
		if size > limit {
			t.Errorf("a graph of %d units is %d bytes, more than %d", n, size, limit)
		}
		t.Logf("a graph of %d units: %d bytes", n, size)
		p, s = beam.NewPipelineWithRoot()
		buildSurvey(s, Options{Output: "gs://bucket/out", Units: 2 * n, Job: "job"}, todo, todo)
		if size := graphBytes(t, p); size > limit {
			t.Errorf("a graph of the first pass of %d units is %d bytes, more than %d", n, size, limit)
		}
	}
}

// TestListing: what is written comes back in its order, equal lists have equal names, and nothing is nothing.
func TestListing(t *testing.T) {
	var list []int
	for i := range 2*listedRows + 1 {
		list = append(list, i)
	}
	out := filepath.Join(t.TempDir(), "out")
	if err := os.MkdirAll(filepath.Join(out, ".gleaner"), 0o755); err != nil {
		t.Fatal(err)
	}
	f := local(out)
	l, err := writeListing(f, list)
	again, _, errAgain := newListing(list)
	if err != nil || errAgain != nil || len(l) != 3 || strings.Join(l, " ") != strings.Join(again, " ") {
		t.Fatalf("%v, %v; %v, %v; want three files of equal names", l, err, again, errAgain)
	}
	at := 0
	for _, key := range l {
		lines, err := readListed(f, key)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			var n int
			if err := json.Unmarshal(line, &n); err != nil || n != at {
				t.Fatalf("line %d is %s, %v", at, line, err)
			}
			at++
		}
	}
	if none, err := writeListing(f, []int{}); at != len(list) || len(none) > 0 || err != nil {
		t.Errorf("%d of %d values came back; of none there are %v, %v", at, len(list), none, err)
	}
}

// TestUnitFn_takesWhatIsThere: a unit that is asked for again, and was committed, is not done again; one whose shard is
// missing, or whose archive is not what it was, is.
func TestUnitFn_takesWhatIsThere(t *testing.T) {
	d := newDays(t)
	d.put("day1/a", "day1/b")
	c := dayConfig(d, "day1")
	p, err := MakePlan(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	o, err := c.planned(p)
	if err != nil {
		t.Fatal(err)
	}
	fn := &unitFn{Options: o}
	if err := fn.Setup(); err != nil {
		t.Fatal(err)
	}
	defer closeFn(t, fn)
	do := func(task task) (measured bool) {
		t.Helper()
		row, err := fn.do(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		var r report.Row
		if err := json.Unmarshal(row, &r); err != nil || r.Captures != 1 || r.ID != task.Unit.ID {
			t.Fatalf("%s, %v; want the row of unit %d", row, err, task.Unit.ID)
		}
		return r.Measures != nil // as units have that were done
	}
	tasks := p.tasks(p.Units)
	if do(tasks[0]) {
		t.Error("a unit that was there was done again")
	}
	other := tasks[0]
	other.Stamps = map[string]string{other.Unit.Inputs[0].File: "another"}
	if _, err := fn.do(t.Context(), other); err == nil {
		t.Error("a unit of an archive that is not what it was gave its old row")
	}
	names, err := filepath.Glob(filepath.Join(d.out, "documents-*"))
	if err != nil || len(names) != 2 {
		t.Fatal(names, err)
	}
	d.remove("out/"+filepath.Base(names[0]), "out/"+filepath.Base(names[1]))
	if !do(tasks[0]) || do(tasks[0]) {
		t.Error("a unit without its shard was not done again, or twice")
	}
}

func closeFn(t *testing.T, f *unitFn) {
	t.Helper()
	if err := f.Teardown(); err != nil {
		t.Error(err)
	}
}

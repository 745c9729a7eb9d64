package job

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/protobuf/proto"

	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// graphBytes returns the size of a graph as sent to runners.
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

// TestBuild_graphIsSmall: the plan is not in the graph, for any number of units.
func TestBuild_graphIsSmall(t *testing.T) {
	run.Init()
	const limit = 100 << 10
	for _, n := range []int{1, 90_000, 300_000} {
		tasks := make([]unit.Task, n)
		for i := range tasks {
			name := fmt.Sprintf("gs://bucket/crawl-2026/segment-%06d/file-%06d.warc.gz", i/100, i)
			tasks[i] = unit.Task{
				Unit:   schemas.Unit{ID: i, Inputs: []schemas.Range{{File: name, End: 64 << 20, Format: "warc"}}},
				Key:    fmt.Sprintf("%064x", i),
				Stamps: map[string]string{name: "1700000000000000"},
			}
		}
		todo, err := batch.List[unit.Task](nil, tasks)
		if err != nil {
			t.Fatal(err)
		}
		p, s := beam.NewPipelineWithRoot()
		o := unit.Job{Machine: recipe.Machine{Output: "gs://bucket/out"}, Run: unit.Run{Units: 2 * n, ID: "job"}}
		if err := batch.Build(s, ingesting, ingest{o}, todo, todo); err != nil {
			t.Fatal(err)
		}
		size := graphBytes(t, p)
		if size > limit {
			t.Errorf("a graph of %d units is %d bytes, more than %d", n, size, limit)
		}
		t.Logf("a graph of %d units: %d bytes", n, size)
		p, s = beam.NewPipelineWithRoot()
		if err := buildSurvey(s, o, todo, todo); err != nil {
			t.Fatal(err)
		}
		if size := graphBytes(t, p); size > limit {
			t.Errorf("a graph of the first pass of %d units is %d bytes, more than %d", n, size, limit)
		}
	}
}

// TestEngine_takesWhatIsThere: a committed unit is not redone when it is requested again, unless its shard is missing
// or its archive has changed.
func TestEngine_takesWhatIsThere(t *testing.T) {
	d := newDays(t)
	d.put("day1/a", "day1/b")
	c := dayConfig(d, "day1")
	p, err := plan.Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	o, err := jobOf(p)
	if err != nil {
		t.Fatal(err)
	}
	w, err := o.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}()
	try := func(task unit.Task) (report.Row, error) {
		t.Helper()
		element, err := json.Marshal(task)
		if err != nil {
			t.Fatal(err)
		}
		row, err := w.Do(t.Context(), element)
		if err != nil {
			return report.Row{}, err
		}
		return row.(report.Row), nil
	}
	do := func(task unit.Task) (measured bool) {
		t.Helper()
		r, err := try(task)
		if err != nil || r.Captures != 1 || r.ID != task.Unit.ID {
			t.Fatalf("%v, %v; want the row of unit %d", r, err, task.Unit.ID)
		}
		return r.Measures != nil // finished units have measures
	}
	tasks := tasksOf(p, p.Units)
	if do(tasks[0]) {
		t.Error("a unit that was there was done again")
	}
	other := tasks[0]
	other.Stamps = map[string]string{other.Unit.Inputs[0].File: "another"}
	if _, err := try(other); err == nil {
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

package unit_test

import (
	"cmp"
	"encoding/json"
	"os"
	"testing"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

func TestMain(m *testing.M) {
	docsandbox.Main() // children that read documents run this program
	os.Exit(m.Run())
}

// benchConfig reads the folder $GLEANER_BENCH, or the project's archives.
func benchConfig(b *testing.B) (plan.Request, *plan.Plan) {
	b.Helper()
	c := plan.Request{
		Inputs: []string{cmp.Or(os.Getenv("GLEANER_BENCH"), "../../../testdata/archives")}, Runner: "local",
		UnitSize: 64 << 20, Fresh: true,
		Recipe: recipe.Recipe{
			Formats: []string{"jsonl"}, Compression: "zstd", Extract: enrich.Extractors(), MaxBody: 32 << 20, MaxHead: 1 << 20,
			MaxRatio: 1000,
		},
		Machine: recipe.Machine{Workers: 1},
	}
	p, err := plan.Make(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(p.Bytes)
	b.ReportAllocs()
	return c, p
}

// BenchmarkPipeline measures a whole run after planning, with Beam, the graph and the commit.
func BenchmarkPipeline(b *testing.B) {
	_, p := benchConfig(b)
	for b.Loop() {
		p.Request.Output = b.TempDir()
		p.Keys = nil
		if _, err := job.Run(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEngine does the same without Beam. The difference is the overhead of Beam.
func BenchmarkEngine(b *testing.B) {
	c, p := benchConfig(b)
	o := unit.Job{Recipe: c.Recipe, Machine: c.Machine, Run: unit.Run{Units: len(p.Units)}}
	p.Keys = nil
	for _, u := range p.Units {
		p.Keys = append(p.Keys, ledger.Key(u, "benchmark", "1"))
	}
	for b.Loop() {
		o.Output = b.TempDir()
		benchUnits(b, o, p)
	}
}

func benchUnits(b testing.TB, o unit.Job, p *plan.Plan) {
	b.Helper()
	out, err := collection.Open(folder.Open(b.Context(), o.Output, nil), collection.OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	e, err := o.Open()
	if err != nil {
		b.Fatal(err)
	}
	for _, u := range p.Units {
		element, err := json.Marshal(unit.Task{Unit: u, Key: p.Keys[u.ID], Stamps: p.StampsOf(u)})
		if err == nil {
			_, err = e.Do(b.Context(), element)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
}

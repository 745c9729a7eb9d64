package job

import (
	"cmp"
	"os"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// benchConfig reads the archives that GLEANER_BENCH names, a folder, or the project's own.
func benchConfig(b *testing.B) (Request, *Plan) {
	b.Helper()
	c := Request{
		Inputs: []string{cmp.Or(os.Getenv("GLEANER_BENCH"), "../../"+archives)}, Runner: "local", UnitSize: 64 << 20,
		Fresh: true,
		Options: Options{
			Formats: []string{"jsonl"}, Compression: "zstd", Extract: enrich.Extractors(), MaxBody: 32 << 20, MaxHead: 1 << 20,
			MaxRatio: 1000, Workers: 1,
		},
	}
	p, err := MakePlan(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(p.Bytes)
	b.ReportAllocs()
	return c, p
}

// BenchmarkPipeline is a whole run, planned once: Beam, the graph and the commit are in it.
func BenchmarkPipeline(b *testing.B) {
	_, p := benchConfig(b)
	for b.Loop() {
		p.options.Output = b.TempDir()
		p.keys = nil
		if _, err := p.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEngine does the same work without Beam: the difference is what the engine costs.
func BenchmarkEngine(b *testing.B) {
	c, p := benchConfig(b)
	c.Options.Units = len(p.Units)
	p.keys = nil
	for _, u := range p.Units {
		p.keys = append(p.keys, collection.Key(u, "benchmark", "1"))
	}
	for b.Loop() {
		c.Options.Output = b.TempDir()
		benchUnits(b, c.Options, p)
	}
}

func benchUnits(b testing.TB, o Options, p *Plan) {
	b.Helper()
	out, err := collection.Open(local(o.Output), collection.OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	e, err := newEngine(o)
	if err != nil {
		b.Fatal(err)
	}
	for _, t := range p.tasks(p.Units) {
		if _, err := e.unit(b.Context(), t); err != nil {
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

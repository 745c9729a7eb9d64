package unit_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
)

// badLines are lines that cannot be parsed, each for another reason.
var badLines = map[string]struct {
	line string
	most float64 // maximum bytes of garbage
}{
	"cut":     {`{"url":`, 200},
	"no JSON": {`<p>no JSON at all</p>`, 400},
	// These are valid JSON, and read to their end.
	"no URL": {`{"content":"PHA+dGV4dA=="}`, 600},
	"a type": {`{"url":7,"content":"PHA+dGV4dA=="}`, 900},
}

// garbageOf returns how many bytes the engine allocates for a compressed file of n such lines.
func garbageOf(tb testing.TB, line string, n int) float64 {
	tb.Helper()
	name := filepath.Join(tb.TempDir(), "pages.jsonl.gz")
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	good := `{"url":"http://example.com/","content":"PHA+dGV4dA=="}` + "\n"
	if _, err := io.WriteString(z, good+strings.Repeat(line+"\n", n)); err != nil {
		tb.Fatal(err)
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		tb.Fatal(err)
	}
	c := plan.Request{
		Inputs: []string{name}, Runner: "local", UnitSize: 64 << 20, Fresh: true,
		Recipe: recipe.Recipe{
			Formats: []string{"jsonl"}, Compression: "zstd", MaxBody: 32 << 20, MaxHead: 1 << 20, MaxRatio: 1000,
		},
		Machine: recipe.Machine{Workers: 1, Output: tb.TempDir()},
	}
	p, err := plan.Make(tb.Context(), c)
	if err != nil {
		tb.Fatal(err)
	}
	for _, u := range p.Units {
		p.Keys = append(p.Keys, ledger.Key(u, "bad lines", "1"))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	benchUnits(tb, unit.Job{Recipe: c.Recipe, Machine: c.Machine, Run: unit.Run{Units: len(p.Units)}}, p)
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// TestEngine_badLinesMakeLittleGarbage: a file of only invalid lines must not make the heap grow. A smaller file,
// also of several frames, measures the fixed cost of a run, some megabytes.
func TestEngine_badLinesMakeLittleGarbage(t *testing.T) {
	const few, many = 50_000, 100_000
	garbageOf(t, badLines["cut"].line, few) // fills caches
	for name, bad := range badLines {
		t.Run(name, func(t *testing.T) {
			got := (garbageOf(t, bad.line, many) - garbageOf(t, bad.line, few)) / (many - few)
			t.Logf("%.0f bytes a line", got)
			if got > bad.most {
				t.Errorf("%.0f bytes a line, want at most %.0f", got, bad.most)
			}
		})
	}
}

// BenchmarkBadLines is for profiles: go test -bench=BadLines -benchtime=1x -memprofile.
func BenchmarkBadLines(b *testing.B) {
	for b.Loop() {
		b.ReportMetric(garbageOf(b, badLines["cut"].line, 1_000_000)/1_000_000, "B/line")
	}
}

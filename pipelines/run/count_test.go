package run

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	beam.RegisterDoFn(&countFn{})
}

// countFn counts its rows.
type countFn struct{}

func (*countFn) ProcessElement(ctx context.Context, row []byte, emit func([]byte)) {
	Counting(ctx, "ingest", emit)(row)
}

func TestCounting(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var rows [][]byte
	for i := range int64(3) {
		m := &report.Measures{Seconds: 2}
		m.Capture(report.Slow{Bytes: 10 * i}, []string{"text"},
			[]report.Spent{{Wall: time.Duration(i+1) * time.Second, CPU: time.Second}})
		m.Capture(report.Slow{Bytes: 5}, []string{"text"}, []report.Spent{{Wall: time.Second}})
		r := report.Row{Measures: m, UnitResult: schemas.UnitResult{Counts: schemas.Counts{
			Captures: i, Documents: i, BytesRead: 100, ByReject: map[string]int64{"garbage": 1},
			ByFlag: map[string]int64{"partial": i},
		}}}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, b)
	}
	rows = append(rows, []byte("no row"))
	want := map[string]int64{
		"units/done": 3, "read/captures": 3, "read/bytes": 300, "write/documents": 3, "rejects/garbage": 3,
		"flags/partial":     3,
		"microseconds/text": 9e6, "cpu_microseconds/text": 3e6,
	}
	distributions := map[string]metrics.DistributionValue{
		"capture/bytes":            {Count: 6, Sum: 45, Min: 0, Max: 20},
		"capture/microseconds":     {Count: 6, Sum: 9e6, Min: 1e6, Max: 3e6},
		"capture/cpu_microseconds": {Count: 6, Sum: 3e6, Min: 0, Max: 1e6},
		"unit/milliseconds":        {Count: 3, Sum: 6000, Min: 2000, Max: 2000},
	}
	for _, runner := range []string{"direct", "prism"} {
		p, s := beam.NewPipelineWithRoot()
		beam.ParDo(s, &countFn{}, beam.CreateList(s, rows))
		res, err := Pipeline(t.Context(), p, runner)
		if err != nil {
			t.Fatalf("on %s: %v", runner, err)
		}
		counted := map[string]int64{}
		for _, c := range res.Metrics().AllMetrics().Counters() {
			if c.Namespace() == "ingest" {
				counted[c.Name()] = c.Result()
			}
		}
		if diff := cmp.Diff(want, counted); diff != "" {
			t.Errorf("counters on %s (-want +got):\n%s", runner, diff)
		}
		measured := map[string]metrics.DistributionValue{}
		for _, d := range res.Metrics().AllMetrics().Distributions() {
			measured[d.Name()] = d.Result()
		}
		if diff := cmp.Diff(distributions, measured); diff != "" {
			t.Errorf("distributions on %s (-want +got):\n%s", runner, diff)
		}
	}
}

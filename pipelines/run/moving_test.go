package run

import (
	"context"
	"errors"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

func init() {
	beam.RegisterDoFn(&slowFn{})
}

// slowFn runs one unit that reads captures, and then waits until the runner's metrics have their counts.
type slowFn struct {
	bundle   *Bundle
	counters *cli.Counters
}

// StartBundle begins a bundle.
func (f *slowFn) StartBundle(ctx context.Context, _ func([]byte)) {
	f.bundle, f.counters = NewBundle(ctx, 1), &cli.Counters{}
}

// ProcessElement starts the unit.
func (f *slowFn) ProcessElement(ctx context.Context, _ []byte, emit func([]byte)) error {
	f.bundle.Show = f.show(ctx)
	return f.bundle.Start(emit, func(context.Context) ([]byte, error) {
		f.counters.Captures.Add(3)
		f.counters.Bytes.Add(100)
		<-shown // a unit that is never shown while it is under way never ends
		f.counters.Captures.Add(4)
		f.counters.Reject("garbage")
		return []byte("row"), nil
	})
}

// shown is closed when the metrics have the counts of the running unit.
var shown chan struct{}

func (f *slowFn) show(ctx context.Context) func() {
	show, first := Moving(ctx, "ingest", f.counters), true
	return func() {
		under := f.counters.Captures.Load() == 3
		if show(); under && first {
			first = false
			close(shown)
		}
	}
}

// FinishBundle waits for the unit.
func (f *slowFn) FinishBundle(_ context.Context, emit func([]byte)) error {
	return f.bundle.Finish(emit)
}

// TestMoving: counters change during a unit, and are exact at the end.
func TestMoving(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, runner := range []string{"direct", "prism"} {
		shown = make(chan struct{})
		p, s := beam.NewPipelineWithRoot()
		beam.ParDo(s, &slowFn{}, beam.CreateList(s, [][]byte{[]byte("unit")}))
		res, err := Pipeline(t.Context(), p, runner)
		if err != nil {
			t.Fatalf("on %s: %v", runner, err)
		}
		counted := map[string]int64{}
		for _, c := range res.Metrics().AllMetrics().Counters() {
			counted[c.Name()] = c.Result()
		}
		for name, want := range map[string]int64{"progress/captures": 7, "progress/bytes": 100, "progress/rejects": 1} {
			if counted[name] != want {
				t.Errorf("on %s, %s is %d, want %d", runner, name, counted[name], want)
			}
		}
	}
}

// TestBundle_showsAtTheEnd: a bundle whose elements fail still shows their counts.
func TestBundle_showsAtTheEnd(t *testing.T) {
	shows := 0
	b := NewBundle(t.Context(), 1)
	b.Show = func() { shows++ }
	failed := errors.New("failed")
	emit := func([]byte) {}
	if err := b.Start(emit, func(context.Context) ([]byte, error) { return nil, failed }); err != nil {
		t.Fatal(err)
	}
	if err := b.Finish(emit); !errors.Is(err, failed) || shows != 1 {
		t.Errorf("Finish = %v after %d shows, want the element's error and 1", err, shows)
	}
}

package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

func init() {
	beam.RegisterDoFn(&breakFn{})
}

// breakFn ends as in Mode.
type breakFn struct{ Mode string }

func (f *breakFn) ProcessElement(ctx context.Context, n int, emit func(int)) error {
	switch f.Mode {
	case "error":
		return fmt.Errorf("unit %d: a.warc.gz at 77: no space left", n)
	case "lines":
		return fmt.Errorf("unit %d: no space left\ncaused by a full disk", n)
	case "panic":
		panic("oh no")
	case "wait":
		close(waiting)
		<-ctx.Done()
		defer release()
		return ctx.Err()
	}
	beam.NewCounter("run", "elements").Inc(ctx, 1)
	emit(n)
	return nil
}

// The test of cancellation sets these for the function in this process.
var (
	waiting chan struct{}
	release func()
)

func pipelineOf(modes ...string) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	col := beam.Reshuffle(s, beam.Create(s, 7))
	for _, m := range modes {
		col = beam.ParDo(s, &breakFn{Mode: m}, col)
	}
	return p
}

func TestPipeline_errorIsTheFunctionsOwn(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, runner := range []string{"local", "direct", "prism"} {
		for _, tt := range []struct {
			name  string
			modes []string
			want  string
		}{
			{"error", []string{"error"}, "unit 7: a.warc.gz at 77: no space left"},
			{"lines", []string{"lines"}, "unit 7: no space left\ncaused by a full disk"},
			{"downstream", []string{"pass", "error"}, "unit 7: a.warc.gz at 77: no space left"},
			{"panic", []string{"panic"}, "panic: oh no (run.(*breakFn).ProcessElement at pipeline_test.go:"},
			{"panic downstream", []string{"pass", "panic"}, "panic: oh no (run.(*breakFn).ProcessElement at pipeline_test.go:"},
		} {
			t.Run(runner+" "+tt.name, func(t *testing.T) {
				_, err := Pipeline(t.Context(), pipelineOf(tt.modes...), runner)
				var failed *PipelineError
				if !errors.As(err, &failed) || failed.Full == nil {
					t.Fatalf("Pipeline = %v, want a PipelineError", err)
				}
				exact := !strings.Contains(tt.want, "panic")
				if exact && err.Error() != tt.want || !strings.HasPrefix(err.Error(), tt.want) || len(err.Error()) > 200 {
					t.Errorf("error = %q, want %q", err, tt.want)
				}
			})
		}
	}
}

func TestPipeline_resultHasMetrics(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, runner := range []string{"", "local", "direct", "prism"} {
		res, err := Pipeline(t.Context(), pipelineOf("pass"), runner)
		if err != nil {
			t.Fatalf("Pipeline on %q: %v", runner, err)
		}
		counters := res.Metrics().AllMetrics().Counters()
		if len(counters) != 1 || counters[0].Result() != 1 {
			t.Errorf("counters on %q = %v, want one of 1", runner, counters)
		}
	}
}

func TestPipeline_cancelIsTheContextsError(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	runners := []string{"local", "direct", "prism"}
	if raced {
		runners = runners[:1] // Beam's harness (v2.77) closes the channel of its responses during a send
	}
	for _, runner := range runners {
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan struct{})
		waiting, release = make(chan struct{}), sync.OnceFunc(func() { close(stopped) })
		go func() { <-waiting; cancel() }()
		_, err := Pipeline(ctx, pipelineOf("wait"), runner)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Pipeline on %s = %v, want %v", runner, err, context.Canceled)
		}
		select {
		case <-stopped:
		case <-time.After(10 * time.Second):
			t.Fatalf("on %s the function was not told to stop", runner)
		}
	}
}

func TestPipeline_usage(t *testing.T) {
	setOptions(t, "", "", "", "") // an earlier pipeline on prism leaves its own
	for _, tt := range []struct{ runner, want string }{
		{"drect", `unknown runner "drect"; did you mean direct?; there are local, direct, prism, flink, dataflow, universal`},
		{"spark", `unknown runner "spark"; there are local, direct, prism, flink, dataflow, universal`},
		{"flink", "--runner=flink needs --endpoint=host:8099 and --environment_type=LOOPBACK, PROCESS, EXTERNAL or DOCKER"},
		{"universal", "--runner=universal needs --endpoint=host:8099 and --environment_type=LOOPBACK, PROCESS, EXTERNAL " +
			"or DOCKER"},
		{"dataflow", "--runner=dataflow needs --project=my-project and --region=europe-west1 and " +
			"--staging_location=gs://bucket/staging"},
	} {
		_, err := Pipeline(t.Context(), nil, tt.runner)
		var usage *cli.UsageError
		if !errors.As(err, &usage) || usage.Message != tt.want {
			t.Errorf("Pipeline on %s = %v, want %q", tt.runner, err, tt.want)
		}
	}
	*jobopts.Async = true
	defer func() { *jobopts.Async = false }()
	if _, err := Pipeline(t.Context(), nil, "prism"); err == nil || !strings.Contains(err.Error(), "--async") {
		t.Errorf("Pipeline with --async on prism = %v, want a usage error", err)
	}
}

func TestResult_withoutInner(t *testing.T) {
	var r beam.PipelineResult = result{}
	if id := r.JobID(); id != "" {
		t.Errorf("JobID = %q", id)
	}
	if all := r.Metrics().AllMetrics().Counters(); len(all) != 0 {
		t.Errorf("Metrics = %v, want none", all)
	}
}

// broken is a result of universal's --async (Beam v2.77): its metrics are a nil pointer.
type broken struct{ m *metrics.Results }

func (b broken) Metrics() metrics.Results { return *b.m }
func (b broken) JobID() string            { return "job-1" }

func TestResult_withoutMetrics(t *testing.T) {
	r := result{broken{}}
	if all := r.Metrics().AllMetrics(); len(all.Counters())+len(all.Distributions()) != 0 || r.JobID() != "job-1" {
		t.Errorf("metrics = %v of %q, want none of job-1", all, r.JobID())
	}
}

func TestUseful(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"plain", "rpc error: refused", "rpc error: refused"},
		{"caused by", "failed to get metrics\n\tcaused by:\nrpc error: refused", "rpc error: refused"},
		{"escaped", `job failed: "DoFn[UID:4, PID:e4, Name: x.yFn] failed:\nunit 3: full`, "unit 3: full"},
		{"nested", "DoFn[UID:1] failed:\nDoFn[UID:2] failed:\ninner", "inner"},
		{"panic without a stack", "panic: oh no\nFull error:\nplan", "panic: oh no"},
		{"empty", "", ""},
		{"long", strings.Repeat("x", maxMessage+1), strings.Repeat("x", maxMessage) + " …"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := useful(tt.text); got != tt.want {
				t.Errorf("useful(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

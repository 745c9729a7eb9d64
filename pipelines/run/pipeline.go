//go:build !local

package run

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/gcpopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"

	// Runners register themselves; the harness makes this binary a worker when it is called as one. Beam's exec/optimized
	// is left out: its code for every pair of basic types takes 6 s to compile, and elements are few here.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness/init"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	//lint:ignore SA1019 the fastest on one machine by far, and what it hides prism shows: tests run on both
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	// Before Beam's packages are initialised.
	_ "github.com/gleaner-web/gleaner/pipelines/run/osuser"
)

const runnerHelp = "what runs the pipeline: local (this process, all cores), direct or prism (this process, by the " +
	"graph that clusters get, on Beam's runners of these names: a check), flink, dataflow, or universal (any other " +
	"portable runner)"

// Runners returns the values of --runner. The first three run in this process.
func Runners() []string { return []string{Local, Direct, prism, flink, Dataflow, universal} }

// Alone reports whether a runner uses only this process and its children.
func Alone(runner string) bool { return runner == Local || runner == Direct || runner == prism }

// Here, because package cli knows nothing of Beam.
func init() {
	shorten := func(text string) string { return strings.TrimPrefix(useful(text), "[SDK] ") }
	cli.Libraries(shorten, failsInPrism)
}

// Init starts Beam, once, before a pipeline is built. In a process that a runner started as a worker or to read
// documents, it does that work and does not return. Parse the flags first; Flags.Parse calls Init itself.
func Init() { initOnce() }

// Beam may be initialized only once.
var initOnce = sync.OnceFunc(func() {
	// Does not return in a process that reads documents.
	docsandbox.Main()
	beamlog.LogLevel = "warn" // at info every runner prints the plan
	// A worker ends with the program that started it. beam.Init does its work and does not return.
	if isWorker() {
		startWorker()
	}
	// A test may have started Beam.
	if !beam.Initialized() {
		beam.Init()
	}
	cli.UseLog() // after Init, which sets its own
})

// Pipeline runs p and waits for its end. It returns a UsageError for wrong flags of the runner, a PipelineError for a
// failed pipeline, and the context's cause when ctx ends. Without an error the result is not nil. Its metrics may be
// empty, as after --async and --dry_run. When ctx ends, a portable runner's job is cancelled unless
// --cancel_on_exit=false.
func Pipeline(ctx context.Context, p *beam.Pipeline, runner string) (beam.PipelineResult, error) {
	if runner == "" {
		runner = DefaultRunner
	}
	// Callers other than commands may not have checked.
	if err := CheckRunner(runner); err != nil {
		return nil, err
	}
	if err := CheckEndpoint(runner); err != nil {
		return nil, err
	}
	Init()
	if portable(runner) {
		if err := preparePortable(); err != nil {
			return nil, err
		}
	}
	// Libraries log much about an interrupt.
	defer context.AfterFunc(ctx, cli.Silence)()
	start := func() (beam.PipelineResult, error) { return beam.Run(ctx, ofBeam(runner), p) }
	if runner == Dataflow {
		start = func() (beam.PipelineResult, error) { return runDataflow(ctx, p) }
	}
	res, err := start()
	// An interrupt may cause any error, so its cause is returned instead.
	if ctx.Err() != nil {
		if portable(runner) {
			leave(os.Stderr, runner)
		}
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, &PipelineError{Runner: runner, Message: useful(err.Error()), Full: err}
	}
	return result{res}, nil
}

// ofBeam returns Beam's name of a runner. Graphs run by Local use Direct, which is also in this process.
func ofBeam(runner string) string {
	if runner == Local {
		return Direct
	}
	return runner
}

// CheckRunner returns a UsageError for a wrong runner or missing flags, before Beam would exit the process.
func CheckRunner(runner string) error {
	if !slices.Contains(Runners(), runner) {
		return cli.Usagef("unknown runner %q%s; there are %s", runner, cli.Suggest(runner, Runners(), ""),
			strings.Join(Runners(), ", "))
	}
	// The job would end with this process.
	if *jobopts.Async && Alone(runner) {
		return cli.Usagef("--async is for runners outside this process, and %s is inside", runner)
	}
	if flagValue("template_location") != "" && runner != Dataflow {
		return cli.Usagef("--template_location is for --runner=%s", Dataflow)
	}
	if DryRun() && runner != Dataflow {
		return cli.Usagef("--dry_run shows the job that --runner=%s would get; --plan, where a command has it, says what "+
			"would be done on every runner", Dataflow)
	}
	var missing []string
	// All missing flags are reported together.
	for _, need := range needs(runner) {
		if need.value == "" {
			missing = append(missing, need.flag)
		}
	}
	if len(missing) > 0 {
		return cli.Usagef("--runner=%s needs %s", runner, strings.Join(missing, " and "))
	}
	if portable(runner) {
		return checkEnvironment()
	}
	if runner == Dataflow {
		return checkDataflow()
	}
	return nil
}

// need is a required flag, with an example, and its value.
type need struct{ flag, value string }

// needs returns the required flags of a runner; Beam would report them one by one.
func needs(runner string) []need {
	switch runner {
	case flink, universal:
		return []need{
			{"--endpoint=host:8099", *jobopts.Endpoint},
			{"--environment_type=LOOPBACK, PROCESS, EXTERNAL or DOCKER", *jobopts.EnvironmentType},
		}
	case "dataflow":
		list := []need{
			{"--project=my-project", *gcpopts.Project},
			{"--region=europe-west1", *gcpopts.Region},
			{"--staging_location=gs://bucket/staging", flagValue("staging_location")},
		}
		if DryRun() {
			list = list[:2] // nothing is staged
		}
		return list
	}
	return nil
}

// result is a pipeline's result that is safe to use even if the runner returned none.
type result struct{ inner beam.PipelineResult }

// Metrics returns empty results if there are none, where Beam's results dereference nil (v2.77).
func (r result) Metrics() (m metrics.Results) {
	defer func() {
		if recover() != nil {
			m = metrics.Results{}
		}
	}()
	return r.inner.Metrics()
}

// JobID returns the runner's id of the job, or "" if there is none, where Beam's results dereference nil.
func (r result) JobID() (id string) {
	defer func() {
		if recover() != nil {
			id = ""
		}
	}()
	return r.inner.JobID()
}

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

// runnerHelp is what --runner takes, for the help.
const runnerHelp = "what runs the pipeline: local (this process, all cores), direct or prism (this process, by the " +
	"graph that clusters get, on Beam's runners of these names: a check), flink, dataflow, or universal (any other " +
	"portable runner)"

// Runners are the names that --runner takes.
// The first three are this process; the others are reached by a network.
func Runners() []string { return []string{Local, Direct, prism, flink, Dataflow, universal} }

// Alone reports whether a runner does everything in this process, and starts no other that is not its child.
func Alone(runner string) bool { return runner == Local || runner == Direct || runner == prism }

// It is done here and not in package cli, which knows nothing of Beam.
func init() {
	shorten := func(text string) string { return strings.TrimPrefix(useful(text), "[SDK] ") }
	cli.Libraries(shorten, failsInPrism)
}

// Init starts Beam, once: it must have run before a pipeline is built. In a process that a runner has started as a
// worker it does the worker's work and does not return, and likewise in one that reads documents for another. Flags
// must be parsed before; Flags.Parse calls Init itself.
func Init() { initOnce() }

// Once, because Beam may be initialised once; tests call it many times.
var initOnce = sync.OnceFunc(func() {
	// This does not return in a process that was started to read documents.
	docsandbox.Main()
	beamlog.LogLevel = "warn" // at info every runner prints the plan
	// A worker ends with the program that started it. Its work is done by beam.Init, which does not return.
	if isWorker() {
		startWorker()
	}
	// A test may have started Beam itself.
	if !beam.Initialized() {
		beam.Init()
	}
	cli.UseLog() // after Init, which sets its own
})

// Pipeline runs p and waits for its end. Mistakes in the runner's flags are a UsageError. When the pipeline fails, the
// error is a PipelineError; when ctx ended, it is the context's. The result is not nil when the error is, and its
// metrics are empty where the runner has none (after --async and --dry_run). The job of a portable runner is cancelled
// when ctx ends, unless --cancel_on_exit says otherwise.
func Pipeline(ctx context.Context, p *beam.Pipeline, runner string) (beam.PipelineResult, error) {
	if runner == "" {
		runner = DefaultRunner
	}
	// Both were checked by the command as well; other callers may not have.
	if err := CheckRunner(runner); err != nil {
		return nil, err
	}
	if err := CheckEndpoint(runner); err != nil {
		return nil, err
	}
	Init()
	// Flags of Beam that a user need not know are filled in.
	if portable(runner) {
		if err := preparePortable(); err != nil {
			return nil, err
		}
	}
	// Libraries complain of an interrupt in many words.
	defer context.AfterFunc(ctx, cli.Silence)()
	start := func() (beam.PipelineResult, error) { return beam.Run(ctx, ofBeam(runner), p) }
	if runner == Dataflow {
		start = func() (beam.PipelineResult, error) { return runDataflow(ctx, p) }
	}
	res, err := start()
	// The error of an interrupted run is whatever happened to fail first, so the cause is told in its place.
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

// ofBeam returns Beam's name of a runner. A graph that is run by Local, for a command that has no other way, is in this
// process as by Direct.
func ofBeam(runner string) string {
	if runner == Local {
		return Direct
	}
	return runner
}

// CheckRunner says what is wrong with a runner's name or what its flags lack, as a UsageError, before work begins and
// before Beam exits the process over it.
func CheckRunner(runner string) error {
	if !slices.Contains(Runners(), runner) {
		return cli.Usagef("unknown runner %q%s; there are %s", runner, cli.Suggest(runner, Runners(), ""),
			strings.Join(Runners(), ", "))
	}
	// Asynchronous means that this process ends before the job, and here the job would end with it.
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
	// All that is missing is said at once.
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

// need is a flag that a runner cannot do without, as an example of it, and its value.
type need struct{ flag, value string }

// needs are the flags without which a runner cannot begin; Beam would find that out one by one.
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

// result is a pipeline's result that can always be asked.
// It also stands for the results of runs that return none.
type result struct{ inner beam.PipelineResult }

// Metrics returns no metrics where there are none: Beam's results dereference nil then (v2.77).
func (r result) Metrics() (m metrics.Results) {
	defer func() {
		if recover() != nil {
			m = metrics.Results{}
		}
	}()
	return r.inner.Metrics()
}

// JobID is the runner's name for the job, "" when it has none. Beam's results dereference nil likewise.
func (r result) JobID() (id string) {
	defer func() {
		if recover() != nil {
			id = ""
		}
	}()
	return r.inner.JobID()
}

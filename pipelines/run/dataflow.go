//go:build !local

package run

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/gcpopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow/dataflowlib"
	dataflow "google.golang.org/api/dataflow/v1b3"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// checkDataflow finds mistakes that Beam would find late, or never, and chooses the workers' program.
func checkDataflow() error {
	for _, name := range []string{"staging_location", "temp_location"} {
		if v := flagValue(name); v != "" && !strings.HasPrefix(v, "gs://") {
			return cli.Usagef("--%s=%s is not in Google Cloud Storage: name a folder as gs://bucket/name", name, v)
		}
	}
	if DryRun() {
		return nil // no program is sent
	}
	return chooseWorkerBinary()
}

// DryRun reports whether the job is only to be shown: Pipeline then prints it, asks no service and runs nothing.
// The flag is Beam's own, which implements flag.Getter; a command's own flag of that name means something else.
func DryRun() bool {
	f := flag.Lookup("dry_run")
	if f == nil {
		return false
	}
	_, beams := f.Value.(flag.Getter)
	return beams && f.Value.String() == "true"
}

// Detached tells that Pipeline returns when the job is handed over, and not when it has ended: after --async, and where
// a launcher of templates submits it.
// A launcher only wants the job's description in a file, and submits it itself.
func Detached() bool { return *jobopts.Async || flagValue("template_location") != "" }

// CheckWaits is a UsageError when Pipeline would not wait for the job's end, for commands that have to do something
// after it.
func CheckWaits() error {
	if Detached() {
		return cli.Usagef("--async and templates of jobs are not for this command: it has to wait for the job's end")
	}
	return nil
}

// dataflowEnded asks the service whether a job has ended.
func dataflowEnded(ctx context.Context, j Job) error {
	client, err := dataflowClient(ctx)
	if err != nil {
		return fmt.Errorf("ask Dataflow about the job %s: %w", j.Name, err)
	}
	active := false
	// ACTIVE leaves out all jobs that have ended, which are many; names of active jobs are unique in a region.
	err = client.Projects.Locations.Jobs.List(j.Project, j.Region).Filter("ACTIVE").Pages(ctx,
		func(page *dataflow.ListJobsResponse) error {
			for _, other := range page.Jobs {
				active = active || other.Name == j.Name
			}
			return nil
		})
	if err != nil {
		return fmt.Errorf("ask Dataflow about the job %s: %w", j.Name, err)
	}
	if active {
		return fmt.Errorf("the job %s has not ended (Dataflow, project %s, region %s); wait for it, or cancel it", j.Name,
			j.Project, j.Region)
	}
	return nil
}

// The endpoint is another one in tests.
func dataflowClient(ctx context.Context) (*dataflow.Service, error) {
	return dataflowlib.NewClient(ctx, flagValue("dataflow_endpoint"))
}

// submitted is the result of a job of which no more is known than its id.
type submitted string

// JobID is the service's name for the job.
func (s submitted) JobID() string { return string(s) }

// Metrics are none: counts come from the rows of the folder.
func (s submitted) Metrics() metrics.Results { return metrics.Results{} }

// runDataflow submits p and waits for the job's end, unless it is not to. Beam itself would wait without an ear for
// ctx, take a cancelled job for a good one, and say of a failed one that it failed.
func runDataflow(ctx context.Context, p *beam.Pipeline) (beam.PipelineResult, error) {
	if DryRun() {
		return nil, showJob(p)
	}
	id, err := submitDataflow(ctx, p)
	res := submitted(id)
	if err != nil {
		return nil, err
	}
	if id == "" { // a template: another process submits it
		return res, nil
	}
	cli.Note(os.Stderr, "dataflow: submitted %s, job %s", *jobopts.JobName, id)
	if Detached() {
		return res, nil
	}
	// The client asks as often as the job lasts, so that it is made once.
	client, err := dataflowClient(ctx)
	if err != nil {
		return nil, err
	}
	return res, (&remoteJob{jobs: client.Projects.Locations.Jobs, id: id, log: os.Stderr, sleep: sleep}).wait(ctx)
}

// showJob prints the job. Beam prints it to its log, and to nothing else. Before that it asks the bucket for advice on
// its settings: under a context that has ended it gets none, and no bucket is needed.
func showJob(p *beam.Pipeline) error {
	if flagValue("staging_location") == "" {
		if err := flag.Set("staging_location", "gs://bucket/staging"); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	beamlog.SetLogger(jobPrinter{w: os.Stdout, least: beamlog.SevError})
	_, err := beam.Run(ctx, Dataflow, p)
	return err
}

// jobPrinter is a log that prints the job, which a dry run logs as JSON, and leaves out the rest, above all the plan.
type jobPrinter struct {
	w     io.Writer
	least beamlog.Severity // of other messages that are shown
}

// Log prints a message, if it is the job.
func (p jobPrinter) Log(_ context.Context, severity beamlog.Severity, _ int, message string) {
	switch {
	// The job is the one message that is JSON.
	case strings.HasPrefix(message, "{"):
		cli.Say(p.w, "%s\n", message)
	case severity >= p.least:
		cli.Note(os.Stderr, "dataflow: %s", useful(message))
	}
}

// remoteJob is a job that was submitted.
// It is apart from Beam so that tests can answer for the service.
type remoteJob struct {
	jobs  *dataflow.ProjectsLocationsJobsService
	id    string
	log   io.Writer
	sleep func(context.Context, time.Duration)
	state string // that was printed last
}

// How often the service is asked about a job, and how many failures in a row are borne: with the longest pause, five
// minutes.
const (
	firstPause  = time.Second
	longPause   = 30 * time.Second
	maxFailures = 10
)

// wait waits for the job's end. When ctx ends, it has the job cancelled.
func (j *remoteJob) wait(ctx context.Context) error {
	failures := 0
	// Short pauses first, because jobs that are wrong fail early.
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		if ctx.Err() != nil {
			// The context has ended, and the request that cancels needs one that has not.
			j.cancel(context.WithoutCancel(ctx))
			return context.Cause(ctx)
		}
		job, err := j.jobs.Get(*gcpopts.Project, *gcpopts.Region, j.id).Context(ctx).Do()
		switch {
		case err == nil:
			failures = 0
			if ended, err := j.ended(ctx, job.CurrentState); ended {
				return err
			}
		// A request that fails may be the network; only many in a row are given up for.
		case ctx.Err() == nil:
			if failures++; failures == maxFailures {
				return fmt.Errorf("lost sight of job %s of Dataflow, which may go on: %w", j.id, err)
			}
		}
		j.sleep(ctx, pause)
	}
}

// ended reports whether a job in this state has ended, and how.
// The state is printed when it changes.
func (j *remoteJob) ended(ctx context.Context, state string) (bool, error) {
	if state != j.state {
		j.state = state
		cli.Note(j.log, "dataflow: job %s: %s", j.id, strings.ToLower(strings.TrimPrefix(state, "JOB_STATE_")))
	}
	switch state {
	case "JOB_STATE_DONE":
		return true, nil
	// A cancelled or drained job has not done all its units, whatever the service calls a success.
	case "JOB_STATE_FAILED", "JOB_STATE_CANCELLED", "JOB_STATE_DRAINED", "JOB_STATE_UPDATED":
		return true, fmt.Errorf("job %s of Dataflow ended as %s%s", j.id, state, j.why(ctx))
	}
	return false, nil
}

// maxErrors is how many of a job's errors are shown: it repeats each bundle four times.
const maxErrors = 3

// why is what the job's last errors say, as far as the service tells.
// Errors of this request are of no interest: it is only about better words.
func (j *remoteJob) why(ctx context.Context) string {
	list, err := j.jobs.Messages.List(*gcpopts.Project, *gcpopts.Region,
		j.id).MinimumImportance("JOB_MESSAGE_ERROR").Context(ctx).Do()
	if err != nil || len(list.JobMessages) == 0 {
		return "; its log says why"
	}
	var b strings.Builder
	// The last ones are the nearest to the end of the job.
	for _, m := range list.JobMessages[max(0, len(list.JobMessages)-maxErrors):] {
		fmt.Fprintf(&b, "\n%s", useful(m.MessageText))
	}
	return b.String()
}

// cancelWithin bounds how long an interrupted command waits for the service.
const cancelWithin = 10 * time.Second

// cancel asks the service to cancel the job, which goes on without this process otherwise.
func (j *remoteJob) cancel(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, cancelWithin)
	defer stop()
	_, err := j.jobs.Update(*gcpopts.Project, *gcpopts.Region, j.id,
		&dataflow.Job{RequestedState: "JOB_STATE_CANCELLED"}).Context(ctx).Do()
	if err != nil {
		cli.Note(j.log, "dataflow: job %s could not be cancelled and goes on: %v", j.id, err)
		return
	}
	cli.Note(j.log, "dataflow: asked to cancel job %s; its workers stop within minutes", j.id)
}

// sleep waits, unless ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

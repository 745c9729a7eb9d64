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

// checkDataflow finds mistakes that Beam finds late or never, and chooses the workers' program.
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

// DryRun reports whether the job is only shown: Pipeline prints it and asks no service. The flag is Beam's, which
// implements flag.Getter; other flags of that name belong to a command.
func DryRun() bool {
	f := flag.Lookup("dry_run")
	if f == nil {
		return false
	}
	_, beams := f.Value.(flag.Getter)
	return beams && f.Value.String() == "true"
}

// Detached reports whether Pipeline returns after handing over the job: with --async, and for launchers of templates,
// which submit the job from a file.
func Detached() bool { return *jobopts.Async || flagValue("template_location") != "" }

// CheckWaits returns a UsageError if Pipeline would not wait for the job, for commands with work afterwards.
func CheckWaits() error {
	if Detached() {
		return cli.Usagef("--async and templates of jobs are not for this command: it has to wait for the job's end")
	}
	return nil
}

func dataflowEnded(ctx context.Context, j Job) error {
	client, err := dataflowClient(ctx)
	if err != nil {
		return fmt.Errorf("ask Dataflow about the job %s: %w", j.Name, err)
	}
	active := false
	// ACTIVE skips the many ended jobs. Names of active jobs are unique in a region.
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

// Tests set another endpoint.
func dataflowClient(ctx context.Context) (*dataflow.Service, error) {
	return dataflowlib.NewClient(ctx, flagValue("dataflow_endpoint"))
}

// submitted is the result of a job, of which only the id is known.
type submitted string

// JobID returns the service's id of the job.
func (s submitted) JobID() string { return string(s) }

// Metrics returns none: counts come from the rows in the folder.
func (s submitted) Metrics() metrics.Results { return metrics.Results{} }

// runDataflow submits p and waits for its end unless Detached. Beam's own wait ignores ctx, accepts cancelled jobs,
// and gives no reason for failures.
func runDataflow(ctx context.Context, p *beam.Pipeline) (beam.PipelineResult, error) {
	if DryRun() {
		return nil, showJob(p)
	}
	id, err := submitDataflow(ctx, p)
	res := submitted(id)
	if err != nil {
		return nil, err
	}
	if id == "" { // a template, which another process submits
		return res, nil
	}
	cli.Note(os.Stderr, "dataflow: submitted %s, job %s", *jobopts.JobName, id)
	if Detached() {
		return res, nil
	}
	// One client for all requests.
	client, err := dataflowClient(ctx)
	if err != nil {
		return nil, err
	}
	return res, (&remoteJob{jobs: client.Projects.Locations.Jobs, id: id, log: os.Stderr, sleep: sleep}).wait(ctx)
}

// showJob prints the job, which Beam writes only to its log. Beam first asks the bucket for advice on its settings: a
// cancelled context avoids this.
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

// jobPrinter is a log that prints only the job, which a dry run logs as JSON, and severe messages.
type jobPrinter struct {
	w     io.Writer
	least beamlog.Severity // of other messages
}

func (p jobPrinter) Log(_ context.Context, severity beamlog.Severity, _ int, message string) {
	switch {
	// Only the job is JSON.
	case strings.HasPrefix(message, "{"):
		cli.Say(p.w, "%s\n", message)
	case severity >= p.least:
		cli.Note(os.Stderr, "dataflow: %s", useful(message))
	}
}

// remoteJob is a submitted job. It does not use Beam, so that tests can stand in for the service.
type remoteJob struct {
	jobs  *dataflow.ProjectsLocationsJobsService
	id    string
	log   io.Writer
	sleep func(context.Context, time.Duration)
	state string // the last printed state
}

// Pauses between requests, and how many failures in a row are tolerated: at the longest pause, five minutes.
const (
	firstPause  = time.Second
	longPause   = 30 * time.Second
	maxFailures = 10
)

// wait waits for the job's end, and cancels the job when ctx ends.
func (j *remoteJob) wait(ctx context.Context) error {
	failures := 0
	// Short pauses first, because wrong jobs fail early.
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		if ctx.Err() != nil {
			// The request needs a context that has not ended.
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
		// Single failures may come from the network.
		case ctx.Err() == nil:
			if failures++; failures == maxFailures {
				return fmt.Errorf("lost sight of job %s of Dataflow, which may go on: %w", j.id, err)
			}
		}
		j.sleep(ctx, pause)
	}
}

// ended reports whether a job in this state has ended, and how. It prints changes of the state.
func (j *remoteJob) ended(ctx context.Context, state string) (bool, error) {
	if state != j.state {
		j.state = state
		cli.Note(j.log, "dataflow: job %s: %s", j.id, strings.ToLower(strings.TrimPrefix(state, "JOB_STATE_")))
	}
	switch state {
	case "JOB_STATE_DONE":
		return true, nil
	// A cancelled or drained job has not done all its units.
	case "JOB_STATE_FAILED", "JOB_STATE_CANCELLED", "JOB_STATE_DRAINED", "JOB_STATE_UPDATED":
		return true, fmt.Errorf("job %s of Dataflow ended as %s%s", j.id, state, j.why(ctx))
	}
	return false, nil
}

// maxErrors is how many of a job's errors are shown; the job repeats each bundle four times.
const maxErrors = 3

// why describes the job's last errors if the service has them.
func (j *remoteJob) why(ctx context.Context) string {
	list, err := j.jobs.Messages.List(*gcpopts.Project, *gcpopts.Region,
		j.id).MinimumImportance("JOB_MESSAGE_ERROR").Context(ctx).Do()
	if err != nil || len(list.JobMessages) == 0 {
		return "; its log says why"
	}
	var b strings.Builder
	// The last errors are the closest to the job's end.
	for _, m := range list.JobMessages[max(0, len(list.JobMessages)-maxErrors):] {
		fmt.Fprintf(&b, "\n%s", useful(m.MessageText))
	}
	return b.String()
}

const cancelWithin = 10 * time.Second

// cancel asks the service to cancel the job, which would otherwise continue.
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

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

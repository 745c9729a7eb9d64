//go:build !local

package run

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"path"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/gcpopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Job identifies a job at its service, where it outlives its submitter. A note in the output folder has it, so that
// the next command can ask whether it has ended.
type Job struct {
	Runner   string `json:"runner"`
	Project  string `json:"project,omitempty"`
	Region   string `json:"region,omitempty"`
	Endpoint string `json:"endpoint,omitempty"` // URL of a portable runner's job server
	Flink    string `json:"flink,omitempty"`    // Flink's REST service, from --flink_rest
	Name     string `json:"name"`               // unique among active jobs
}

// NewJob names the job of the next pipeline after the command and its output, unless the user named it. It returns
// nil for a job that ends with this process. Call it before the pipeline runs, because it sets Beam's job name.
func NewJob(command, output, runner string) *Job {
	if runner != Dataflow && !portable(runner) {
		return nil
	}
	if !given("job_name") {
		*jobopts.JobName = jobName(command, output)
	}
	switch {
	case runner == Dataflow:
		return &Job{Runner: runner, Project: *gcpopts.Project, Region: *gcpopts.Region, Name: *jobopts.JobName}
	case loopback():
		return nil // this process is the worker
	}
	return &Job{Runner: runner, Endpoint: *jobopts.Endpoint, Flink: flinkREST, Name: *jobopts.JobName}
}

// jobName makes a readable name. Services allow lower-case letters, digits and hyphens. Its random end distinguishes
// jobs of one second.
func jobName(command, output string) string {
	base := noName().ReplaceAllString(strings.ToLower(path.Base(output)), "-")
	// A list of jobs shows the first words; the folder has the rest.
	base = strings.Trim(base[:min(len(base), 24)], "-")
	if base != "" {
		base += "-"
	}
	return fmt.Sprintf("gleaner-%s-%s%s-%s", command, base, time.Now().UTC().Format("20060102-150405"),
		strings.ToLower(rand.Text()[:6]))
}

var noName = pattern.Lazy(`[^a-z0-9]+`)

// Encode returns the note that JobEnded reads.
func (j *Job) Encode() []byte {
	data, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		panic(err) // strings always encode
	}
	return append(data, '\n')
}

// GoesOn reports whether the job continues after the pipeline has ended with err, so that its workers need the
// folder. After an interrupt that cancels a portable job, the cluster's state is unknown. Then the job counts as
// given up and its workers can no longer write.
func (j *Job) GoesOn(ctx context.Context, err error) bool {
	switch {
	case j == nil:
		return false
	case err == nil:
		return Detached()
	case j.Runner != Dataflow && ctx.Err() != nil:
		return !cancelOnExit
	}
	// It may have failed, or only be out of reach.
	return true
}

// JobEnded asks the service about the job of note. It returns nil if the job has ended or never existed, or else an
// error that says what to do. If over is set, it cancels a portable job instead of waiting: workers that continue can
// no longer write.
//
// For this reason an unreachable job server is not an error. For Dataflow it is one: refusing is better than doing a
// running job's work.
func JobEnded(ctx context.Context, note []byte, over bool) error {
	var j Job
	if err := json.Unmarshal(note, &j); err != nil {
		return fmt.Errorf("which job: %w", err)
	}
	switch {
	case j.Runner == Dataflow:
		return dataflowEnded(ctx, j)
	case !portable(j.Runner):
		return fmt.Errorf("a job of the runner %q, of which nothing is known here", j.Runner)
	case over:
		if err := j.cancel(ctx); err != nil {
			slog.Warn("the job that wrote to this folder may still be running; what it does is not written any more",
				"job", j.Name, "endpoint", j.Endpoint, "error", err)
		}
		return nil
	}
	active, err := j.active(ctx)
	if err != nil {
		slog.Warn("a job wrote to this folder and cannot be asked about; if it runs, what it does is not written any more",
			"job", j.Name, "endpoint", j.Endpoint, "error", err)
		return nil
	}
	if active {
		return fmt.Errorf("the job %s has not ended at %s; wait for it, cancel it, or start over with --fresh", j.Name,
			cmp.Or(j.Flink, j.Endpoint))
	}
	return nil
}

// given reports whether the flag is on the command line.
func given(name string) bool {
	found := false
	flag.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

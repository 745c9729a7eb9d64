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
	"regexp"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/gcpopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
)

// Job is a job as its service knows it. It outlives the process that submits it, whatever becomes of that.
// It is written into the output folder as a note, so that the next command can ask whether it has ended.
type Job struct {
	Runner   string `json:"runner"`
	Project  string `json:"project,omitempty"`
	Region   string `json:"region,omitempty"`
	Endpoint string `json:"endpoint,omitempty"` // of the job server of a portable runner
	Flink    string `json:"flink,omitempty"`    // Flink's REST service, where --flink_rest names it
	Name     string `json:"name"`               // one job of a name is active at a time
}

// NewJob names the job that the next pipeline on the runner becomes, by the command and its output; a name that the
// user gave stays. It returns nil for a job that ends with this process. It has to be called before the pipeline runs,
// because it sets the name that Beam submits.
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
		return nil // its worker is this process
	}
	return &Job{Runner: runner, Endpoint: *jobopts.Endpoint, Flink: flinkREST, Name: *jobopts.JobName}
}

// jobName is a name that tells people what runs. Services take small letters, digits and hyphens. The random end tells
// two runs of one second apart.
func jobName(command, output string) string {
	base := noName.ReplaceAllString(strings.ToLower(path.Base(output)), "-")
	// Who looks at a list of jobs reads the first words; the folder has the rest.
	base = strings.Trim(base[:min(len(base), 24)], "-")
	if base != "" {
		base += "-"
	}
	return fmt.Sprintf("gleaner-%s-%s%s-%s", command, base, time.Now().UTC().Format("20060102-150405"),
		strings.ToLower(rand.Text()[:6]))
}

var noName = regexp.MustCompile(`[^a-z0-9]+`)

// Encode is the note that JobEnded reads.
func (j *Job) Encode() []byte {
	data, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		panic(err) // texts have no errors
	}
	return append(data, '\n')
}

// GoesOn reports whether the job goes on when the pipeline has ended with err, so that its workers are to be left
// alone. Of an interrupt that cancels a portable job nobody knows whether the cluster has heard of it. Then the job is
// given up: its workers find the folder closed to them.
func (j *Job) GoesOn(ctx context.Context, err error) bool {
	switch {
	case j == nil:
		return false
	case err == nil:
		return Detached()
	case j.Runner != Dataflow && ctx.Err() != nil:
		return !cancelOnExit
	}
	// It may have failed, or only be out of sight.
	return true
}

// JobEnded asks the service about a job, whose JSON is note: nil when it has ended or never was, and otherwise what to
// do. A job of a portable runner that is not to be waited for, which is over, is cancelled; what it does all the same
// comes to nothing, since its workers find that another run has the folder. For that reason a job server that does not
// answer is not an error, while of Dataflow one is: it is better to refuse than to do the work of a job beside it.
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
// Lookup would not tell: a flag has a value also when it was not given.
func given(name string) bool {
	found := false
	flag.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

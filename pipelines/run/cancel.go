//go:build !local

package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// The flags --cancel_on_exit and --flink_rest are global, as those of the runners.
var (
	cancelOnExit bool
	flinkREST    string
)

func remoteFlags(f *cli.Flags) {
	f.Add(setting.Under("Running", []setting.Setting{{
		Name: "cancel_on_exit", Value: &cancelOnExit, Default: "true",
		Help: "cancel the job on flink or universal when this process is interrupted; otherwise it goes on by " +
			"itself",
		Example: "false",
	}, {
		Name: "flink_rest", Value: &flinkREST,
		Help: "Flink's REST service, host:port or a URL: an interrupt then cancels the job there too, since Beam's job " +
			"server may call a job cancelled that goes on",
		Example: "localhost:8081",
	}}))
}

// leave cancels the job of an interrupted submitter, or says that it continues. Beam itself leaves it running.
// Messages name the endpoint, where the user may have to look.
func leave(w io.Writer, runner string) {
	j := Job{Runner: runner, Endpoint: *jobopts.Endpoint, Flink: flinkREST, Name: *jobopts.JobName}
	if !cancelOnExit {
		cli.Note(w, "the job %s goes on at %s. To end it, %s", j.Name, j.Endpoint, j.howToEnd())
		return
	}
	// The command's context has ended, so this needs its own.
	err := j.cancel(context.Background())
	switch {
	case err != nil:
		cli.Note(w, "the job %s may still be running at %s, and what it does is not written any more: %v. To end it, %s",
			j.Name, j.Endpoint, err, j.howToEnd())
	// Beam's job server reports Flink jobs as cancelled that continue.
	case j.Runner == flink && j.Flink == "":
		cli.Note(w, "the job server at %s has cancelled the job %s, but Flink itself may continue it. To end it, %s. With "+
			"--flink_rest=HOST:PORT an interrupt ends it there too", j.Endpoint, j.Name, j.howToEnd())
	}
}

func (j Job) howToEnd() string {
	if j.Runner != flink {
		return "cancel it at its job server, where it has that name"
	}
	// The name as in named.
	return fmt.Sprintf("find it with `flink list`, as %s-…, and give its number to `flink cancel`",
		noJava().ReplaceAllString(strings.ToLower(j.Name), "0"))
}

// Limits for cancelling: its duration, the interval between checks, and how many checks in a row must find no job.
// One is not enough, because a job submitted during the interrupt appears late.
const (
	cancelLimit    = 10 * time.Second
	cancelInterval = 200 * time.Millisecond
	cancelLooks    = 3
)

// cancel cancels the job and waits for its end, at the job server and at Flink's own service if known. Flink may
// continue a job that Beam's job server has cancelled.
func (j Job) cancel(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, cancelLimit)
	defer stop()
	var errs []error
	if err := cancelJob(ctx, j.Endpoint, j.Name); err != nil {
		errs = append(errs, err)
	}
	if j.Flink == "" {
		return errors.Join(errs...)
	}
	// Flink is asked second, so that a job on its way there has arrived.
	if err := cancelFlink(ctx, j.Flink, j.Name); err != nil {
		return errors.Join(append(errs, err)...)
	}
	return nil // Flink runs the job, and it has ended
}

func (j Job) active(ctx context.Context) (bool, error) {
	ctx, stop := context.WithTimeout(ctx, cancelLimit)
	defer stop()
	if j.Flink != "" {
		ids, _, err := flinkJobs(ctx, j.Flink, j.Name)
		return len(ids) > 0, err
	}
	conn, err := grpcx.Dial(ctx, j.Endpoint, endpointLimit)
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close() }() // nothing is waiting
	ids, _, err := jobsNamed(ctx, jobpb.NewJobServiceClient(conn), j.Name)
	return len(ids) > 0, err
}

// cancelJob cancels the job of this name at a job server and waits until it has ended. Beam does not reveal the job's
// id earlier, so this finds it by its name, which is unique.
func cancelJob(ctx context.Context, endpoint, name string) error {
	conn, err := grpcx.Dial(ctx, endpoint, endpointLimit)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // nothing is waiting
	client := jobpb.NewJobServiceClient(conn)
	return cancelNamed(ctx, name,
		func() (ids []string, known int, err error) { return jobsNamed(ctx, client, name) },
		func(id string) error {
			_, err := client.Cancel(ctx, &jobpb.CancelJobRequest{JobId: id})
			return err
		})
}

// cancelNamed cancels the single active job and waits until there is none. It uses find for the ids of active jobs,
// and the number of jobs with the name in any state.
func cancelNamed(
	ctx context.Context, name string, find func() ([]string, int, error), end func(id string) error,
) error {
	seen := false
	// looks counts checks in a row that find no job.
	for looks := 0; looks < cancelLooks; looks++ {
		ids, known, err := find()
		if err != nil {
			return err
		}
		seen = seen || known > 0
		switch len(ids) {
		case 0:
		case 1:
			looks = 0
			// Repeated cancelling is harmless; the job is found until it has ended.
			if err := end(ids[0]); err != nil {
				return fmt.Errorf("cancel %s: %w", ids[0], err)
			}
		// Another job may have the user's name: cancelling the wrong one would be worse than leaving both.
		default:
			return fmt.Errorf("%d jobs have this name: %v", len(ids), ids)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(cancelInterval):
		}
	}
	if !seen {
		return fmt.Errorf("no job is known there by the name %s", name)
	}
	return nil
}

// jobsNamed returns the ids of active jobs with this name, and the number of jobs in any state.
func jobsNamed(ctx context.Context, client jobpb.JobServiceClient, name string) (ids []string, known int, err error) {
	jobs, err := client.GetJobs(ctx, &jobpb.GetJobsRequest{})
	if err != nil {
		return nil, 0, err
	}
	for _, j := range jobs.GetJobInfo() {
		// An id counts only without a name: that of the job ours_2 begins like the ids of ours.
		if !named(j.GetJobName(), name) && (j.GetJobName() != "" || !strings.HasPrefix(j.GetJobId(), name+"_")) {
			continue
		}
		known++
		switch j.GetState() {
		case jobpb.JobState_STOPPED, jobpb.JobState_DONE, jobpb.JobState_FAILED, jobpb.JobState_CANCELLED,
			jobpb.JobState_UPDATED, jobpb.JobState_DRAINED:
			continue // STOPPED jobs were prepared but never begun
		}
		ids = append(ids, j.GetJobId())
	}
	return ids, known, nil
}

// named reports whether a server's name of a job comes from the name given at submission. Flink's job server
// lower-cases the name, replaces other characters by 0, and appends user, time and a random number.
func named(called, name string) bool {
	rest, is := strings.CutPrefix(called, noJava().ReplaceAllString(strings.ToLower(name), "0"))
	return called == name || is && javaEnd().MatchString(rest)
}

var (
	noJava  = pattern.Lazy(`[^a-z0-9]`)
	javaEnd = pattern.Lazy(`^-[a-z0-9]*-[0-9]{10}-[0-9a-f]+$`)
)

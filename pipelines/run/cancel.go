package run

import (
	"context"
	"fmt"
	"io"
	"time"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// cancelOnExit is the flag --cancel_on_exit: global, as the flags of the runners are.
var cancelOnExit = new(bool)

// leave ends the job of an interrupted submitter, or says that it goes on. Beam itself leaves it running.
// Messages name the address as well as the job: the user may have to look there.
func leave(w io.Writer) {
	name, endpoint := *jobopts.JobName, *jobopts.Endpoint
	if !*cancelOnExit {
		cli.Say(w, "the job %s goes on at %s\n", name, endpoint)
		return
	}
	// The command's own context has ended, so that cancelling needs one of its own.
	ctx, cancel := context.WithTimeout(context.Background(), cancelLimit)
	defer cancel()
	if err := cancelJob(ctx, endpoint, name); err != nil {
		cli.Say(w, "the job %s may still be running at %s: %v\n", name, endpoint, err)
	}
}

// The times of cancelling: how long it may take, how often to look at the job, and how many times in turn it must be
// found to have ended. It is more than once because a job that was being submitted at the interrupt appears late.
const (
	cancelLimit    = 10 * time.Second
	cancelInterval = 200 * time.Millisecond
	cancelLooks    = 3
)

// cancelJob cancels the job of this name and waits until it has ended. Beam does not tell the id under which a job
// server keeps a job before the job has ended, so it is found by its name.
// The name is unique, since preparePortable makes one where the user has given none.
func cancelJob(ctx context.Context, endpoint, name string) error {
	conn, err := grpcx.Dial(ctx, endpoint, cancelLimit)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // nothing is waited for
	client := jobpb.NewJobServiceClient(conn)
	// looks counts how many times in turn no job was found: each job that is found sets it back.
	for looks := 0; looks < cancelLooks; looks++ {
		ids, err := active(ctx, client, name)
		if err != nil {
			return err
		}
		switch len(ids) {
		case 0:
		case 1:
			looks = 0
			// Cancelling again is harmless, and the job is found until it has ended.
			if _, err := client.Cancel(ctx, &jobpb.CancelJobRequest{JobId: ids[0]}); err != nil {
				return fmt.Errorf("cancel %s: %w", ids[0], err)
			}
		// The user gave a name that another job has: cancelling the wrong one would be worse than leaving both.
		default:
			return fmt.Errorf("%d jobs have this name: %v", len(ids), ids)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(cancelInterval):
		}
	}
	return nil
}

// active returns the ids of the jobs of this name that run or are about to.
func active(ctx context.Context, client jobpb.JobServiceClient, name string) ([]string, error) {
	jobs, err := client.GetJobs(ctx, &jobpb.GetJobsRequest{})
	if err != nil {
		return nil, err
	}
	var ids []string
	// All that have begun and not ended count, also those that are being cancelled.
	for _, j := range jobs.GetJobInfo() {
		switch j.GetState() {
		case jobpb.JobState_STOPPED, jobpb.JobState_DONE, jobpb.JobState_FAILED, jobpb.JobState_CANCELLED,
			jobpb.JobState_UPDATED, jobpb.JobState_DRAINED:
			continue // STOPPED is one that was prepared and never begun
		}
		if j.GetJobName() == name {
			ids = append(ids, j.GetJobId())
		}
	}
	return ids, nil
}

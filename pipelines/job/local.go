//go:build local

package job

import (
	"context"

	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// A program built with -tags local has these in place of clusters. The request's checks refuse their runners before a
// submission.

func submitSurvey(_ context.Context, s batch.Submission, _ unit.Job, _, _ batch.Listing) error {
	return run.CheckRunner(s.Runner)
}

// DryRun returns an error, because no runner is there to get a job.
func DryRun(_ context.Context, p *plan.Plan) error { return run.CheckRunner(p.Request.Runner) }

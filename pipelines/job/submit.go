//go:build !local

package job

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// DryRun prints the job for all units and changes nothing. It does not open the folder, so the job includes units
// that are already done.
func DryRun(ctx context.Context, p *plan.Plan) error {
	o, err := jobOf(p)
	if err != nil {
		return err
	}
	pipeline, s := beam.NewPipelineWithRoot()
	tasks, err := batch.List[unit.Task](nil, tasksOf(p, p.Own()))
	if err == nil {
		err = batch.Build(s, ingesting, ingest{o}, tasks, batch.Listing{})
	}
	if err != nil {
		return err
	}
	_, err = run.Pipeline(ctx, pipeline, p.Request.Runner)
	return err
}

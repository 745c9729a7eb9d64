//go:build !local

package job

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// submit runs a pass on a Beam runner.
func (c *Request) submit(ctx context.Context, out *collection.Collection, f folder.Folder, p pass) error {
	pipeline, root := beam.NewPipelineWithRoot()
	if err := batch.Build(root, ingesting, ingest{p.o}, p.todo, p.done); err != nil {
		return err
	}
	return c.pipeline(ctx, out, f, pipeline)
}

func (c *Request) pipeline(ctx context.Context, out *collection.Collection, f folder.Folder, p *beam.Pipeline) error {
	s := batch.Submission{
		Command: "ingest", Output: c.Output, Runner: c.Runner, Folder: f, Leave: out.Leave,
	}
	return s.Run(ctx, p)
}

// DryRun prints the job for all units and changes nothing. It does not open the folder, so the job includes units
// that are already done.
func (p *Plan) DryRun(ctx context.Context) error {
	c := p.request
	o, err := c.planned(p)
	if err != nil {
		return err
	}
	p.setKeys(&o)
	pipeline, s := beam.NewPipelineWithRoot()
	tasks, err := batch.List[unit.Task](nil, p.tasks(p.own()))
	if err == nil {
		err = batch.Build(s, ingesting, ingest{o}, tasks, batch.Listing{})
	}
	if err != nil {
		return err
	}
	_, err = run.Pipeline(ctx, pipeline, c.Runner)
	return err
}

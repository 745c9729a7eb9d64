//go:build !local

package job

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// submit does a pass on a runner of Beam's.
func (c *Request) submit(ctx context.Context, out *collection.Collection, f folder.Folder, p ingestPass) error {
	pipeline, root := beam.NewPipelineWithRoot()
	if err := batch.Build(root, ingesting, p.o, p.todo, p.done); err != nil {
		return err
	}
	return c.pipeline(ctx, out, f, pipeline)
}

// pipeline runs p.
func (c *Request) pipeline(ctx context.Context, out *collection.Collection, f folder.Folder, p *beam.Pipeline) error {
	s := batch.Submission{
		Command: "ingest", Output: c.Options.Output, Runner: c.Runner, Folder: f, Leave: out.Leave,
	}
	return s.Run(ctx, p)
}

// DryRun prints the job that would do all units, and touches nothing.
// The folder is not opened for it, so that units which are done already are among those that it shows.
func (p *Plan) DryRun(ctx context.Context) error {
	c := p.request
	o, err := c.planned(p)
	if err != nil {
		return err
	}
	p.setKeys(&o)
	pipeline, s := beam.NewPipelineWithRoot()
	tasks, err := batch.List[task](nil, p.tasks(p.own()))
	if err == nil {
		err = batch.Build(s, ingesting, o, tasks, batch.Listing{})
	}
	if err != nil {
		return err
	}
	_, err = run.Pipeline(ctx, pipeline, c.Runner)
	return err
}

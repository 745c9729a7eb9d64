//go:build !local

package batch

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func (s Submission) submit(ctx context.Context, kind string, w Work, todo, done Listing) error {
	p, root := beam.NewPipelineWithRoot()
	if err := Build(root, kind, w, todo, done); err != nil {
		return err
	}
	return s.Run(ctx, p)
}

// Run runs the pipeline. The folder first gets a note about a job that may outlive this process, so that the next run
// does not write beside it. The note is removed when the job succeeds.
func (s Submission) Run(ctx context.Context, p *beam.Pipeline) error {
	job := run.NewJob(s.Command, s.Output, s.Runner)
	if job == nil || s.Leave == nil {
		_, err := run.Pipeline(ctx, p, s.Runner)
		return err
	}
	if err := claim.NoteJob(s.Folder, job.Encode()); err != nil {
		return cli.OutputError(err)
	}
	_, err := run.Pipeline(ctx, p, s.Runner)
	switch {
	case job.GoesOn(ctx, err):
		s.Leave()
	case err == nil:
		return claim.ForgetJob(s.Folder)
	}
	return err
}

//go:build !local

package batch

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// Submission is a pipeline whose workers write to a folder that this process has opened.
type Submission struct {
	Command string // which makes the name of the job, together with Output
	Output  string
	Runner  string
	Folder  folder.Folder // of the output
	// Leave is called when the job goes on without this process: the folder's generation must not end with it. It is nil
	// where nothing is written, as for a job that is only shown.
	Leave func()
}

// Do does the units of todo and finishes them together with the rows of done: in this process where the runner is
// local, and by the graph of Build on the others.
func (s Submission) Do(ctx context.Context, kind string, w Work, todo, done Listing) error {
	if s.Runner == run.Local {
		return RunLocal(ctx, kind, w, todo, done)
	}
	p, root := beam.NewPipelineWithRoot()
	if err := Build(root, kind, w, todo, done); err != nil {
		return err
	}
	return s.Run(ctx, p)
}

// Run runs the pipeline. A job that would outlive this process is noted in the folder before it is sent, since one that
// nobody knows of could write there beside the next run; the note goes when the job has ended well.
func (s Submission) Run(ctx context.Context, p *beam.Pipeline) error {
	job := run.NewJob(s.Command, s.Output, s.Runner)
	if job == nil || s.Leave == nil {
		_, err := run.Pipeline(ctx, p, s.Runner)
		return err
	}
	if err := collection.NoteJob(s.Folder, job.Encode()); err != nil {
		return cli.OutputError(err)
	}
	_, err := run.Pipeline(ctx, p, s.Runner)
	switch {
	case job.GoesOn(ctx, err):
		s.Leave()
	case err == nil:
		return collection.ForgetJob(s.Folder)
	}
	return err
}

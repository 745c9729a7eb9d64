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

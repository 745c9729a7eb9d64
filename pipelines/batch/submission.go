package batch

import (
	"context"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// Submission is a pipeline whose workers write to a folder opened by this process.
type Submission struct {
	Command string // names the job, together with Output
	Output  string
	Runner  string
	Folder  folder.Folder // of the output
	// Leave is called if the job continues without this process, so that the folder's generation does not end. It is
	// nil if nothing is written.
	Leave func()
}

// Do does the units of todo and finishes them with the rows of done. It uses RunLocal for the local runner, or else
// the graph of Build.
func (s Submission) Do(ctx context.Context, kind string, w Work, todo, done Listing) error {
	if s.Runner == run.Local {
		return RunLocal(ctx, kind, w, todo, done)
	}
	return s.submit(ctx, kind, w, todo, done)
}

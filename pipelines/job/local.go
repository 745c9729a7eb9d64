//go:build local

package job

import (
	"context"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// A program built with -tags local has these in place of clusters, brokers and databases. The request's checks refuse
// their runners before a submission.

func (c *Request) submit(context.Context, *collection.Collection, folder.Folder, pass) error {
	return run.CheckRunner(c.Runner)
}

func (c *Request) submitSurvey(context.Context, *collection.Collection, folder.Folder, pass) error {
	return run.CheckRunner(c.Runner)
}

// DryRun returns an error, because no runner is there to get a job.
func (p *Plan) DryRun(context.Context) error { return run.CheckRunner(p.request.Runner) }

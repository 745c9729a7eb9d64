//go:build local

package job

import (
	"context"
	"errors"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// A program built with -tags local has these in place of clusters, brokers and databases. The request's checks refuse
// their runners before a submission.

func (c *Request) submit(context.Context, *collection.Collection, folder.Folder, ingestPass) error {
	return run.CheckRunner(c.Runner)
}

func (c *Request) submitSurvey(context.Context, *collection.Collection, folder.Folder, surveyPass) error {
	return run.CheckRunner(c.Runner)
}

// DryRun returns an error, because no runner is there to get a job.
func (p *Plan) DryRun(context.Context) error { return run.CheckRunner(p.request.Runner) }

func planTopic(_ context.Context, url string, _ Request) ([]schemas.Unit, map[string]string, error) {
	return nil, nil, cli.Usagef("%s: %s", url, cli.LeftOut)
}

// openTopic is never called, since no plan has a topic.
func openTopic(*engine, *blob.Store, schemas.Unit, archive.Options) reader { panic(cli.LeftOut) }

// sourceLookup finds nothing. The database is SQLite, a third of all dependencies to fetch and compile.
type sourceLookup struct{}

// Of returns nil.
func (*sourceLookup) Of(context.Context, string) (*schemas.Source, error) { return nil, nil }

// Close does nothing.
func (*sourceLookup) Close() error { return nil }

// openSources returns nil, since generationOf has refused the database.
func openSources(Options) (*sourceLookup, error) { return nil, nil }

func generationOf(context.Context, string) (string, error) { return "", errors.New(cli.LeftOut) }

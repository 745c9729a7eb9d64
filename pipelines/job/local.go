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

// What a program that is built with -tags local answers where the whole one asks clusters, brokers and databases.
// Runners are refused when the request is checked, so that no submission is reached by a command.

func (c *Request) submit(context.Context, *collection.Collection, folder.Folder, ingestPass) error {
	return run.CheckRunner(c.Runner)
}

func (c *Request) submitSurvey(context.Context, *collection.Collection, folder.Folder, surveyPass) error {
	return run.CheckRunner(c.Runner)
}

// DryRun shows no job: there is no runner that would get one.
func (p *Plan) DryRun(context.Context) error { return run.CheckRunner(p.request.Runner) }

// planTopic refuses a topic.
func planTopic(_ context.Context, url string, _ Request) ([]schemas.Unit, map[string]string, error) {
	return nil, nil, cli.Usagef("%s: %s", url, cli.LeftOut)
}

// openTopic is never called, since no plan has a topic.
func openTopic(*engine, *blob.Store, schemas.Unit, archive.Options) reader { panic(cli.LeftOut) }

// sourceLookup knows of none: the database is SQLite, which is a third of what there would be to fetch and compile.
type sourceLookup struct{}

// Of finds nothing.
func (*sourceLookup) Of(context.Context, string) (*schemas.Source, error) { return nil, nil }

// Close closes nothing.
func (*sourceLookup) Close() error { return nil }

// openSources opens none, since generationOf has refused it.
func openSources(Options) (*sourceLookup, error) { return nil, nil }

// generationOf refuses a database of sources.
func generationOf(context.Context, string) (string, error) { return "", errors.New(cli.LeftOut) }

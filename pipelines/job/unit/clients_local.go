//go:build local

package unit

import (
	"context"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// openTopic is never called, since no plan has a topic.
func openTopic(Job, *blob.Store, schemas.Unit, archive.Options) reader { panic(cli.LeftOut) }

// sourceLookup finds nothing. The database is SQLite, a third of all dependencies to fetch and compile.
type sourceLookup struct{}

// Of returns nil.
func (*sourceLookup) Of(context.Context, string) (*schemas.Source, error) { return nil, nil }

// Close does nothing.
func (*sourceLookup) Close() error { return nil }

// openSources returns nil, since generationOf has refused the database.
func openSources(Job) (*sourceLookup, error) { return nil, nil }

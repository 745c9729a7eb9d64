//go:build local

package job

import (
	"context"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

func planTopic(_ context.Context, url string, _ Request) ([]schemas.Unit, map[string]string, error) {
	return nil, nil, cli.Usagef("%s: %s", url, cli.LeftOut)
}

// openTopic is never called, since no plan has a topic.
func openTopic(*engine, *blob.Store, schemas.Unit, archive.Options) reader { panic(cli.LeftOut) }

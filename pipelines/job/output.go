package job

import (
	"context"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// wrapOutput is a variable so that tests can make outputs fail.
var wrapOutput = func(f folder.Folder) folder.Folder { return f }

func openOutput(ctx context.Context, o Options) folder.Folder {
	return wrapOutput(batch.Output(ctx, o.Output, o.Remote, o.Generation))
}

// outputError makes err a usage error if the folder cannot be used, as opposed to a disk that fails.
func outputError(err error) error {
	return cli.OutputError(err, collection.ErrForeign)
}

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

// open opens the output for a generation, or to read it, for none.
func (m Machine) open(ctx context.Context, g collection.Generation) folder.Folder {
	return wrapOutput(batch.Output(ctx, m.Output, m.Remote, g))
}

// outputError makes err a usage error if the folder cannot be used, as opposed to a disk that fails.
func outputError(err error) error {
	return cli.OutputError(err, collection.ErrForeign)
}

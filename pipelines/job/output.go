package job

import (
	"context"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// wrapOutput is what tests let go wrong.
// It is a variable for them alone, and nothing else changes it.
var wrapOutput = func(f folder.Folder) folder.Folder { return f }

// openOutput opens the folder that a run writes to.
func openOutput(ctx context.Context, o Options) folder.Folder {
	return wrapOutput(batch.Output(ctx, o.Output, o.Remote, o.Generation))
}

// outputError tells a folder that cannot be used from a disk that fails.
func outputError(err error) error {
	return cli.OutputError(err, collection.ErrForeign)
}

package job

import (
	"context"
	"errors"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// outputFolder is the folder that a run writes to, with the connections that reach it.
type outputFolder struct {
	folder.Folder
	store *blob.Store
}

// wrapOutput is what tests let go wrong.
var wrapOutput = func(f folder.Folder) folder.Folder { return f }

func openOutput(ctx context.Context, o Options) outputFolder {
	store := blob.New(o.Remote)
	return outputFolder{wrapOutput(folder.Open(ctx, o.Output, store)), store}
}

func (f outputFolder) Close() error { return errors.Join(f.Folder.Close(), f.store.Close()) }

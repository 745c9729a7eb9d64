package job

import (
	"context"
	"errors"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// outputFolder is the folder that a run writes to, with the connections that reach it.
// Close closes both; the folder does not own the connections.
type outputFolder struct {
	folder.Folder
	store *blob.Store
}

// wrapOutput is what tests let go wrong.
// It is a variable for them alone, and nothing else changes it.
var wrapOutput = func(f folder.Folder) folder.Folder { return f }

// openOutput opens it without a lock, as workers do: the lock is that of the process that runs the job.
func openOutput(ctx context.Context, o Options) outputFolder {
	store := blob.New(o.Remote)
	return outputFolder{wrapOutput(folder.Open(ctx, o.Output, store)), store}
}

func (f outputFolder) Close() error { return errors.Join(f.Folder.Close(), f.store.Close()) }

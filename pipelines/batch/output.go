package batch

import (
	"context"
	"errors"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Output opens an output folder, local or in a bucket, with its own connections; Close closes both. It takes no lock:
// the process that runs the job has it, and workers may write while its generation holds the folder.
func Output(ctx context.Context, name string, remote blob.Options, of claim.Generation) folder.Folder {
	// Each folder has its own store, so that units share no connections.
	store := blob.New(remote)
	return output{of.Guard(folder.Open(ctx, name, store)), store}
}

type output struct {
	folder.Folder
	store *blob.Store
}

// The folder closes first, because it writes through the store.
func (f output) Close() error { return errors.Join(f.Folder.Close(), f.store.Close()) }

package batch

import (
	"context"
	"errors"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Output opens an output folder, or one in a bucket, with connections of its own; Close closes both. It takes no lock:
// that is the business of the process which runs the job, and workers write beside it, while the run that they work for
// has the folder.
func Output(ctx context.Context, name string, remote blob.Options, of collection.Generation) folder.Folder {
	// A store for each folder that is opened: connections are not shared with units that go on.
	store := blob.New(remote)
	return output{of.Guard(folder.Open(ctx, name, store)), store}
}

type output struct {
	folder.Folder
	store *blob.Store
}

// The folder first: it writes through the store.
func (f output) Close() error { return errors.Join(f.Folder.Close(), f.store.Close()) }

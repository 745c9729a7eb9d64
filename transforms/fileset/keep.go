package fileset

import (
	"context"
	"io"

	"github.com/gleaner-web/gleaner/schemas"
)

// Keeper keeps the files of datasets whose strategy is archiveorg-*: as the folder of an item, or uploaded. Without one
// their files are verified, and nothing more.
type Keeper interface {
	// Item begins an item. Its manifest has safe paths, each once.
	Item(ctx context.Context, item *schemas.FilesetPlatformItem) (ItemKeeper, error)
}

// ItemKeeper keeps the files of one item. It is for one goroutine.
type ItemKeeper interface {
	// Existing tells of a file whether it is kept already: then what is returned is its status, StatusExistsLocal or
	// StatusExists, or StatusMismatchExists when there is another of its name, and its bytes are not read. "" is a file
	// that is wanted. Hashes that are known are filled in.
	Existing(f *schemas.ManifestFile) (status string, err error)
	// Create returns where the bytes of a file go while they are verified. Its Close is called when all of them were
	// written, whatever came of verifying; Keep or Drop is called after it.
	Create(f *schemas.ManifestFile) (io.WriteCloser, error)
	// Keep gives the file its place: it was verified.
	Keep(f *schemas.ManifestFile) error
	// Drop removes it: it is another than the platform says.
	Drop(f *schemas.ManifestFile) error
	// Commit ends an item all of whose files are kept. Of one that is taken up elsewhere, the status says what came of
	// it: StatusSuccess, StatusSuccessExisting when nothing was new, or StatusUploadError.
	Commit(manifest []schemas.ManifestFile) (status string, err error)
	// Abort ends an item that is not whole. After Commit it does nothing.
	Abort()
}

package fileset

import (
	"context"
	"io"

	"github.com/gleaner-web/gleaner/schemas"
)

// Keeper keeps the files of datasets with a strategy archiveorg-*: in an item's folder, or uploaded. Without one their
// files are only verified.
type Keeper interface {
	// Item begins an item. Its manifest has safe and distinct paths.
	Item(ctx context.Context, item *schemas.FilesetPlatformItem) (ItemKeeper, error)
}

// ItemKeeper keeps the files of one item. It is not safe for concurrent use.
type ItemKeeper interface {
	// Existing returns the status of a file that is kept already, whose bytes are then not read. It is
	// StatusExistsLocal, StatusExists, or StatusMismatchExists for another file of that name. It is "" for a wanted
	// file. Known hashes are filled in.
	Existing(f *schemas.ManifestFile) (status string, err error)
	// Create returns a writer for the bytes of a file during verification. Close follows when all were written,
	// whatever the outcome; then Keep or Drop.
	Create(f *schemas.ManifestFile) (io.WriteCloser, error)
	// Keep moves a verified file to its final place.
	Keep(f *schemas.ManifestFile) error
	// Drop removes a file that does not match.
	Drop(f *schemas.ManifestFile) error
	// Commit ends an item whose files are all kept. After an upload, status is StatusSuccess, StatusSuccessExisting if
	// nothing was new, or StatusUploadError.
	Commit(manifest []schemas.ManifestFile) (status string, err error)
	// Abort ends an incomplete item. After Commit it does nothing.
	Abort()
}

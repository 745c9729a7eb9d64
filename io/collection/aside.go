package collection

import (
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// asideFile is, in the hidden folder, where earlier versions put the manifest of a finished run while they made the
// sorted index. One is there when such a version was killed just then.
const asideFile = "manifest.json"

// Finished is ReadManifest for callers that continue with a change that did not end: without a manifest it is the one
// that was put aside.
func Finished(f folder.Folder) (schemas.Manifest, error) {
	m, err := holdings.ReadManifest(f)
	// The manifest in its place counts, whatever else there is.
	if !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	var aside schemas.Manifest
	if errAside := folder.ReadJSON(f, holdings.Hidden(asideFile), holdings.MaxManifestBytes, &aside); errAside != nil {
		return m, err // of the place where people look for it
	}
	return aside, nil
}

// Interrupted reports whether an earlier version was killed while it changed the collection in f: it has no manifest,
// and gets one again from the same command, or from the next run.
func Interrupted(f folder.Folder) bool {
	if _, err := f.Size(holdings.ManifestFile); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_, err := f.Size(holdings.Hidden(asideFile))
	return err == nil
}

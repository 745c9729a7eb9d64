package collection

import (
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// asideFile is, in the hidden folder, the manifest of a finished run while the sorted index is made anew. A manifest
// must not stand beside an index that is not the one it names, and without one nobody would know any longer what the
// run was asked for, if a compaction or a takedown is killed just then.
const asideFile = "manifest.json"

// setAside puts the manifest aside, if there is one, durably. In an object store it may be in both places after a kill:
// then nothing has changed yet.
func (c *Collection) setAside() error {
	if _, err := c.f.Size(ManifestFile); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	// Renamed and not copied: at each moment at least one of the two places has it.
	if err := c.f.Rename(ManifestFile, hidden(asideFile)); err != nil {
		return err
	}
	return errors.Join(c.f.Sync(""), c.f.Sync(hiddenDir))
}

// Finished is ReadManifest for who goes on with a change that did not end: without a manifest it is the one that was
// put aside.
func Finished(f folder.Folder) (schemas.Manifest, error) {
	m, err := ReadManifest(f)
	// The manifest in its place counts, whatever else there is.
	if !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	var aside schemas.Manifest
	if errAside := folder.ReadJSON(f, hidden(asideFile), maxManifestBytes, &aside); errAside != nil {
		return m, err // of the place where people look for it
	}
	return aside, nil
}

// Interrupted tells whether the collection in f was being changed, as by a compaction, when that was killed: it has no
// manifest, and gets one again from the same command, or from the next run.
func Interrupted(f folder.Folder) bool {
	if _, err := f.Size(ManifestFile); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_, err := f.Size(hidden(asideFile))
	return err == nil
}

package ledger

import (
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// AsideFile is the name, in the hidden folder, to which earlier versions moved a finished run's manifest while they
// made the index. The file exists only if such a version was killed meanwhile.
const AsideFile = "manifest.json"

// Finished is like ReadManifest, but without a manifest it returns the one that an interrupted change put aside. It is
// for callers that continue such a change.
func Finished(f folder.Folder) (schemas.Manifest, error) {
	m, err := holdings.ReadManifest(f)
	if !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	var aside schemas.Manifest
	if errAside := folder.ReadJSON(f, holdings.Hidden(AsideFile), holdings.MaxManifestBytes, &aside); errAside != nil {
		return m, err // the error that names the usual path
	}
	return aside, nil
}

// Interrupted reports whether an earlier version was killed while it changed the collection in f. The folder then has
// no manifest until the same command is repeated, or until the next run.
func Interrupted(f folder.Folder) bool {
	if _, err := f.Size(holdings.ManifestFile); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_, err := f.Size(holdings.Hidden(AsideFile))
	return err == nil
}

// RemoveManifest makes the run an unfinished one, durably.
func RemoveManifest(f folder.Folder) error {
	err := f.Remove(holdings.ManifestFile)
	for _, name := range []string{AsideFile, NextFile, ChangeFile} {
		err = errors.Join(err, f.Remove(holdings.Hidden(name)))
	}
	if err != nil {
		return err
	}
	return f.Sync("")
}

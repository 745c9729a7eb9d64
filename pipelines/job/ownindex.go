package job

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// lookups are what is asked of each index.
func (c Request) lookups(ctx context.Context, store *blob.Store, files []blob.Info) ([]schemas.Lookup, error) {
	all := make([]schemas.Lookup, len(files))
	for i, f := range files {
		// A base that was named holds for all indexes. Otherwise each is asked where its archives may be.
		all[i] = c.Lookup
		if c.Lookup.Base != "" {
			continue
		}
		var err error
		if all[i].Base, err = ownBase(ctx, store, f.Name); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// ownBase is the folder of the archives of an index that a run of ours has made, which is not where the index is: names
// in it are relative to what the names of the run's inputs begin with, and these may be relative to the run's working
// directory. It is "" for other indexes, and where that folder is no longer there.
func ownBase(ctx context.Context, store *blob.Store, index string) (string, error) {
	// Only a local file of the very name is taken for ours. For others the base is empty, which means the
	// index's own folder.
	path := schemas.PathOf(index)
	if blob.IsRemote(index) || filepath.Base(path) != collection.IndexFile {
		return "", nil
	}
	out := filepath.Dir(path)
	f := folder.Open(ctx, out, store)
	defer func() { _ = f.Close() }() // it is only read
	m, err := holdings.ReadManifest(f)
	// An index without a manifest beside it is somebody else's, or that of a run that was not finished.
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	base := holdings.ArchiveDir(m.Units)
	// In an object store nothing is relative, and the folder is not looked for.
	if blob.IsRemote(base) {
		return base, nil
	}
	// The first folder that exists is taken.
	for _, dir := range ownDirs(f, out, filepath.FromSlash(schemas.PathOf(base))) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return schemas.NameOf(dir), nil
		}
	}
	return "", nil
}

// ownDirs are where archives may be that were below base when a run wrote to out: there, below the working directory
// that the run had, or beside out, with which they may have been moved.
// At most two places are tried, and no folder is searched.
func ownDirs(f folder.Folder, out, base string) []string {
	if filepath.IsAbs(base) {
		return []string{base}
	}
	base = filepath.Clean(base) // "." for none
	wd, err := os.Getwd()
	asked, none := holdings.ReadAsked(f)
	if none != nil || err == nil && asked.Dir == wd {
		return []string{base, filepath.Join(out, "..", base)}
	}
	return []string{filepath.Join(asked.Dir, base), filepath.Join(out, "..", base)}
}

package plan

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// lookups returns the lookup of each index.
func (c Request) lookups(ctx context.Context, store *blob.Store, files []blob.Info) ([]schemas.Lookup, error) {
	all := make([]schemas.Lookup, len(files))
	for i, f := range files {
		// A base that the user gives is for all indexes; otherwise each index may have its own.
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

// ownBase returns the folder of the archives of an index that ingest has made. It returns "" for other indexes, and
// if that folder no longer exists. Names in the index are relative to the common start of the run's inputs, which may
// be relative to the run's working directory.
func ownBase(ctx context.Context, store *blob.Store, index string) (string, error) {
	// Only a local file with the exact name may be ours. Without a base, the index's own folder is the base.
	path := schemas.PathOf(index)
	if blob.IsRemote(index) || filepath.Base(path) != ledger.IndexFile {
		return "", nil
	}
	out := filepath.Dir(path)
	f := folder.Open(ctx, out, store)
	defer func() { _ = f.Close() }() // nothing was written
	m, err := holdings.ReadManifest(f)
	// Without a manifest the index is foreign, or its run did not finish.
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	base := holdings.ArchiveDir(m.Units)
	// Names in an object store are absolute, and the folder need not exist.
	if blob.IsRemote(base) {
		return base, nil
	}
	for _, dir := range ownDirs(f, out, filepath.FromSlash(schemas.PathOf(base))) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return schemas.NameOf(dir), nil
		}
	}
	return "", nil
}

// ownDirs returns the folders that may hold the archives of a run that wrote to out. They are base, relative to the
// run's working directory, or beside out, if both were moved.
func ownDirs(f folder.Folder, out, base string) []string {
	if filepath.IsAbs(base) {
		return []string{base}
	}
	base = filepath.Clean(base) // "." if empty
	wd, err := os.Getwd()
	asked, none := holdings.ReadLastRun(f)
	if none != nil || err == nil && asked.Dir == wd {
		return []string{base, filepath.Join(out, "..", base)}
	}
	return []string{filepath.Join(asked.Dir, base), filepath.Join(out, "..", base)}
}

package conversion

import (
	"cmp"
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// lost returns the first file of a finished conversion that is no longer in its folder, or "". In a bucket each file
// takes a request, so it looks only for the first one.
func lost(f folder.Folder, units int) (string, error) {
	isRemote := blob.IsRemote(f.Path(""))
	for i := range units {
		files := filesName(numbered(i, units))
		for name, err := range list(f, "", Row{UnitResult: schemas.UnitResult{Shards: []schemas.Shard{{Name: files}}}}) {
			if errors.Is(err, fs.ErrNotExist) {
				return files, nil
			}
			if err = cmp.Or(err, dump.CheckName(name)); err != nil {
				return "", err
			}
			_, err := f.Size(name)
			if errors.Is(err, fs.ErrNotExist) {
				return name, nil
			}
			if err != nil || isRemote {
				return "", err
			}
		}
	}
	return "", nil
}

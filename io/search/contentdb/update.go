package contentdb

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// IndexReport is what UpdateIndex did, and what there is now.
type IndexReport struct {
	index.Report
	Shards int    // that the collection has, without the lines of units that are in Parquet as well
	Dir    string // where the index lives
	Away   string // why that is not in the collection; "" when it is
	Bytes  int64  // of its files
}

// UpdateIndex brings the index of the collection in f up to date, as Open does, or makes it again. It does nothing when
// another process is at it or when nothing can be written, and the report says so.
func UpdateIndex(ctx context.Context, f folder.Folder, anew bool) (r IndexReport, err error) {
	// Open would bring the index up to date by itself; here its report is wanted, so it is opened without.
	db, err := Open(ctx, f, Options{NoIndex: true})
	if err != nil {
		return r, err
	}
	x, err := index.Open(ctx, f, index.Options{NoRevisits: !revisit.Has(db.manifest)})
	if err != nil {
		return r, err
	}
	// The same part as Open gives to the index: else each would undo what the other has done.
	part := db.toIndex()
	r.Shards = len(part.DocumentShards())
	r.Dir, r.Away = x.Dir()
	update := x.Update
	if anew {
		update = x.Rebuild
	}
	r.Report, err = update(ctx, part)
	// Closed first, so that the log beside it is counted when it is settled.
	if err = errors.Join(err, x.Close()); err != nil {
		return r, err
	}
	r.Bytes, err = sizeOf(r.Dir)
	return r, err
}

// sizeOf is how many bytes the files below a folder have. Other processes may remove some meanwhile.
func sizeOf(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				n += info.Size()
			}
		}
		// A file that is gone between the listing and the question has no bytes.
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	return n, err
}

// CheckIndex compares the index of the collection in f with its shards: see index.Index.Check. A collection without an
// index has nothing wrong with it.
func CheckIndex(ctx context.Context, f folder.Folder) (c index.Checked, err error) {
	db, err := Open(ctx, f, Options{NoIndex: true})
	if err != nil {
		return c, err
	}
	x, err := index.Open(ctx, f, index.Options{NoRevisits: !revisit.Has(db.manifest)})
	if err != nil {
		return c, err
	}
	c, err = x.Check(ctx, db.toIndex())
	return c, errors.Join(err, x.Close())
}

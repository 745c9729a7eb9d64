package contentdb

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// IndexReport is the result of UpdateIndex.
type IndexReport struct {
	index.Report
	Shards int    // in the collection, without JSON lines of units that have Parquet as well
	Dir    string // folder of the index
	Away   string // why Dir is not in the collection; "" if it is
	Bytes  int64  // size of its files
	Links  linkindex.Report
}

// UpdateOptions say how an index is made; the zero value takes the defaults.
type UpdateOptions struct {
	Rebuild     bool  // make it again
	MemoryBytes int64 // of its databases: see index.Options
}

// UpdateIndex brings the index of the collection in f up to date, as Open does, or makes it again. If another process
// is updating it, or nothing can be written, it does nothing, and the report says so.
func UpdateIndex(ctx context.Context, f folder.Folder, o UpdateOptions) (r IndexReport, err error) {
	// NoIndex, because Open would update it without a report.
	db, err := Open(ctx, f, Options{NoIndex: true})
	if err != nil {
		return r, err
	}
	x, err := index.Open(ctx, f, index.Options{NoRevisits: !revisit.Has(db.manifest), MemoryBytes: o.MemoryBytes})
	if err != nil {
		return r, err
	}
	// The same part as Open gives to the index: else each would undo what the other has done.
	part := db.toIndex()
	r.Shards = len(part.DocumentShards())
	r.Dir, r.Away = x.Dir()
	update := x.Update
	if o.Rebuild {
		update = x.Rebuild
	}
	r.Report, err = update(ctx, part)
	// Closed first, so that the size includes its log.
	if err = errors.Join(err, x.Close()); err != nil {
		return r, err
	}
	if r.Links, err = UpdateLinks(ctx, f, db.part, o.Rebuild); err != nil {
		return r, err
	}
	if err = db.updateImages(ctx, o.Rebuild); err != nil {
		return r, err
	}
	r.Bytes, err = sizeOf(r.Dir)
	return r, err
}

// PurgeIndex removes everything from the index that the collection in f no longer has, for takedowns. If making the
// index again costs less, it is removed. It is also removed if it cannot be kept: then lost says why. memory is what
// the index's databases may take, 0 for the default.
func PurgeIndex(ctx context.Context, f folder.Folder, memory int64) (lost, err error) {
	db, unread := Open(ctx, f, Options{NoIndex: true})
	x, lost := index.Open(ctx, f, index.Options{
		NoRevisits: unread == nil && !revisit.Has(db.manifest), MemoryBytes: memory,
	})
	if lost != nil {
		return lost, f.RemoveAll(holdings.Hidden("index"))
	}
	kept, lost := false, unread
	if unread == nil {
		kept, lost = x.KeepOnly(ctx, db.toIndex())
	}
	dir, _ := x.Dir()
	lost = errors.Join(lost, x.Close())
	switch {
	case lost == nil && kept:
		return nil, nil
	case ctx.Err() != nil: // another call goes on
		return nil, ctx.Err()
	}
	// Other users of a bucket have to remove theirs, or lose them with their next query.
	return lost, errors.Join(f.RemoveAll(holdings.Hidden("index")), os.RemoveAll(dir))
}

// sizeOf returns the size of the files below a folder. Other processes may remove some meanwhile.
func sizeOf(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				n += info.Size()
			}
		}
		// Files removed meanwhile have no size.
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	return n, err
}

// CheckIndex compares the index of the collection in f with its shards: see index.Index.Check. Without an index it
// finds nothing wrong.
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
	if err = errors.Join(err, x.Close()); err != nil {
		return c, err
	}
	problems, err := checkLinks(ctx, f, db.part)
	c.Problems = append(c.Problems, problems...)
	return c, err
}

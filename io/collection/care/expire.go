package care

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/seekpoint"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Expired is the result of Expire.
type Expired struct {
	Files int
	Bytes int64
}

// Expire removes the shards whose documents were moved, and shards that later compactions replaced. It keeps the shards
// in kept, to which a table's snapshots may refer.
func Expire(c Collection, kept map[string]bool) (done Expired, err error) {
	// Readers take shards from the manifest: it must name none of these before they go.
	if err := Refinish(c); err != nil {
		return done, err
	}
	f := c.Folder()
	k, err := c.Compaction()
	if err != nil {
		return done, err
	}
	var old []schemas.Shard
	for _, source := range k.Sources {
		old = append(old, source.Shards...)
	}
	for _, s := range append(old, k.Gone()...) {
		if kept[s.Name] {
			continue
		}
		size, err := f.Size(s.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = f.Remove(s.Name)
		}
		if err != nil {
			return done, fmt.Errorf("collection: expire: %w", err)
		}
		done.Files++
		done.Bytes += size
	}
	// Sources stay noted although their shards are gone: rows still list those shards.
	if len(k.Replaced) == 0 {
		return done, nil
	}
	k.Replaced = slices.DeleteFunc(k.Gone(), func(s schemas.Shard) bool { return !kept[s.Name] })
	return done, c.SaveCompaction(k)
}

// RemoveDerived removes the outlines and seek points that other packages made from the shards and archives, in the
// hidden folder. They are made again when needed. The search index is contentdb's.
func RemoveDerived(f folder.Folder) error {
	return errors.Join(f.Remove(holdings.Hidden("outlines.json")),
		f.RemoveAll(holdings.Hidden("query-*")), seekpoint.Clear(f))
}

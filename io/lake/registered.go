//go:build !noiceberg && !local

package lake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/gleaner-web/gleaner/schemas"
)

// After a sync, the shards of the manifest are saved, gzipped, as metadata/shards-<SHA-256 of the manifest>.json.gz.
// The table's property manifestKey names this list. The difference between the list and the current manifest is the
// change to make. The table's own files would not do: Spark may have rewritten them, and the old ones must not come
// back.

const (
	manifestKey = "gleaner.manifest" // property of the table and of snapshots
	// othersKey is a property of the table. It is set once a snapshot has expired in which another program removed
	// files: the table may lack shards of the manifest.
	othersKey = "gleaner.rewritten"
	// maxList limits a decompressed list. A million shards take 150 MB.
	maxList = 1 << 30
)

func listName(manifest string) string { return metadataDir + "/shards-" + manifest + ".json.gz" }

// saveList writes the list of a manifest. Every writer writes the same bytes.
func (t *Table) saveList(manifest string, shards []schemas.Shard) error {
	// The order is that of the manifest, so that the bytes depend on the manifest alone.
	data, err := json.Marshal(shards)
	if err == nil {
		data, err = gzipped(data)
	}
	if err == nil {
		// The name is the hash of the source, so an existing file has the same bytes.
		err = t.f.WriteNew(listName(manifest), data)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("lake: %w", err)
	}
	return nil
}

// readList reads the list of a manifest. For "" the list is empty.
func (t *Table) readList(manifest string) ([]schemas.Shard, error) {
	// A new table has no manifest yet.
	if manifest == "" {
		return nil, nil
	}
	name := listName(manifest)
	data, err := read(t.f, name, maxList)
	if errors.Is(err, fs.ErrNotExist) {
		// Without the list every shard would seem new, and the table would have rows twice.
		return nil, fmt.Errorf("lake: %s is gone, by which changes are known: remove metadata/ to make the table again", name)
	}
	if err == nil {
		// Others may write to the folder, so the decompressed size is limited.
		data, err = gunzip(data, maxList)
	}
	var shards []schemas.Shard
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(data)).Decode(&shards)
	}
	if err != nil {
		return nil, fmt.Errorf("lake: %s: %w", name, err)
	}
	return shards, nil
}

// changes returns the shards that only now has, and those that only before has. A shard with new bytes is in both.
func changes(before, now []schemas.Shard) (added, removed []schemas.Shard) {
	// The key is the whole Shard: name, size and hash.
	had := make(map[schemas.Shard]bool, len(before))
	for _, s := range before {
		had[s] = true
	}
	for _, s := range now {
		if !had[s] {
			added = append(added, s)
		}
		// The shards that remain in had are no longer in now.
		delete(had, s)
	}
	for _, s := range before {
		if had[s] {
			removed = append(removed, s)
		}
	}
	return added, removed
}

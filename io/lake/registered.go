package lake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/gleaner-web/gleaner/schemas"
)

// What the manifest had when the table was last brought to it is written down, gzipped, as metadata/shards-<SHA-256 of
// the manifest>.json.gz, and the table's property manifestKey names it. The difference between that and the manifest of
// now is what changes in the table. The table's own files would not do: Spark may have rewritten them, which must not
// bring the old ones back.

const (
	manifestKey = "gleaner.manifest" // property of the table and of snapshots
	// othersKey is a property of the table since a snapshot expired in which another program has removed files: shards of
	// the manifest may be missing from it.
	othersKey = "gleaner.rewritten"
	// maxList bounds such a list when it is decompressed: a million shards take 150 MB.
	maxList = 1 << 30
)

func listName(manifest string) string { return metadataDir + "/shards-" + manifest + ".json.gz" }

// saveList writes the list of a manifest. It is the same for all who write it.
func (t *Table) saveList(manifest string, shards []schemas.Shard) error {
	// In the manifest's order, so that the bytes depend on the manifest alone.
	data, err := json.Marshal(shards)
	if err == nil {
		data, err = gzipped(data)
	}
	if err == nil {
		// The name is the hash of what it was made of: one that is there already has the same bytes.
		err = t.f.WriteNew(listName(manifest), data)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("lake: %w", err)
	}
	return nil
}

// readList reads the list of a manifest; of "" it is empty.
func (t *Table) readList(manifest string) ([]schemas.Shard, error) {
	// A table that was just made, to which no manifest was brought yet.
	if manifest == "" {
		return nil, nil
	}
	name := listName(manifest)
	data, err := read(t.f, name, maxList)
	if errors.Is(err, fs.ErrNotExist) {
		// Without it every shard would seem new, and rows would be in the table twice.
		return nil, fmt.Errorf("lake: %s is gone, by which changes are known: remove metadata/ to make the table anew", name)
	}
	if err == nil {
		// The file is in a folder that others may write to: what it grows to is bounded.
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

// changes are what is in now and not in before, and the other way round. A shard with other bytes is in both.
func changes(before, now []schemas.Shard) (added, removed []schemas.Shard) {
	// The Shard is the key: name, size and hash together.
	had := make(map[schemas.Shard]bool, len(before))
	for _, s := range before {
		had[s] = true
	}
	for _, s := range now {
		if !had[s] {
			added = append(added, s)
		}
		// By the whole Shard, hash and size included. What is left in had is no more in now.
		delete(had, s)
	}
	for _, s := range before {
		if had[s] {
			removed = append(removed, s)
		}
	}
	return added, removed
}

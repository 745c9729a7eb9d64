package collection

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// dropUnits makes way for units that are done again under their keys, and so with the same shard names. Units that the
// manifest names are retired; others, of an interrupted run, are removed.
func (c *Collection) dropUnits(rows []Row) error {
	if len(rows) == 0 {
		return nil
	}
	m, err := holdings.ReadManifest(c.f)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	named := unitsNamed(m)
	var retired []Row
	for _, r := range rows {
		if named[nameOf(r.Key)] {
			retired = append(retired, r)
			continue
		}
		if err := c.dropRow(r); err != nil {
			return err
		}
	}
	if len(retired) == 0 {
		return nil
	}
	return c.retire(retired, m)
}

// retire gives units other keys and renames their shards to match, and rewrites the manifest with the new names. So the
// manifest names no file that is about to be written. No plan has the new keys: the next manifest leaves the units out.
//
// Each step leaves a valid collection. A retired unit that no manifest names yet is a waiting one.
func (c *Collection) retire(rows []Row, m schemas.Manifest) error {
	k, err := c.compaction()
	if err != nil {
		return err
	}
	k.Sources = slices.Clone(k.Sources)
	names := map[string]string{} // of shards: the new name by the old one
	moved := k.moved()
	for _, r := range rows {
		key := retiredKey(r)
		for _, s := range r.Shards {
			p, _ := holdings.FileTypeOf(s.Name) // the row was checked
			names[s.Name] = p.Name(nameOf(key)).String()
		}
		if err := c.copyAs(r, key, names, moved); err != nil {
			return err
		}
	}
	renamed := func(shards []schemas.Shard) []schemas.Shard {
		shards = slices.Clone(shards)
		for i, s := range shards {
			if name, is := names[s.Name]; is {
				shards[i].Name = name
			}
		}
		return shards
	}
	changed := false
	for i, s := range k.Sources {
		if len(s.Shards) == 0 || names[s.Shards[0].Name] == "" {
			continue
		}
		s.Retired = renamed(s.Shards)
		s.Unit, changed = unitName(s.Retired[0].Name), true
		k.Sources[i] = s
	}
	// The documents are noted under both names before the manifest changes to the new ones.
	if changed {
		if err := c.saveCompaction(k); err != nil {
			return err
		}
	}
	for i, u := range m.Units {
		m.Units[i].Shards = renamed(u.Shards)
	}
	data, err := EncodeManifest(m)
	if err == nil {
		err = c.f.Write(holdings.ManifestFile, data)
	}
	for _, r := range rows {
		if err == nil {
			err = c.dropRow(r)
		}
	}
	return err
}

// copyAs commits the shards of a unit again under another key. Shards whose documents were moved may be missing.
func (c *Collection) copyAs(r Row, key string, names map[string]string, moved movedShards) error {
	w := &Writer{f: c.f, row: r, unique: folder.Unique()}
	defer w.Abort()
	w.row.Key, w.row.Retired, w.row.Modified = key, r.Key, nil
	w.row.Shards = slices.Clone(r.Shards)
	for i, s := range r.Shards {
		w.row.Shards[i].Name = names[s.Name]
		if moved.has(s) {
			w.row.Modified = append(w.row.Modified, 0)
			continue
		}
		if w.link(s.Name, names[s.Name], r.Modified, i) {
			continue
		}
		if err := w.copyShard(c.f, s, names[s.Name]); err != nil {
			return err
		}
	}
	return w.publish()
}

// linker is a folder in which a file may have two names.
type linker interface {
	Link(from, to string) error
}

// link gives shard i of a row a second name instead of a copy, if the folder can. It reports whether it did. Shards are
// never written to, so sharing is safe.
func (w *Writer) link(from, to string, modified []int64, i int) bool {
	l, can := w.f.(linker)
	o := &output{f: w.f, name: to, temp: tempName(to, w.unique)}
	if !can || i >= len(modified) || l.Link(from, o.temp) != nil {
		return false
	}
	w.outputs, w.row.Modified = append(w.outputs, o), append(w.row.Modified, modified[i])
	return true
}

// retiredKey returns the key of a retired unit. It depends on the shards, so that it is unique.
func retiredKey(r Row) string {
	h := sha256.New()
	h.Write([]byte("retired" + r.Key))
	for _, s := range r.Shards {
		h.Write([]byte(s.SHA256))
	}
	return hex.EncodeToString(h.Sum(nil))
}

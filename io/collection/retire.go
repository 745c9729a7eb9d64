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

// dropUnits makes way for units that are done again under their keys, and so under the names of their shards. Those
// that the manifest names are retired; the others are of a run that was interrupted, and go.
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

// retire gives units other keys, and their shards the names of these, so that the manifest, which is written once more
// for that, names nothing that is about to be written. No plan has such a unit: the next manifest leaves it out.
//
// Each step leaves the collection as it was. A retired unit that no manifest names yet is one that waits.
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
	// Its documents have both names from here on, before the manifest knows one of them and not the other.
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

// copyAs commits the shards of a unit once more, under another key. Those whose documents were moved may be gone.
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

// link gives the shard i of a row a second name in place of a copy, where the folder can. Shards are never written to.
func (w *Writer) link(from, to string, modified []int64, i int) bool {
	l, can := w.f.(linker)
	o := &output{f: w.f, name: to, temp: tempName(to, w.unique)}
	if !can || i >= len(modified) || l.Link(from, o.temp) != nil {
		return false
	}
	w.outputs, w.row.Modified = append(w.outputs, o), append(w.row.Modified, modified[i])
	return true
}

// retiredKey is the key of a unit that is retired: by what it holds, so that no two have one.
func retiredKey(r Row) string {
	h := sha256.New()
	h.Write([]byte("retired" + r.Key)) // a hash never fails to write
	for _, s := range r.Shards {
		h.Write([]byte(s.SHA256))
	}
	return hex.EncodeToString(h.Sum(nil))
}

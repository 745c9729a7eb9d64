package collection

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/schemas"
)

// dropUnits makes way for units that are done again under their keys, and so with the same shard names. Units that the
// manifest names are retired; others, of an interrupted run, are removed.
func (c *Collection) dropUnits(rows []ledger.Row) error {
	if len(rows) == 0 {
		return nil
	}
	m, err := holdings.ReadManifest(c.f)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	named := ledger.UnitsOf(m)
	var retired []ledger.Row
	for _, r := range rows {
		if named[ledger.UnitOfKey(r.Key)] {
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
func (c *Collection) retire(rows []ledger.Row, m schemas.Manifest) error {
	k, err := c.Compaction()
	if err != nil {
		return err
	}
	k.Sources = slices.Clone(k.Sources)
	names := map[string]string{} // of shards: the new name by the old one
	moved := k.Moved()
	for _, r := range rows {
		key := retiredKey(r)
		for _, s := range r.Shards {
			p, _ := holdings.FileTypeOf(s.Name) // the row was checked
			names[s.Name] = p.Name(ledger.UnitOfKey(key)).String()
		}
		if err := shard.CopyAs(c.f, r, key, names, moved); err != nil {
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
		s.Unit, changed = ledger.UnitOfName(s.Retired[0].Name), true
		k.Sources[i] = s
	}
	// The documents are noted under both names before the manifest changes to the new ones.
	if changed {
		if err := c.SaveCompaction(k); err != nil {
			return err
		}
	}
	for i, u := range m.Units {
		m.Units[i].Shards = renamed(u.Shards)
	}
	data, err := ledger.EncodeManifest(m)
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

// retiredKey returns the key of a retired unit. It depends on the shards, so that it is unique.
func retiredKey(r ledger.Row) string {
	h := sha256.New()
	h.Write([]byte("retired" + r.Key))
	for _, s := range r.Shards {
		h.Write([]byte(s.SHA256))
	}
	return hex.EncodeToString(h.Sum(nil))
}

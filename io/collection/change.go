package collection

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// A change keeps the manifest and all files it names until the next manifest is renamed over it. Files that must change
// together with the manifest are first written under other names and then recorded in a note. With the note the change
// is committed: the next process to open the folder completes it. See "Changes" in docs/design.md.

// saveChange writes the note, or removes it if it is empty.
func (c *Collection) saveChange(ch ledger.Change) error {
	if !ch.Running && len(ch.Waiting) == 0 && ch.Commit == nil {
		return c.f.Remove(holdings.Hidden(ledger.ChangeFile))
	}
	data, err := folder.EncodeJSON(ch)
	if err == nil {
		err = c.f.Write(holdings.Hidden(ledger.ChangeFile), data)
	}
	return err
}

// Begin notes that a run begins. If the run is killed, its units are then none of the collection's. Resume does so
// itself.
func (c *Collection) Begin() error {
	return c.saveChange(ledger.Change{Running: true, Waiting: c.waiting})
}

// commitChange makes m the manifest, together with the other files of the commit, and then removes what nothing names
// any more.
func (c *Collection) commitChange(m schemas.Manifest, ch ledger.Change) error {
	data, err := ledger.EncodeManifest(m)
	if err != nil {
		return err
	}
	ch.Commit.Manifest = sumOf(data)
	// A manifest alone is replaced in one step. Other files need the next manifest on disk first.
	if ch.Commit.More() {
		if err := c.f.Write(holdings.Hidden(ledger.NextFile), data); err != nil {
			return err
		}
	}
	if err := c.saveChange(ch); err != nil {
		return err
	}
	if err := c.publishNext(*ch.Commit, data); err != nil {
		return err
	}
	return c.endChange(m, ch)
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// publishNext renames the prepared files, the manifest last.
func (c *Collection) publishNext(k ledger.Commit, manifest []byte) error {
	if err := c.publishIndex(k); err != nil {
		return err
	}
	if k.Compaction != nil {
		if err := c.SaveCompaction(*k.Compaction); err != nil {
			return err
		}
	}
	if err := c.f.Write(holdings.ManifestFile, manifest); err != nil {
		return err
	}
	return errors.Join(c.f.Remove(holdings.Hidden(ledger.AsideFile)), c.f.Remove(holdings.Hidden(ledger.NextFile)))
}

// publishIndex renames or removes the index, unless an earlier attempt did.
func (c *Collection) publishIndex(k ledger.Commit) error {
	switch {
	case k.Index != "":
		if err := c.f.Rename(k.Index, ledger.IndexFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	case k.NoIndex:
		if err := c.f.Remove(ledger.IndexFile); err != nil {
			return err
		}
	default:
		return nil
	}
	return c.f.Sync("")
}

// endChange removes what neither the manifest nor the note names, and then updates the note.
func (c *Collection) endChange(m schemas.Manifest, ch ledger.Change) error {
	if err := c.clear(m, ch.Waiting); err != nil {
		return err
	}
	keys, err := ledger.Keys(c.f)
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(slices.Clone(ch.Waiting), func(key string) bool { return !slices.Contains(keys, key) })
	return c.saveChange(ledger.Change{Running: ch.Commit.Running, Waiting: left})
}

// settleChange completes a change that was committed before its process was killed. It removes leftovers of a change
// that was not committed.
func (c *Collection) settleChange() error {
	ch, _, err := ledger.ReadChange(c.f)
	if err != nil {
		return err
	}
	m, committed, err := c.settleCommit(ch.Commit)
	if err != nil {
		return err
	}
	if committed {
		return c.endChange(m, ch)
	}
	if ch.Commit != nil {
		ch.Commit = nil
		err = c.saveChange(ch)
	}
	return errors.Join(err, c.f.Remove(holdings.Hidden(ledger.NextFile)))
}

// settleCommit publishes the manifest of a commit that was interrupted. If the commit cannot be completed, it returns
// committed false.
func (c *Collection) settleCommit(k *ledger.Commit) (m schemas.Manifest, committed bool, err error) {
	if k == nil {
		return m, false, nil
	}
	name := holdings.Hidden(ledger.NextFile)
	data, err := folder.ReadFile(c.f, name, holdings.MaxManifestBytes)
	next := err == nil
	if errors.Is(err, fs.ErrNotExist) {
		name = holdings.ManifestFile
		data, err = folder.ReadFile(c.f, name, holdings.MaxManifestBytes)
	}
	if errors.Is(err, fs.ErrNotExist) || err == nil && sumOf(data) != k.Manifest {
		return m, false, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		return m, false, fmt.Errorf("%s: %w", c.f.Path(name), err)
	}
	if !next {
		return m, true, nil
	}
	if err := c.publishIndex(*k); err != nil {
		return m, false, err
	}
	// In an object store the index may not have been uploaded. Then the change is dropped.
	if !c.indexIs(m) {
		return m, false, nil
	}
	return m, true, c.publishNext(*k, data)
}

// indexIs reports whether the index file is the one that m lists.
func (c *Collection) indexIs(m schemas.Manifest) bool {
	size, sum, err := ledger.HashFile(c.f, ledger.IndexFile)
	there := schemas.Shard{Name: ledger.IndexFile, Bytes: size, SHA256: sum}
	if len(m.Files) == 0 {
		return errors.Is(err, fs.ErrNotExist)
	}
	return err == nil && slices.Contains(m.Files, there)
}

// clear removes shards and rows that belong neither to the manifest's units nor to waiting ones. Shards go first: a
// crash leaves at most rows without shards.
func (c *Collection) clear(m schemas.Manifest, waiting []string) error {
	k, err := c.Compaction()
	if err != nil {
		return err
	}
	wanted, waits := map[string]bool{}, map[string]bool{}
	for _, u := range m.Units {
		for _, s := range u.Shards {
			wanted[s.Name] = true
		}
	}
	// Shards that a compaction replaced stay until they expire.
	for _, s := range k.Files() {
		wanted[s.Name] = true
	}
	for name := range k.Moved() {
		wanted[name] = true
	}
	for _, key := range waiting {
		waits[ledger.UnitOfKey(key)] = true
	}
	names, err := c.f.Names("")
	if err != nil {
		return err
	}
	for _, name := range names {
		if !ledger.IsShard(name) || wanted[name] || waits[ledger.UnitOfName(name)] {
			continue
		}
		if err := c.removeShard(name); err != nil {
			return err
		}
	}
	return c.removeRows(ledger.UnitsOf(m), waits)
}

// removeRows removes the rows of all units except these.
func (c *Collection) removeRows(named, waits map[string]bool) error {
	keys, err := ledger.Keys(c.f)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if unit := ledger.UnitOfKey(key); named[unit] || waits[unit] {
			continue
		}
		if err := c.f.Remove(holdings.Hidden(ledger.RowFile(key))); err != nil {
			return err
		}
	}
	return nil
}

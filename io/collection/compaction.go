package collection

import (
	"errors"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Compaction returns the folder's note. It is read once.
func (c *Collection) Compaction() (ledger.Compaction, error) {
	if c.compacted == nil {
		k, err := ledger.ReadCompaction(c.f)
		if err != nil {
			return k, err
		}
		c.compacted = &k
	}
	return *c.compacted, nil
}

// Moved is Compaction.moved of the folder's note.
func (c *Collection) movedShards() (ledger.Moved, error) {
	k, err := c.Compaction()
	if err != nil || len(k.Sources) == 0 {
		return nil, err
	}
	// Made once: verify needs it for each row.
	if c.moved == nil {
		c.moved = k.Moved()
	}
	return c.moved, nil
}

// SaveCompaction commits k and then removes sources files that no shard in k has.
func (c *Collection) SaveCompaction(k ledger.Compaction) error {
	data, err := folder.EncodeJSON(k)
	if err == nil {
		err = c.f.Write(holdings.Hidden(ledger.CompactedFile), data)
	}
	if err != nil {
		return err
	}
	c.compacted, c.moved = &k, nil
	keep := map[string]bool{}
	for _, s := range k.Shards {
		keep[ledger.SourcesFile(s.Name)] = true
	}
	return c.removeSources(func(name string) bool { return !keep[name] })
}

// forgetCompaction removes all files of a compaction.
func (c *Collection) forgetCompaction() error {
	k, err := c.Compaction()
	if err == nil {
		err = c.removeShards(k.Files())
	}
	c.compacted, c.moved = nil, nil
	return errors.Join(err, c.removeSources(func(string) bool { return true }),
		c.f.Remove(holdings.Hidden(ledger.CompactedFile)))
}

// removeSources removes the sources files for which gone is true.
func (c *Collection) removeSources(gone func(name string) bool) error {
	names, err := c.f.Names(holdings.HiddenDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if ledger.IsSources(name) && gone(name) {
			err = errors.Join(err, c.f.Remove(holdings.Hidden(name)))
		}
	}
	return err
}

// sweepShared removes shared shards of a compaction that was killed before its note: they have sources files, but no
// note names them.
func (c *Collection) sweepShared() error {
	names, err := c.f.Names(holdings.HiddenDir)
	if err != nil || !slices.ContainsFunc(names, ledger.IsSources) {
		return err
	}
	k, err := c.Compaction()
	if err != nil {
		return err
	}
	noted, replaced := map[string]bool{}, map[string]bool{}
	for _, s := range k.Shards {
		noted[s.Name] = true
	}
	for _, s := range k.Replaced { // they stay until they expire; their sources are not needed
		replaced[s.Name] = true
	}
	for _, name := range names {
		shard, is := ledger.SharedShard(name)
		if !is || noted[shard] {
			continue
		}
		if !replaced[shard] {
			err = c.f.Remove(shard)
		}
		// The sources file last: the next sweep finds the shard by it.
		if err = errors.Join(err, c.f.Remove(holdings.Hidden(name))); err != nil {
			return err
		}
	}
	return nil
}

// settleCompaction removes the documents of units which are gone or were done again from the shared shards. It reports
// whether the note changes, which the caller then saves.
func (c *Collection) settleCompaction(units []schemas.UnitResult) (k ledger.Compaction, settled bool, err error) {
	k, err = c.Compaction()
	if err != nil || len(k.Sources) == 0 {
		return k, false, err
	}
	now := map[string]string{}
	for _, u := range units {
		for _, s := range u.Shards {
			now[s.Name] = s.SHA256
		}
	}
	dead := make([]bool, len(k.Sources))
	k.Sources = slices.Clone(k.Sources)
	for i, source := range k.Sources {
		dead[i] = !source.Current(now)
		// The unit was done again with the same documents.
		if s := source.Shards[0]; len(source.Retired) > 0 && now[s.Name] == s.SHA256 {
			k.Sources[i].Unit, k.Sources[i].Retired, settled = ledger.UnitOfName(s.Name), nil, true
		}
	}
	if !slices.Contains(dead, true) {
		return k, settled, nil
	}
	k, err = c.dropSources(k, dead)
	return k, true, err
}

// dropSources rewrites the shards that hold documents of dead sources, and leaves those sources out of the note.
func (c *Collection) dropSources(k ledger.Compaction, dead []bool) (ledger.Compaction, error) {
	next := ledger.Compaction{Order: k.Order}
	place := make([]int, len(k.Sources))
	for i, s := range k.Sources {
		// Later sources move up.
		if place[i] = len(next.Sources); !dead[i] {
			next.Sources = append(next.Sources, s)
		}
	}
	for _, s := range k.Shards {
		if slices.ContainsFunc(s.Sources, func(i int) bool { return dead[i] }) {
			var err error
			keep := func(source int, _ *schemas.Document) bool { return !dead[source] }
			if s, err = shard.Rewrite(c.f, k.Order, s, keep); err != nil {
				return k, err
			}
		}
		if s.Rows == 0 {
			continue
		}
		// The slice is shared with the old compaction.
		s.Sources = slices.Clone(s.Sources)
		for i := range s.Sources {
			s.Sources[i] = place[s.Sources[i]]
		}
		next.Shards = append(next.Shards, s)
	}
	return next, nil
}

package collection

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// isOlder reports whether an earlier version wrote the shard; Compact then rewrites it.
func (s CompactShard) isOlder() bool { return s.Form != parquetfile.Form }

// ReadCompaction reads the note of moved documents in f; it is empty if f was never compacted.
func ReadCompaction(f folder.Folder) (Compaction, error) {
	var k Compaction
	err := folder.ReadJSON(f, holdings.Hidden(compactedFile), holdings.MaxManifestBytes, &k)
	if errors.Is(err, fs.ErrNotExist) {
		return Compaction{}, nil
	}
	if err == nil {
		err = k.check()
	}
	if err != nil {
		return Compaction{}, fmt.Errorf("collection: %w", err)
	}
	return k, nil
}

// check refuses notes that this package does not write, because the files they name are removed.
func (k Compaction) check() error {
	for _, s := range k.Shards {
		if n, ok := holdings.ParseName(s.Name); !ok || n.Kind != holdings.KindDocuments {
			return fmt.Errorf("%s: %w: %q is not a shard of documents", compactedFile, ErrContent, s.Name)
		}
		for _, i := range s.Sources {
			if i < 0 || i >= len(k.Sources) {
				return fmt.Errorf("%s: %w: %s has a source that is not there", compactedFile, ErrContent, s.Name)
			}
		}
	}
	for _, source := range k.Sources {
		_, err := unitOf(source.Shards)
		if err == nil && len(source.Retired) > 0 {
			_, err = unitOf(source.Retired)
		}
		if err != nil {
			return fmt.Errorf("%s: %w: %w", compactedFile, ErrContent, err)
		}
	}
	return nil
}

// moved returns the hashes of shards whose documents were moved, by name.
func (k Compaction) moved() movedShards {
	moved := make(movedShards, len(k.Sources))
	for _, source := range k.Sources {
		for _, s := range slices.Concat(source.Shards, source.Retired) {
			moved[s.Name] = s.SHA256
		}
	}
	return moved
}

// apply returns the units as the manifest lists them.
func (k Compaction) apply(units []schemas.UnitResult) []schemas.UnitResult {
	if len(k.Sources) == 0 {
		return units
	}
	moved := k.moved()
	// Clones, because the caller owns the units, and rows keep all their shards.
	list := slices.Clone(units)
	for i, u := range list {
		list[i].Shards = slices.DeleteFunc(slices.Clone(u.Shards), func(s schemas.Shard) bool {
			return moved.has(s)
		})
	}
	for _, s := range k.Shards {
		// Numbered after the units: readers see them as further units without inputs.
		list = append(list, schemas.UnitResult{Unit: Joined(len(list)), Shards: []schemas.Shard{s.Shard}})
	}
	return list
}

// files returns the shards in the folder that belong to the compaction and not to a unit.
func (k Compaction) files() (list []schemas.Shard) {
	for _, s := range k.Shards {
		list = append(list, s.Shard)
	}
	return append(list, k.Replaced...)
}

// compaction returns the folder's note. It is read once.
func (c *Collection) compaction() (Compaction, error) {
	if c.compacted == nil {
		k, err := ReadCompaction(c.f)
		if err != nil {
			return k, err
		}
		c.compacted = &k
	}
	return *c.compacted, nil
}

// movedShards is Compaction.moved of the folder's note.
func (c *Collection) movedShards() (movedShards, error) {
	k, err := c.compaction()
	if err != nil || len(k.Sources) == 0 {
		return nil, err
	}
	// Made once: verify needs it for each row.
	if c.moved == nil {
		c.moved = k.moved()
	}
	return c.moved, nil
}

// saveCompaction commits k and then removes sources files that no shard in k has.
func (c *Collection) saveCompaction(k Compaction) error {
	data, err := folder.EncodeJSON(k)
	if err == nil {
		err = c.f.Write(holdings.Hidden(compactedFile), data)
	}
	if err != nil {
		return err
	}
	c.compacted, c.moved = &k, nil
	keep := map[string]bool{}
	for _, s := range k.Shards {
		keep[sourcesName(s.Name)] = true
	}
	return c.removeSources(func(name string) bool { return !keep[name] })
}

// forgetCompaction removes all files of a compaction.
func (c *Collection) forgetCompaction() error {
	k, err := c.compaction()
	if err == nil {
		err = c.removeShards(k.files())
	}
	c.compacted, c.moved = nil, nil
	return errors.Join(err, c.removeSources(func(string) bool { return true }), c.f.Remove(holdings.Hidden(compactedFile)))
}

// removeSources removes the sources files for which gone is true.
func (c *Collection) removeSources(gone func(name string) bool) error {
	names, err := c.f.Names(holdings.HiddenDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if isSources(name) && gone(name) {
			err = errors.Join(err, c.f.Remove(holdings.Hidden(name)))
		}
	}
	return err
}

// sweepShared removes shared shards of a compaction that was killed before its note: they have sources files, but no
// note names them.
func (c *Collection) sweepShared() error {
	names, err := c.f.Names(holdings.HiddenDir)
	if err != nil || !slices.ContainsFunc(names, isSources) {
		return err
	}
	k, err := c.compaction()
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
		shard := holdings.Table.Name(strings.TrimPrefix(name, sourcesStart)).String()
		if !isSources(name) || noted[shard] {
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

// readSources returns the source of each row, as an index into s.Sources.
func (c *Collection) readSources(s CompactShard) ([]int, error) {
	name := holdings.Hidden(sourcesName(s.Name))
	data, err := folder.ReadFile(c.f, name, holdings.MaxManifestBytes)
	if err != nil {
		return nil, err
	}
	list := make([]int, 0, min(s.Rows, int64(len(data)))) // a row takes at least a byte
	for len(data) > 0 {
		i, n := binary.Uvarint(data)
		if n <= 0 || i >= uint64(len(s.Sources)) {
			return nil, fmt.Errorf("%s: %w", c.f.Path(name), ErrContent)
		}
		list, data = append(list, int(i)), data[n:]
	}
	if int64(len(list)) != s.Rows {
		return nil, fmt.Errorf("%s: %w: sources of %d rows, and there are %d", c.f.Path(name), ErrContent, len(list), s.Rows)
	}
	return list, nil
}

// settleCompaction removes the documents of units which are gone or were done again from the shared shards. It reports
// whether the note changes, which the caller then saves.
func (c *Collection) settleCompaction(units []schemas.UnitResult) (k Compaction, settled bool, err error) {
	k, err = c.compaction()
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
		dead[i] = !source.current(now)
		// The unit was done again with the same documents.
		if s := source.Shards[0]; len(source.Retired) > 0 && now[s.Name] == s.SHA256 {
			k.Sources[i].Unit, k.Sources[i].Retired, settled = unitName(s.Name), nil, true
		}
	}
	if !slices.Contains(dead, true) {
		return k, settled, nil
	}
	k, err = c.dropSources(k, dead)
	return k, true, err
}

// dropSources rewrites the shards that hold documents of dead sources, and leaves those sources out of the note.
func (c *Collection) dropSources(k Compaction, dead []bool) (Compaction, error) {
	next := Compaction{Order: k.Order}
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
			if s, err = c.rewriteShared(k, s, keep); err != nil {
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

// rewriteShared rewrites a shard with the documents for which keep is true; source is an index into k.Sources. If none
// are kept, the result has 0 rows and no file.
func (c *Collection) rewriteShared(
	k Compaction, s CompactShard, keep func(source int, d *schemas.Document) bool,
) (CompactShard, error) {
	sources, err := c.readSources(s)
	if err != nil {
		return s, err
	}
	// Rows are already in order, so no sort is needed.
	w := newSharedWriter(c.f, k.Order, s.Month)
	defer w.discard()
	at, record := 0, []byte(nil)
	for d, err := range holdings.ReadParquet(c.f, s.Shard) {
		if err == nil && at == len(sources) {
			err = ErrContent
		}
		if err != nil {
			return s, fmt.Errorf("%s: %w", s.Name, err)
		}
		source := s.Sources[sources[at]]
		at++
		if !keep(source, d) {
			continue
		}
		if record, err = parquetfile.AppendRecord(record[:0], d); err != nil {
			return s, err
		}
		if err := w.add(source, record); err != nil {
			return s, err
		}
	}
	if w.rows == 0 {
		return CompactShard{}, nil
	}
	return w.finish()
}

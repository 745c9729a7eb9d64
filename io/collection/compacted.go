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

// isOlder reports whether an earlier version wrote the shard, so that Compact writes its rows again.
func (s CompactShard) isOlder() bool { return s.Form != parquetfile.Form }

// Source is what the documents of one unit were moved from: one shard, or one in each format, which hold the same.
type Source struct {
	Unit   string          `json:"unit"` // as the names of shards have it
	Shards []schemas.Shard `json:"shards"`
	// Retired are the same shards by the names that the unit has while it is done again: see Collection.retire.
	Retired []schemas.Shard `json:"retired,omitempty"`
}

// current reports whether a unit still has the shards of the source, by one of their names.
func (s Source) current(now map[string]string) bool {
	has := func(shards []schemas.Shard) bool {
		return !slices.ContainsFunc(shards, func(s schemas.Shard) bool { return now[s.Name] != s.SHA256 })
	}
	// One shard that has changed is enough: the formats of a unit hold the same.
	return has(s.Shards) || len(s.Retired) > 0 && has(s.Retired)
}

// Names in the hidden folder: the compaction, and of each of its shards the source of each row.
const (
	compactedFile = "compacted.json"
	sourcesStart  = "sources-"
)

// ReadCompaction reads what f notes of moved documents; of a collection that never was compacted it is empty.
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

// check refuses a note that names what this package does not write: files are removed by it.
func (k Compaction) check() error {
	for _, s := range k.Shards {
		// Names lead to files that are removed: only our own are believed.
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

// moved are the hashes of the shards whose documents were moved, by their names.
func (k Compaction) moved() movedShards {
	moved := make(movedShards, len(k.Sources))
	for _, source := range k.Sources {
		for _, s := range slices.Concat(source.Shards, source.Retired) {
			moved[s.Name] = s.SHA256
		}
	}
	return moved
}

// apply gives the units as the manifest has them.
func (k Compaction) apply(units []schemas.UnitResult) []schemas.UnitResult {
	if len(k.Sources) == 0 {
		return units
	}
	moved := k.moved()
	// Clones: the units are the caller's, and rows keep all their shards.
	list := slices.Clone(units)
	for i, u := range list {
		list[i].Shards = slices.DeleteFunc(slices.Clone(u.Shards), func(s schemas.Shard) bool {
			return moved.has(s)
		})
	}
	for _, s := range k.Shards {
		// Numbered after the units, so that readers find them as further units without inputs.
		list = append(list, schemas.UnitResult{Unit: Joined(len(list)), Shards: []schemas.Shard{s.Shard}})
	}
	return list
}

// files are the shards in the folder that the compaction answers for beside those of units.
func (k Compaction) files() (list []schemas.Shard) {
	for _, s := range k.Shards {
		list = append(list, s.Shard)
	}
	return append(list, k.Replaced...)
}

// compaction is what the folder notes; it is read once.
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

// movedShards are those whose documents were moved, as Compaction.moved gives them.
func (c *Collection) movedShards() (movedShards, error) {
	k, err := c.compaction()
	if err != nil || len(k.Sources) == 0 {
		return nil, err
	}
	// Made once: verify asks for each row.
	if c.moved == nil {
		c.moved = k.moved()
	}
	return c.moved, nil
}

// saveCompaction makes k what is read from now on, at once. Then files with the sources of rows go that no shard has.
func (c *Collection) saveCompaction(k Compaction) error {
	data, err := folder.EncodeJSON(k)
	if err == nil {
		// In one step: this is what a compaction commits by.
		err = c.f.Write(holdings.Hidden(compactedFile), data)
	}
	if err != nil {
		return err
	}
	// What was read before is of the earlier note.
	c.compacted, c.moved = &k, nil
	keep := map[string]bool{}
	for _, s := range k.Shards {
		keep[sourcesName(s.Name)] = true
	}
	return c.removeSources(func(name string) bool { return !keep[name] })
}

// forgetCompaction removes all that is of a compaction, of a folder that is emptied.
func (c *Collection) forgetCompaction() error {
	k, err := c.compaction()
	if err == nil {
		err = c.removeShards(k.files())
	}
	c.compacted, c.moved = nil, nil
	return errors.Join(err, c.removeSources(func(string) bool { return true }), c.f.Remove(holdings.Hidden(compactedFile)))
}

// removeSources removes files with the sources of rows.
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

// sweepShared removes the shards of many units that a compaction wrote which was killed before its note: their sources
// lie there, and no note knows them.
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
	for _, s := range k.Replaced { // until they expire; their sources are of no use
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
		// The sources last: it is by them that the next sweep finds what this one has left.
		if err = errors.Join(err, c.f.Remove(holdings.Hidden(name))); err != nil {
			return err
		}
	}
	return nil
}

// isSources reports whether a file of the hidden folder has the sources of a shard's rows.
func isSources(name string) bool {
	unit, is := strings.CutPrefix(name, sourcesStart)
	return is && holdings.UnitPattern.MatchString(unit)
}

// sourcesName is the file, in the hidden folder, with the sources of a shard's rows.
func sourcesName(shard string) string {
	n, _ := holdings.ParseName(shard) // checked when the compaction was read, or made here
	return sourcesStart + n.Unit
}

// readSources reads the sources of a shard's rows, as places in its Sources.
func (c *Collection) readSources(s CompactShard) ([]int, error) {
	name := holdings.Hidden(sourcesName(s.Name))
	data, err := folder.ReadFile(c.f, name, holdings.MaxManifestBytes)
	if err != nil {
		return nil, err
	}
	list := make([]int, 0, min(s.Rows, int64(len(data)))) // a row takes a byte at least
	for len(data) > 0 {
		// Places are small numbers: mostly one byte a row.
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

// settleCompaction writes the shared shards again that have documents of sources that no unit has any longer, without
// these. The note of them is not written yet; settled is false when it stays as it is.
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
		// The unit was done again after all, with the same documents.
		if s := source.Shards[0]; len(source.Retired) > 0 && now[s.Name] == s.SHA256 {
			k.Sources[i].Unit, k.Sources[i].Retired, settled = unitName(s.Name), nil, true
		}
	}
	// As nearly always: nothing is written.
	if !slices.Contains(dead, true) {
		return k, settled, nil
	}
	k, err = c.dropSources(k, dead)
	return k, true, err
}

// dropSources writes the shards again that have documents of sources that are dead, and leaves these out of the note.
func (c *Collection) dropSources(k Compaction, dead []bool) (Compaction, error) {
	next := Compaction{Order: k.Order}
	place := make([]int, len(k.Sources))
	for i, s := range k.Sources {
		// Places move up where sources before them are dropped.
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
		// Nothing is left of it: it gets no file and no entry.
		if s.Rows == 0 {
			continue
		}
		// The slice is shared with the compaction before.
		s.Sources = slices.Clone(s.Sources)
		for i := range s.Sources {
			s.Sources[i] = place[s.Sources[i]]
		}
		next.Shards = append(next.Shards, s)
	}
	return next, nil
}

// rewriteShared writes a shard with those of its documents alone that keep says yes to, given the place of their source
// in k.Sources. A shard without any has no rows and no file.
func (c *Collection) rewriteShared(
	k Compaction, s CompactShard, keep func(source int, d *schemas.Document) bool,
) (CompactShard, error) {
	sources, err := c.readSources(s)
	if err != nil {
		return s, err
	}
	// In the order in which it is read: no sort is needed to leave rows out.
	w := newSharedWriter(c.f, k.Order, s.Month)
	defer w.discard()
	at, record := 0, []byte(nil)
	for d, err := range holdings.ReadParquet(c.f, s.Shard) {
		if err == nil && at == len(sources) {
			err = ErrContent // more rows than the compaction wrote
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

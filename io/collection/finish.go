package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Run is what Finish has to know of the run that ends.
type Run struct {
	Units    int               // how many the plan has
	Options  map[string]any    // those that change the output
	Versions map[string]string // of the transforms that ran
	Index    bool              // whether IndexFile is asked for
	// SiteTemplates are the templates that the units were made with, nil for none.
	SiteTemplates *schemas.SiteTemplates
}

// Finish checks that every unit of the run has a result whose shards are in the folder, and that the units' ranges
// meet (ErrRanges), removes the shards of units that are no longer planned, makes the index, or removes one that is
// not asked for, and writes the manifest, which it returns. Results come in any order and may be there twice, because
// runners repeat work: two that agree are one, two that do not are ErrDiffers. When units have segments, the result of
// Joined(Run.Units) has to be there as well. Equal arguments make equal bytes.
func (c *Collection) Finish(results []schemas.UnitResult, r Run) (schemas.Manifest, error) {
	units, err := merge(results, r.Units)
	if err != nil {
		return schemas.Manifest{}, err
	}
	for i, u := range units {
		// Versions are noted of a unit only where they are not the run's: there may be a hundred thousand
		// units.
		if maps.Equal(u.Versions, r.Versions) {
			units[i].Versions = nil
		}
	}
	if err := Contiguous(units); err != nil {
		return schemas.Manifest{}, err
	}
	// Before the shards are looked for: it may write some of them anew.
	compacted, err := c.settleCompaction(units)
	if err != nil {
		return schemas.Manifest{}, fmt.Errorf("collection: compacted shards: %w", err)
	}
	kept, strays, err := c.present(units, compacted)
	if err != nil {
		return schemas.Manifest{}, err
	}
	// Nothing in it depends on when or where the run was: equal arguments, equal bytes.
	m := schemas.Manifest{
		SchemaVersion: schemas.Version, Options: r.Options, Versions: r.Versions, SiteTemplates: r.SiteTemplates,
	}
	hosts := schemas.NewHostCounter(runHosts)
	for i, u := range units {
		m.Totals.Add(u.Counts)
		if u.Hosts != nil {
			// Counted together for the manifest, and left out of its units, where they would be most of it.
			hosts.Merge(*u.Hosts)
			units[i].Hosts = nil
		}
	}
	m.Hosts, m.Unread = hosts.Top(topHosts), schemas.UnreadOf(units)
	m.Units = compacted.apply(units)
	// From here on the folder changes. All that could be wrong with the results was found before.
	if err := c.purge(kept, strays); err != nil {
		return schemas.Manifest{}, fmt.Errorf("collection: finish %s: %w", c.f.Path(""), err)
	}
	if err := c.sweepAttempts(); err != nil {
		return schemas.Manifest{}, fmt.Errorf("collection: finish %s: %w", c.f.Path(""), err)
	}
	if m.Files, err = c.index(m.Units, r.Index); err != nil {
		return schemas.Manifest{}, fmt.Errorf("collection: %s: %w", IndexFile, err)
	}
	if err := c.saveManifest(m); err != nil {
		return schemas.Manifest{}, fmt.Errorf("collection: manifest: %w", err)
	}
	return m, ForgetJob(c.f) // nothing more is written
}

// Hosts are counted exactly up to twice this many: of a unit, whose row grows by 30 bytes for each, and of a run,
// which holds them in memory once. The manifest names topHosts of them.
const (
	unitHosts = 128
	runHosts  = 8192
	topHosts  = 100
)

// SaveReport writes what the run measured, as JSON, in place of what an earlier run has left there.
func (c *Collection) SaveReport(report any) error {
	data, err := folder.EncodeJSON(report)
	if err == nil {
		err = c.f.Write(ReportFile, data)
	}
	if err != nil {
		return fmt.Errorf("collection: %s: %w", ReportFile, err)
	}
	return nil
}

func (c *Collection) saveManifest(m schemas.Manifest) error {
	data, err := EncodeManifest(m)
	if err != nil {
		return err
	}
	// The manifest is the last thing that is written: with it the run is finished.
	if err := c.f.Write(ManifestFile, data); err != nil {
		return err
	}
	return c.f.Remove(hidden(asideFile))
}

// merge puts results in the order of their units and drops repetitions.
func merge(results []schemas.UnitResult, total int) ([]schemas.UnitResult, error) {
	if NeedsJoin(results, total) {
		return nil, fmt.Errorf("%w: there are segments, and the unit of joined records has no result", ErrIncomplete)
	}
	units := make([]schemas.UnitResult, total, total+1)
	have := make([]bool, total, total+1)
	for _, r := range results {
		r.Segments = nil // what became of them is in the joined unit
		// The unit of joined records has the number behind the last.
		if r.ID == total && len(units) == total {
			units, have = append(units, r), append(have, true)
		}
		if r.ID < 0 || r.ID > total {
			return nil, fmt.Errorf("collection: a result of unit %d, and there are %d units", r.ID, total)
		}
		// By shards alone: attempts may differ in what they measured.
		if have[r.ID] && !slices.Equal(units[r.ID].Shards, r.Shards) {
			return nil, fmt.Errorf("%w: unit %d: %s and %s", ErrDiffers, r.ID, names(units[r.ID].Shards), names(r.Shards))
		}
		units[r.ID], have[r.ID] = r, true
	}
	if i := slices.Index(have, false); i >= 0 {
		return nil, fmt.Errorf("%w: unit %d of %d has no result", ErrIncomplete, i, total)
	}
	return units, nil
}

// Contiguous checks that each range of a file begins where reading the one before it arrived (ErrRanges): otherwise
// records were lost or read twice between two workers. Units are in their order.
func Contiguous(units []schemas.UnitResult) error {
	arrived := map[string]int64{}
	for _, u := range units {
		for _, in := range u.Inputs {
			at, known := arrived[in.File]
			// A range that begins at 0 has none before it.
			if in.Start > 0 && known && at != in.Start {
				return fmt.Errorf("%w: %s: reading arrived at byte %d, and unit %d began at byte %d: "+
					"was the file changed, or read by different versions?", ErrRanges, in.File, at, u.ID, in.Start)
			}
			if arrived[in.File] = in.Next; in.Next == 0 {
				delete(arrived, in.File) // nobody said
			}
		}
	}
	return nil
}

// names lists shards with the beginning of their hashes, for an error.
func names(shards []schemas.Shard) []string {
	list := make([]string, len(shards))
	for i, s := range shards {
		list[i] = fmt.Sprintf("%s (%.12s)", s.Name, s.SHA256)
	}
	return list
}

// present checks the results' shards by name and size: workers on other machines may have written elsewhere. It
// returns what the units are called in the names of shards, and the names of shards that are of none of them. Shards
// whose documents were moved need not be there, and stay when they are.
func (c *Collection) present(
	units []schemas.UnitResult, compacted Compaction,
) (kept map[string]bool, strays []string, err error) {
	// One listing, which in an object store saves a request a shard.
	forget, err := c.look()
	if err != nil {
		return nil, nil, fmt.Errorf("collection: %w", err)
	}
	defer forget()
	kept, wanted := map[string]bool{}, map[string]bool{}
	for _, s := range compacted.files() {
		wanted[s.Name] = true
	}
	moved := compacted.moved()
	for _, u := range units {
		unit, err := unitOf(u.Shards)
		if err == nil && kept[unit] {
			err = fmt.Errorf("%s: another unit has these shards", unit)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("collection: unit %d: %w", u.ID, err)
		}
		kept[unit] = true
		for _, s := range u.Shards {
			wanted[s.Name] = true
			if moved.has(s) {
				continue
			}
			// By size: hashes were taken as the bytes were written.
			if err := c.presentShard(u, s); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, s := range compacted.Shards {
		if err := c.presentShard(schemas.UnitResult{Unit: Joined(len(units))}, s.Shard); err != nil {
			return nil, nil, err
		}
	}
	// Those of the hidden folder have a slash in their names and are no shards.
	for name := range c.stats {
		if _, shard := partOf(name); shard && !wanted[name] {
			strays = append(strays, name)
		}
	}
	return kept, strays, nil
}

func (c *Collection) presentShard(u schemas.UnitResult, s schemas.Shard) error {
	size, err := c.size(s.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: unit %d wrote %s, and it is not in %s: do all workers share this folder?",
			ErrIncomplete, u.ID, s.Name, c.f.Path(""))
	case err != nil:
		return fmt.Errorf("collection: %w", err)
	case size != s.Bytes:
		return fmt.Errorf("%w: %s has %d bytes, and its unit wrote %d", ErrIncomplete, s.Name, size, s.Bytes)
	}
	return nil
}

// purge removes shards and rows that are not of the units which are kept. The shards of a row go before it: a row
// without shards is all that a crash can leave. Strays are of such a row, or what is left of a row that could not be
// followed.
func (c *Collection) purge(kept map[string]bool, strays []string) error {
	for _, name := range strays {
		if err := c.removeShard(name); err != nil {
			return err
		}
	}
	keys, err := Keys(c.f)
	if err != nil {
		return err
	}
	for _, key := range keys {
		// By the name and not by the key: results do not have their keys.
		if kept[nameOf(key)] {
			continue
		}
		if err := c.f.Remove(hidden(rowName(key))); err != nil {
			return err
		}
	}
	return nil
}

package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/seekpoint"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Run describes the run that Finish ends.
type Run struct {
	Units    int               // Number of units in the plan
	Options  map[string]any    // options that change the output
	Versions map[string]string // of the transforms that ran
	Index    bool              // whether to make IndexFile
	// SiteTemplates are the templates that the units were made with; may be nil.
	SiteTemplates *schemas.SiteTemplates

	change *ledger.Change // the change that the run belongs to; nil for the one that Resume noted
}

// Finish checks that the shards of every unit are in the folder, and that the units' ranges meet (ErrRanges). It makes
// or removes the index as r.Index says, and writes and returns the manifest. Then it removes the shards of units that
// are no longer planned. The manifest commits all of it, even if the process is killed: see Change.
//
// Results come in any order and may be repeated, as runners repeat work: equal ones count once, unequal ones are
// ErrDiffers. If units have segments, the result of Joined(Run.Units) must be there as well. Equal arguments give equal
// bytes.
func (c *Collection) Finish(results []schemas.UnitResult, r Run) (schemas.Manifest, error) {
	units, err := merge(results, r.Units)
	if err != nil {
		return schemas.Manifest{}, err
	}
	for i, u := range units {
		// Versions are noted only for units that differ from the run, because there may be a hundred thousand units.
		if maps.Equal(u.Versions, r.Versions) {
			units[i].Versions = nil
		}
	}
	if err := ledger.Contiguous(units); err != nil {
		return schemas.Manifest{}, err
	}
	// Before the shards are looked for, because it may write shared ones.
	compacted, settled, err := c.settleCompaction(units)
	if err != nil {
		return schemas.Manifest{}, fmt.Errorf("collection: compacted shards: %w", err)
	}
	if err := c.present(units, compacted); err != nil {
		return schemas.Manifest{}, err
	}
	// Nothing in the manifest depends on the time or place of the run.
	m := schemas.Manifest{
		SchemaVersion: schemas.Version, Options: r.Options, Versions: r.Versions, SiteTemplates: r.SiteTemplates,
	}
	hosts := schemas.NewHostCounter(runHosts)
	for i, u := range units {
		m.Totals.Add(u.Counts)
		if u.Hosts != nil {
			// Hosts are merged for the whole run: in each unit they would be most of the manifest.
			hosts.Merge(*u.Hosts)
			units[i].Hosts = nil
		}
	}
	m.Hosts, m.Unread = hosts.Top(topHosts), schemas.UnreadOf(units)
	m.Units = compacted.Apply(units)
	if err := c.sweepAttempts(); err != nil {
		return schemas.Manifest{}, fmt.Errorf("collection: finish %s: %w", c.f.Path(""), err)
	}
	ch, err := c.ending(r)
	if err != nil {
		return schemas.Manifest{}, err
	}
	if settled {
		ch.Commit.Compaction = &compacted
	}
	if m.Files, err = c.index(m.Units, r.Index, ch.Commit); err != nil {
		return schemas.Manifest{}, fmt.Errorf("collection: %s: %w", ledger.IndexFile, err)
	}
	if err := c.commitChange(m, ch); err != nil {
		return schemas.Manifest{}, fmt.Errorf("collection: manifest: %w", err)
	}
	// The run is done, and left points of other archives do no harm: the next run tries again.
	_ = seekpoint.Keep(c.f, m.Units)
	return m, claim.ForgetJob(c.f)
}

// ending returns the change that a run ends.
func (c *Collection) ending(r Run) (ledger.Change, error) {
	if r.change != nil {
		ch := *r.change
		ch.Commit = &ledger.Commit{Running: ch.Running}
		return ch, nil
	}
	ch, _, err := ledger.ReadChange(c.f)
	return ledger.Change{Running: true, Waiting: ch.Waiting, Commit: &ledger.Commit{}}, err
}

// SaveReport writes the report of a run as JSON, in place of an earlier one.
func (c *Collection) SaveReport(report any) error {
	data, err := folder.EncodeJSON(report)
	if err == nil {
		err = c.f.Write(holdings.ReportFile, data)
	}
	if err != nil {
		return fmt.Errorf("collection: %s: %w", holdings.ReportFile, err)
	}
	return nil
}

// merge sorts results by unit and drops repetitions.
func merge(results []schemas.UnitResult, total int) ([]schemas.UnitResult, error) {
	if ledger.NeedsJoin(results, total) {
		return nil, fmt.Errorf("%w: there are segments, and the unit of joined records has no result", ErrIncomplete)
	}
	units := make([]schemas.UnitResult, total, total+1)
	have := make([]bool, total, total+1)
	for _, r := range results {
		r.Segments = nil // the joined unit holds their records
		// The unit of joined records has the number after the last.
		if r.ID == total && len(units) == total {
			units, have = append(units, r), append(have, true)
		}
		if r.ID < 0 || r.ID > total {
			return nil, fmt.Errorf("collection: a result of unit %d, and there are %d units", r.ID, total)
		}
		// Only shards are compared: attempts may measure different times.
		if have[r.ID] && !slices.Equal(units[r.ID].Shards, r.Shards) {
			return nil, fmt.Errorf("%w: unit %d: %s and %s", ledger.ErrDiffers, r.ID, ledger.Describe(units[r.ID].Shards),
				ledger.Describe(r.Shards))
		}
		units[r.ID], have[r.ID] = r, true
	}
	if i := slices.Index(have, false); i >= 0 {
		return nil, fmt.Errorf("%w: unit %d of %d has no result", ErrIncomplete, i, total)
	}
	return units, nil
}

// present checks that the shards of all results exist with the right sizes: workers on other machines may have written
// elsewhere. Shards whose documents were moved may be missing.
func (c *Collection) present(units []schemas.UnitResult, compacted ledger.Compaction) error {
	// One listing saves a request for each shard in an object store.
	files, err := ledger.List(c.f)
	if err != nil {
		return fmt.Errorf("collection: %w", err)
	}
	seen, moved := map[string]bool{}, compacted.Moved()
	for _, u := range units {
		unit, err := ledger.UnitOfShards(u.Shards)
		if err == nil && seen[unit] {
			err = fmt.Errorf("%s: another unit has these shards", unit)
		}
		if err != nil {
			return fmt.Errorf("collection: unit %d: %w", u.ID, err)
		}
		seen[unit] = true
		for _, s := range u.Shards {
			if moved.Has(s) {
				continue
			}
			// Sizes suffice: hashes were computed while the bytes were written.
			if err := presentShard(files, u, s); err != nil {
				return err
			}
		}
	}
	for _, s := range compacted.Shards {
		if err := presentShard(files, schemas.UnitResult{Unit: ledger.Joined(len(units))}, s.Shard); err != nil {
			return err
		}
	}
	return nil
}

func presentShard(files ledger.Listing, u schemas.UnitResult, s schemas.Shard) error {
	size, err := files.Size(s.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: unit %d wrote %s, and it is not in %s: do all workers share this folder?",
			ErrIncomplete, u.ID, s.Name, files.F.Path(""))
	case err != nil:
		return fmt.Errorf("collection: %w", err)
	case size != s.Bytes:
		return fmt.Errorf("%w: %s has %d bytes, and its unit wrote %d", ErrIncomplete, s.Name, size, s.Bytes)
	}
	return nil
}

// runHosts limits the host counter of a run, which is in memory once and is exact up to twice its limit. The manifest
// Describe topHosts hosts.
const (
	runHosts = 8192
	topHosts = 100
)

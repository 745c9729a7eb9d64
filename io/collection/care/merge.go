package care

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// ErrCompacted means that the documents of a collection were moved to shared shards, which cannot be divided by unit
// again.
var ErrCompacted = errors.New("it is compacted, and units cannot be taken out of it")

// Merge copies all units of the collection in from into c and returns how many were new. Units are identified by
// their keys: a unit that is in both is taken once, or is ErrDiffers if its shards differ. The result combines both
// lists of takedowns. Merge can be repeated after a crash, and changes nothing in from.
func Merge(ctx context.Context, c Collection, from folder.Folder) (units int, err error) {
	theirs, err := holdings.ReadManifest(from)
	if err != nil {
		return 0, err
	}
	// Only theirs must not be compacted.
	if k, err := ledger.ReadCompaction(from); err != nil || len(k.Sources) > 0 {
		return 0, errors.Join(err, fmt.Errorf("%w: %s", ErrCompacted, from.Path("")))
	}
	ours, err := ledger.Finished(c.Folder())
	if errors.Is(err, fs.ErrNotExist) {
		// The folder is empty: the result is a copy of theirs.
		ours, err = schemas.Manifest{Options: theirs.Options, Versions: theirs.Versions}, nil
	}
	if err != nil {
		return 0, err
	}
	waiting, err := waits(c)
	if err != nil {
		return 0, err
	}
	units, taken, err := copyUnits(ctx, c, from)
	if err != nil {
		return units, fmt.Errorf("collection: merge %s: %w", from.Path(""), err)
	}
	for key := range taken {
		delete(waiting, key)
	}
	if err := finishMerged(c, ours, theirs, waiting); err != nil {
		return units, err
	}
	return units, mergeTakedowns(ctx, c, from)
}

// waits returns the keys of the rows that wait for their run.
func waits(c Collection) (map[string]bool, error) {
	rows, err := c.Rows()
	if err != nil {
		return nil, err
	}
	return ledger.Waiting(c.Folder(), rows)
}

// copyUnits copies the units that are missing here. It returns their number and the rows of all units in from.
func copyUnits(ctx context.Context, c Collection, from folder.Folder) (n int, rows map[string]ledger.Row, err error) {
	rows, bad, err := ledger.ReadRows(from, nil)
	if err == nil && len(bad) > 0 {
		err = fmt.Errorf("row %s: %w", bad[0], ledger.ErrContent)
	}
	if err != nil {
		return 0, nil, err
	}
	here, err := c.Rows()
	if err != nil {
		return 0, nil, err
	}
	// Checked before copying, so that a refusal changes nothing.
	if err := disjoint(here, rows); err != nil {
		return 0, nil, err
	}
	// In a fixed order. Units that a killed merge has copied are skipped.
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		r := rows[key]
		if mine, there := here[key]; there {
			if !slices.Equal(mine.Shards, r.Shards) {
				return n, nil, fmt.Errorf("%w: %s and %s", ledger.ErrDiffers, ledger.Describe(mine.Shards),
					ledger.Describe(r.Shards))
			}
			continue
		}
		if err := errors.Join(ctx.Err(), shard.Copy(c.Folder(), from, r)); err != nil {
			return n, nil, err
		}
		n++
	}
	return n, rows, nil
}

// ErrOverlap means that two collections have read the same bytes of an archive in different units: the merged
// collection would have their records twice.
var ErrOverlap = errors.New("both have read the same archive, in different units")

// disjoint checks that units of the two collections have no ranges in common, except for equal units.
func disjoint(here, there map[string]ledger.Row) error {
	read := map[string][]schemas.Range{}
	for key, r := range here {
		// An equal unit is taken once.
		if _, same := there[key]; same {
			continue
		}
		for _, in := range r.Inputs {
			read[in.File] = append(read[in.File], in)
		}
	}
	for key, r := range there {
		if _, same := here[key]; same {
			continue
		}
		for _, in := range r.Inputs {
			for _, o := range read[in.File] {
				// Ranges of groups do not say what they cover: each begins at 0.
				if in.Start < o.End && o.Start < in.End || in.Group != nil {
					return fmt.Errorf("%w: %s; read it with ingest --add", ErrOverlap, schemas.Printable(in.File))
				}
			}
		}
	}
	return nil
}

// finishMerged writes the manifest of all units that do not wait for their run, sorted by their archives as plans are.
func finishMerged(c Collection, ours, theirs schemas.Manifest, waiting map[string]bool) error {
	rows, err := c.Rows()
	if err != nil {
		return err
	}
	made := map[string]map[string]any{} // options by unit
	for _, m := range []schemas.Manifest{ours, theirs} {
		for _, u := range m.Units {
			unit, err := ledger.UnitOfShards(u.Shards)
			if err != nil {
				return err
			}
			// Options are noted for units that were made with others than the manifest's.
			options := u.MadeWith
			if options == nil && !equalJSON(m.Options, ours.Options) {
				options = m.Options
			}
			// A unit in both keeps our options.
			if made[unit] == nil {
				made[unit] = options
			}
		}
	}
	here := func(r ledger.Row) bool { return !waiting[r.Key] }
	wait := others(rows, here)
	maps.DeleteFunc(rows, func(_ string, r ledger.Row) bool { return !here(r) })
	list := slices.SortedFunc(maps.Values(rows), func(a, b ledger.Row) int {
		return cmp.Or(compareInputs(a.Inputs, b.Inputs), strings.Compare(a.Key, b.Key))
	})
	results := make([]schemas.UnitResult, len(list))
	for i, r := range list {
		// Numbers are given again, because those of two collections collide.
		r.ID, r.Segments, r.MadeWith = i, nil, made[ledger.UnitOfKey(r.Key)]
		results[i] = r.UnitResult
	}
	return c.Replace(ours, results, wait)
}

// compareInputs compares units by their first input. Units without inputs come last.
func compareInputs(a, b []schemas.Range) int {
	// The unit of joined records has no inputs.
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(b), len(a))
	}
	return cmp.Or(strings.Compare(a[0].File, b[0].File), cmp.Compare(a[0].Start, b[0].Start))
}

// equalJSON reports whether options are equal as JSON.
func equalJSON(a, b map[string]any) bool {
	// Numbers read from JSON are float64, others may be int.
	x, errA := folder.EncodeJSON(a)
	y, errB := folder.EncodeJSON(b)
	return errA == nil && errB == nil && string(x) == string(y)
}

// mergeTakedowns adds the takedowns of from to ours and removes their pages.
func mergeTakedowns(ctx context.Context, c Collection, from folder.Folder) error {
	ours, err := takedown.Read(c.Folder())
	if err != nil {
		return err
	}
	theirs, err := takedown.Read(from)
	if err != nil {
		return err
	}
	if ours.Add(theirs.Entries); len(ours.Entries) == 0 {
		return nil
	}
	// The list first, so that no run brings back the pages.
	if err := ours.Save(c.Folder()); err != nil {
		return err
	}
	return newRemoval(ctx, c, ours).all()
}

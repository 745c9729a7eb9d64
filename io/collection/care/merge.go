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

// Merged is the result of Merge.
type Merged struct {
	Units int // that were new
	// Takedowns means that takedowns were new here. The index and others may still have their pages: see takedown.End.
	Takedowns bool
	// Rewritten means that pages were removed from units that were here before, or that a removal was killed.
	Rewritten bool
}

// Merge copies the units of the collection in from into c. Units are identified by their keys: a unit that is in both
// is taken once, or is ErrDiffers if its shards differ without a takedown. The result combines both lists of takedowns,
// and no manifest names a page of them that is copied. Merge can be repeated after a crash, and changes nothing in
// from. tell is as for TakeDown.
func Merge(
	ctx context.Context, c Collection, from folder.Folder, tell func(names []string) error,
) (done Merged, err error) {
	theirs, rows, err := mergeable(from)
	if err != nil {
		return done, err
	}
	ours, err := ledger.Finished(c.Folder())
	if errors.Is(err, fs.ErrNotExist) {
		// The folder is empty: the result is a copy of theirs.
		ours, err = theirs, nil
		ours.Units = nil
	}
	if err != nil {
		return done, err
	}
	here, err := wholeRows(c, ours)
	if err != nil {
		return done, err
	}
	waiting, err := ledger.Waiting(c.Folder(), here)
	if err != nil {
		return done, err
	}
	t := newRemoval(ctx, c, takedown.List{})
	t.tell, t.later = tell, true
	if done, err = t.unite(from); err != nil {
		return done, err
	}
	// Checked before anything is written, so that a refusal changes nothing.
	err = disjoint(here, rows, len(t.list.Entries) > 0)
	// The list first, so that no run brings back the pages.
	if err == nil && done.Takedowns {
		err = t.list.Save(c.Folder())
	}
	if err == nil {
		done.Units, err = t.copyUnits(from, here, rows, ledger.UnitsOf(ours))
	}
	if err != nil {
		return done, fmt.Errorf("collection: merge %s: %w", from.Path(""), err)
	}
	for key := range rows {
		delete(waiting, key)
	}
	if err := finishMerged(c, ours, theirs, waiting, nil); err != nil || !done.Takedowns {
		return done, err
	}
	t.shards = 0
	err = t.all()
	done.Rewritten = done.Rewritten || t.shards > 0
	return done, err
}

// ErrUnfinished means that a run into a collection has not ended: some of its units are made again.
var ErrUnfinished = errors.New("a run into it has not ended: end it by its command first")

// ErrNoCollection means that a folder has no collection: no run into it has finished, or it has another output.
var ErrNoCollection = errors.New("no collection is there")

// mergeable returns the manifest of the collection in from, and the rows of the units that it names.
func mergeable(from folder.Folder) (m schemas.Manifest, rows map[string]ledger.Row, err error) {
	m, err = holdings.ReadManifest(from)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %w", ErrNoCollection, err)
	}
	if err != nil {
		return m, nil, err
	}
	// Only theirs must not be compacted.
	if k, err := ledger.ReadCompaction(from); err != nil || len(k.Sources) > 0 {
		return m, nil, errors.Join(err, fmt.Errorf("%w: %s", ErrCompacted, from.Path("")))
	}
	if unfinished, err := ledger.Unfinished(from); err != nil || unfinished {
		return m, nil, errors.Join(err, fmt.Errorf("%w: %s", ErrUnfinished, from.Path("")))
	}
	rows, bad, err := ledger.ReadRows(from, nil)
	if err == nil && len(bad) > 0 {
		err = fmt.Errorf("row %s: %w", bad[0], ledger.ErrContent)
	}
	// Other rows wait for their run, or were left by a killed task.
	named := ledger.UnitsOf(m)
	maps.DeleteFunc(rows, func(key string, _ ledger.Row) bool { return !named[ledger.UnitOfKey(key)] })
	return m, rows, err
}

// unite sets the list to the takedowns of both collections.
func (t *removal) unite(from folder.Folder) (done Merged, err error) {
	if t.list, err = takedown.Read(t.f); err != nil {
		return done, err
	}
	theirs, err := takedown.Read(from)
	if err != nil {
		return done, err
	}
	done.Rewritten = t.list.Unfinished() // an earlier removal was killed
	n := len(t.list.Entries)
	t.list.Add(theirs.Entries)
	for i := range t.list.Entries[n:] {
		t.list.Entries[n+i].Unfinished = true
	}
	done.Takedowns = t.list.Unfinished()
	return done, nil
}

// copyUnits copies the units that are missing here, without listed pages, and returns their number. Units that the
// manifest names are left alone.
func (t *removal) copyUnits(
	from folder.Folder, here, rows map[string]ledger.Row, named map[string]bool,
) (n int, err error) {
	k, err := t.c.Compaction()
	if err != nil {
		return 0, err
	}
	t.moved = k.Moved()
	// In a fixed order.
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		r, there := here[key]
		if named[ledger.UnitOfKey(key)] {
			continue
		}
		// Units that a killed merge has copied may still have pages.
		if !there {
			if err = errors.Join(t.ctx.Err(), shard.Copy(t.f, from, rows[key])); err != nil {
				return n, err
			}
			if r, err = ledger.ReadRow(t.f, ledger.RowFile(key), key); err != nil {
				return n, err
			}
			n++
		}
		if len(t.list.Entries) == 0 {
			continue
		}
		has, err := t.affected(r.Shards)
		if err == nil && has {
			err = t.unit(r)
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// finishMerged writes the manifest of all units that do not wait for their run, sorted by their archives as plans are.
// Replaced units are removed.
func finishMerged(c Collection, ours, theirs schemas.Manifest, waiting, replaced map[string]bool) error {
	rows, err := c.Rows()
	if err != nil {
		return err
	}
	maps.DeleteFunc(rows, func(key string, _ ledger.Row) bool { return replaced[key] })
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
		if r.MadeWith == nil && ours.Options["extract"] != nil && r.IsAdopted() {
			r.MadeWith = map[string]any{"adopted": true} // it may have any field
		}
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

package collection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// ErrCompacted means that the documents of a collection were moved to shared shards, which cannot be divided by unit
// again.
var ErrCompacted = errors.New("collection: it is compacted, and units cannot be taken out of it")

// Merge copies all units of the collection in from into this one and returns how many were new. Units are identified by
// their keys: a unit that is in both is taken once, or is ErrDiffers if its shards differ. The result combines both
// lists of takedowns. Merge can be repeated after a crash, and changes nothing in from.
func (c *Collection) Merge(ctx context.Context, from folder.Folder) (units int, err error) {
	theirs, err := holdings.ReadManifest(from)
	if err != nil {
		return 0, err
	}
	// Only theirs must not be compacted.
	if k, err := ReadCompaction(from); err != nil || len(k.Sources) > 0 {
		return 0, errors.Join(err, fmt.Errorf("%w: %s", ErrCompacted, from.Path("")))
	}
	ours, err := Finished(c.f)
	if errors.Is(err, fs.ErrNotExist) {
		// The folder is empty: the result is a copy of theirs.
		ours, err = schemas.Manifest{Options: theirs.Options, Versions: theirs.Versions}, nil
	}
	if err != nil {
		return 0, err
	}
	waiting, err := c.waits()
	if err != nil {
		return 0, err
	}
	units, taken, err := c.copyUnits(ctx, from)
	if err != nil {
		return units, fmt.Errorf("collection: merge %s: %w", from.Path(""), err)
	}
	for key := range taken {
		delete(waiting, key)
	}
	if err := c.finishMerged(ours, theirs, waiting); err != nil {
		return units, err
	}
	return units, c.mergeTakedowns(ctx, from)
}

// waits returns the keys of the rows that wait for their run.
func (c *Collection) waits() (map[string]bool, error) {
	rows, err := c.rows()
	if err != nil {
		return nil, err
	}
	return Waiting(c.f, rows)
}

// copyUnits copies the units that are missing here. It returns their number and the rows of all units in from.
func (c *Collection) copyUnits(ctx context.Context, from folder.Folder) (n int, rows map[string]Row, err error) {
	rows, bad, err := readRows(from, nil)
	if err == nil && len(bad) > 0 {
		err = fmt.Errorf("row %s: %w", bad[0], ErrContent)
	}
	if err != nil {
		return 0, nil, err
	}
	here, err := c.rows()
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
				return n, nil, fmt.Errorf("%w: %s and %s", ErrDiffers, names(mine.Shards), names(r.Shards))
			}
			continue
		}
		if err := errors.Join(ctx.Err(), c.copyUnit(from, r)); err != nil {
			return n, nil, err
		}
		n++
	}
	return n, rows, nil
}

// ErrOverlap means that two collections have read the same bytes of an archive in different units: the merged
// collection would have their records twice.
var ErrOverlap = errors.New("collection: both have read the same archive, in different units")

// disjoint checks that units of the two collections have no ranges in common, except for equal units.
func disjoint(here, there map[string]Row) error {
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

// copyUnit copies the shards of a unit and commits them with its row.
func (c *Collection) copyUnit(from folder.Folder, r Row) (err error) {
	// A writer without encoders, used only to publish files with a row.
	w := &Writer{f: c.f, row: r, unique: folder.Unique()}
	defer w.Abort()
	// The times are those of their files.
	w.row.Modified = nil
	for _, s := range r.Shards {
		if err := w.copyShard(from, s, s.Name); err != nil {
			return err
		}
	}
	return w.publish()
}

// copyShard copies a shard, byte for byte, to an output of the writer's unit.
func (w *Writer) copyShard(from folder.Folder, s schemas.Shard, name string) error {
	out, err := newOutput(w.f, name, w.unique)
	if err != nil {
		return err
	}
	w.outputs = append(w.outputs, out)
	// Nothing needs to be encoded.
	out.enc = io.NopCloser(nil)
	in, err := from.Open(s.Name)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	made, err := out.finish()
	// A damaged shard is not taken.
	if err == nil && (made.Bytes != s.Bytes || made.SHA256 != s.SHA256) {
		err = fmt.Errorf("%w: %s", holdings.ErrChanged, from.Path(s.Name))
	}
	w.row.Modified = append(w.row.Modified, out.time)
	return err
}

// finishMerged writes the manifest of all units that do not wait for their run, sorted by their archives as plans are.
func (c *Collection) finishMerged(ours, theirs schemas.Manifest, waiting map[string]bool) error {
	rows, err := c.rows()
	if err != nil {
		return err
	}
	made := map[string]map[string]any{} // options by unit
	for _, m := range []schemas.Manifest{ours, theirs} {
		for _, u := range m.Units {
			unit, err := unitOf(u.Shards)
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
	here := func(r Row) bool { return !waiting[r.Key] }
	ch, err := c.beside(rows, here)
	if err != nil {
		return err
	}
	maps.DeleteFunc(rows, func(_ string, r Row) bool { return !here(r) })
	list := slices.SortedFunc(maps.Values(rows), func(a, b Row) int {
		return cmp.Or(compareInputs(a.Inputs, b.Inputs), strings.Compare(a.Key, b.Key))
	})
	results := make([]schemas.UnitResult, len(list))
	for i, r := range list {
		// Numbers are given again, because those of two collections collide.
		r.ID, r.Segments, r.MadeWith = i, nil, made[nameOf(r.Key)]
		results[i] = r.UnitResult
	}
	run := Run{Units: len(results), Options: ours.Options, Versions: ours.Versions, SiteTemplates: ours.SiteTemplates}
	run.change = ch
	run.Index = slices.ContainsFunc(ours.Files, func(s schemas.Shard) bool { return s.Name == IndexFile })
	_, err = c.Finish(results, run)
	return err
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
func (c *Collection) mergeTakedowns(ctx context.Context, from folder.Folder) error {
	ours, err := ReadTakedowns(c.f)
	if err != nil {
		return err
	}
	theirs, err := ReadTakedowns(from)
	if err != nil {
		return err
	}
	for _, e := range theirs.Entries {
		if !ours.known[e.SHA256] {
			ours.Entries = append(ours.Entries, e)
		}
	}
	if len(ours.Entries) == 0 {
		return nil
	}
	ours.index()
	// The list first, so that no run brings back the pages.
	if err := ours.save(c.f); err != nil {
		return err
	}
	t := &takeOut{c: c, ctx: ctx, list: ours}
	return t.all()
}

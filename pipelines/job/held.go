package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// readHeld reads the rows of the folder without a lock, so that a plan can be printed while a run is at work.
func readHeld(ctx context.Context, c Request) (h *held, err error) {
	h = &held{names: map[string]bool{}, divided: map[string]*divided{}, twins: map[string]collection.Row{}}
	// With --fresh the plan is the one for an empty folder. A dry run shows the job for all units and needs no
	// bucket.
	if c.Fresh || run.DryRun() {
		return h, nil
	}
	f := openOutput(ctx, c.Options)
	defer func() { err = errors.Join(err, f.Close()) }()
	if h.keys, err = collection.Keys(f); err != nil {
		return nil, outputError(err)
	}
	if h.rows, err = collection.Rows(f); err != nil {
		return nil, outputError(err)
	}
	if h.waiting, err = collection.Waiting(f, h.rows); err != nil {
		return nil, outputError(err)
	}
	// Rows of retired units that have been done again are obsolete.
	for key, r := range h.rows {
		if _, again := h.rows[r.Retired]; again {
			delete(h.rows, key)
		}
	}
	h.standing, err = readStanding(f)
	return h, err
}

// index indexes the rows for the plan. It is separate from readHeld because the options, by which rows are found,
// depend on the rows: see MakePlan.
func (h *held) index(c *Request) {
	options := c.Options.unitKey()
	for _, r := range h.rows {
		h.add(r, c.division())
		// Twins matter only if units made by another version may stay.
		if c.Schedule.picks() && len(r.Inputs) > 0 && r.Options == options {
			h.addTwin(r, c.Options)
		}
	}
}

// add notes a row's files, and its ranges if they were divided by this run's rules.
func (h *held) add(r collection.Row, division string) {
	for _, in := range r.Inputs {
		if in.Unreadable != "" {
			continue // counts as new
		}
		h.names[in.File] = true
		// Each walk makes groups again, an index is cheap to divide again, and ranges by other rules may not fit
		// together.
		if r.Division != division || in.Group != nil || in.Lookup != nil {
			continue
		}
		name := work.StampName(in)
		d := h.divided[name]
		if d == nil {
			d = &divided{stamp: r.Stamps[name]}
			h.divided[name] = d
		}
		// The file changed between two runs, so neither division can be trusted.
		d.odd = d.odd || d.stamp != r.Stamps[name]
		d.ranges = append(d.ranges, planned(in))
	}
}

// planned returns a range without what reading it has found, so that ranges compare equal.
func planned(in schemas.Range) schemas.Range {
	in.Fingerprint, in.Next, in.Unreadable = "", 0, ""
	return in
}

// addTwin notes a row under its key without versions.
func (h *held) addTwin(r collection.Row, o Options) {
	var u schemas.Unit
	for _, in := range r.Inputs {
		u.Inputs = append(u.Inputs, planned(in))
	}
	key := collection.Key(u, o.unitLasting(), nil)
	if other, twice := h.twins[key]; !twice || r.Key < other.Key { // independent of the order of rows
		h.twins[key] = r
	}
}

// known returns the ranges of a file that is unchanged since its division, or nil if some are missing. It saves
// opening and searching each archive again, which is most of the time of a plan over an object store.
func (h *held) known(f blob.Info) []schemas.Range {
	d := h.divided[f.Name]
	// An empty stamp means that the server gives none, so a change would go unnoticed.
	if d == nil || f.Group != nil || d.odd || d.stamp != f.Stamp || d.stamp == "" {
		return nil
	}
	slices.SortFunc(d.ranges, func(a, b schemas.Range) int { return cmp.Compare(a.Start, b.Start) })
	ranges := slices.Compact(d.ranges)
	// A killed run may have committed only some ranges, so they must be contiguous from byte 0.
	at, format := int64(0), ranges[0].Format
	for _, r := range ranges {
		if r.Start != at || r.End < r.Start || r.Format != format {
			return nil
		}
		at = r.End
	}
	// Archives must be covered up to their size; files that are not archives have an empty format and any end.
	if _, err := archive.ParseFormat(format); err != nil && format != "" || format != "" && at != f.Size {
		return nil
	}
	return ranges
}

// division names the rules by which a run divides archives.
func (c *Request) division() string { return fmt.Sprintf("%d %s", c.UnitSize, archive.Version) }

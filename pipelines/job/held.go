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

// readHeld reads the rows of the folder; nothing is touched.
// Reading takes no lock, so a plan can be printed while a run is at work.
func readHeld(ctx context.Context, c Request) (h *held, err error) {
	h = &held{names: map[string]bool{}, divided: map[string]*divided{}, twins: map[string]collection.Row{}}
	// With --fresh the plan is the one for an empty folder. Rows stays nil, which reads as an empty map. A dry run shows
	// the job of all units, and needs no bucket.
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
	// A unit that was retired, and that is done again by now, is nobody's.
	for key, r := range h.rows {
		if _, again := h.rows[r.Retired]; again {
			delete(h.rows, key)
		}
	}
	h.standing, err = readStanding(f)
	return h, err
}

// index makes the rows be found by what a plan asks for.
// Apart from reading, because the options by which rows are found depend on what was read: see MakePlan.
func (h *held) index(c *Request) {
	options := c.Options.unitKey()
	for _, r := range h.rows {
		h.add(r, c.division())
		// Twins are sought only where units may stay for having been done by another version.
		if c.Schedule.picks() && len(r.Inputs) > 0 && r.Options == options {
			h.addTwin(r, c.Options)
		}
	}
}

// add notes a row's files, and its ranges where they were divided by the rules of this run.
func (h *held) add(r collection.Row, division string) {
	for _, in := range r.Inputs {
		if in.Unreadable != "" {
			continue // as if it were new
		}
		h.names[in.File] = true
		// A group is made again by each walk, and an index is cheap to divide
		// again. Ranges by other rules would not meet those of new files.
		if r.Division != division || in.Group != nil || in.Lookup != nil {
			continue
		}
		name := work.StampName(in)
		d := h.divided[name]
		if d == nil {
			d = &divided{stamp: r.Stamps[name]}
			h.divided[name] = d
		}
		// Units of two runs, between which the file has changed: neither division can be trusted.
		d.odd = d.odd || d.stamp != r.Stamps[name]
		d.ranges = append(d.ranges, planned(in))
	}
}

// planned is a range as it was before it was read.
// What was found by reading must not count when ranges are compared, or no range would equal itself.
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
	if other, twice := h.twins[key]; !twice || r.Key < other.Key { // whichever order the rows came in
		h.twins[key] = r
	}
}

// known returns the ranges of a file that has not changed since it was divided, nil when there is none or not all are
// there.
// It saves opening and searching each archive again, which for a thousand
// archives in an object store is what a plan spends its time on.
func (h *held) known(f blob.Info) []schemas.Range {
	d := h.divided[f.Name]
	// An empty stamp is a server that gives none, so that nobody can tell whether the file has changed.
	if d == nil || f.Group != nil || d.odd || d.stamp != f.Stamp || d.stamp == "" {
		return nil
	}
	// Sorting in place is harmless: the ranges are only used here.
	slices.SortFunc(d.ranges, func(a, b schemas.Range) int { return cmp.Compare(a.Start, b.Start) })
	ranges := slices.Compact(d.ranges)
	// The ranges have to meet, from the first byte on: a killed run may have committed only some of them.
	at, format := int64(0), ranges[0].Format
	for _, r := range ranges {
		if r.Start != at || r.End < r.Start || r.Format != format {
			return nil
		}
		at = r.End
	}
	// A file that is not an archive has an empty format and ranges of any end. An archive's have to reach its size.
	if _, err := archive.ParseFormat(format); err != nil && format != "" || format != "" && at != f.Size {
		return nil
	}
	return ranges
}

// division says how the archives of a run are divided: other rules find other ranges.
func (c *Request) division() string { return fmt.Sprintf("%d %s", c.UnitSize, archive.Version) }

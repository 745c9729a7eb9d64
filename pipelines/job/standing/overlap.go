package standing

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// connected returns the rows that share a file with one of seeds, directly or through other rows. It is a
// breadth-first search in which shared files are the edges.
func connected(rows, seeds []leftover) []leftover {
	byID := map[string][]int{}
	for i, r := range rows {
		for _, id := range r.ids {
			byID[id] = append(byID[id], i)
		}
	}
	in := map[string]bool{}
	var list []leftover
	queue := slices.Clone(seeds)
	for len(queue) > 0 {
		r := queue[0]
		queue = queue[1:]
		// A row is queued once for each file that it shares.
		if in[r.Key] {
			continue
		}
		in[r.Key] = true
		list = append(list, r)
		for _, id := range r.ids {
			for _, i := range byID[id] {
				queue = append(queue, rows[i])
			}
			// Deleting visited ids keeps the search linear: a file of many units would queue them again each time.
			delete(byID, id)
		}
	}
	return list
}

// disjoint drops rows whose ranges overlap with other rows. A run that was killed while dividing archives again
// leaves such rows. Of two overlapping rows it keeps the one with more bytes that no archive has any longer. It fails
// if a dropped row has bytes of such archives that no kept row has.
func (s *settling) disjoint(rows []leftover) ([]leftover, error) {
	// A finished run leaves no overlaps.
	if s.folder.Finished {
		return rows, nil
	}
	// lost counts bytes whose archives were not found; the 1 makes empty files count too.
	lost := func(r leftover) (n int64) {
		for _, in := range r.Inputs {
			if slices.Contains(r.left, s.world.ID(r.Dir, in)) {
				n += 1 + in.End - in.Start
			}
		}
		return n
	}
	// Comparing keys makes the order independent of the map's.
	slices.SortStableFunc(rows, func(a, b leftover) int {
		return cmp.Or(cmp.Compare(lost(b), lost(a)),
			strings.Compare(a.Key, b.Key))
	})
	var kept []leftover
	have := map[string][]schemas.Range{}
	for _, r := range rows {
		overlaps := false
		for _, in := range r.Inputs {
			overlaps = overlaps || slices.ContainsFunc(have[s.world.ID(r.Dir, in)],
				func(h schemas.Range) bool { return overlap(h, in) })
		}
		// A row that was kept before has at least some of these bytes. This row may go only if kept rows have all its
		// bytes whose archives were not found.
		if overlaps {
			for _, in := range r.Inputs {
				if id := s.world.ID(r.Dir, in); slices.Contains(r.left, id) && !covered(in, have[id]) {
					return nil, cli.Usagef("%s is no longer there, and a run that was to divide it again was killed: put it "+
						"back and run the last command again, or give --prune", schemas.Printable(pathIn(id)))
				}
			}
			continue
		}
		kept = append(kept, r)
		for _, in := range r.Inputs {
			id := s.world.ID(r.Dir, in)
			have[id] = append(have[id], in)
		}
	}
	return kept, nil
}

// overlap reports whether two ranges of one file have something in common. Groups are compared by the pages from
// First to Last in the order of a walk.
func overlap(a, b schemas.Range) bool {
	if a.Group != nil && b.Group != nil {
		last := func(g *schemas.Group) *schemas.Group { return &schemas.Group{First: g.Last} }
		return comparePages(a.Group, last(b.Group)) <= 0 && comparePages(b.Group, last(a.Group)) <= 0
	}
	// The last case covers empty ranges at the start of another range.
	return a.Start < b.End && b.Start < a.End || a.Start == b.Start
}

// covered reports whether the ranges in by, which must not overlap, together contain all of r. Then their shares of r
// sum up to its length.
func covered(r schemas.Range, by []schemas.Range) bool {
	var n int64
	for _, b := range by {
		switch {
		case r.Group != nil:
			// Only equal groups cover each other: nobody knows which other pages a group has.
			if b.Group != nil && *r.Group == *b.Group {
				return true
			}
		// An empty range is covered by a range that begins at the same offset.
		case r.Start == r.End && b.Start == r.Start:
			return true
		default:
			n += max(0, min(r.End, b.End)-max(r.Start, b.Start))
		}
	}
	return r.Group == nil && r.Start < r.End && n == r.End-r.Start
}

package job

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
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
func (k *keeper) disjoint(rows []leftover) ([]leftover, error) {
	// A finished run leaves no overlaps.
	if k.held.standing.finished {
		return rows, nil
	}
	// lost counts bytes whose archives were not found; the 1 makes empty files count too.
	lost := func(r leftover) (n int64) {
		for _, in := range r.Inputs {
			if slices.Contains(r.left, k.id(r.Dir, in)) {
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
			overlaps = overlaps || slices.ContainsFunc(have[k.id(r.Dir, in)],
				func(h schemas.Range) bool { return overlap(h, in) })
		}
		// A row that was kept before has at least some of these bytes. This row may go only if kept rows have all its
		// bytes whose archives were not found.
		if overlaps {
			for _, in := range r.Inputs {
				if id := k.id(r.Dir, in); slices.Contains(r.left, id) && !covered(in, have[id]) {
					return nil, cli.Usagef("%s is no longer there, and a run that was to divide it anew was killed: put it "+
						"back and run the last command again, or give --prune", schemas.Printable(pathIn(id)))
				}
			}
			continue
		}
		kept = append(kept, r)
		for _, in := range r.Inputs {
			id := k.id(r.Dir, in)
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

// freeze keeps a row as it is, after checking that its existing files have not changed.
func (k *keeper) freeze(ctx context.Context, r leftover) error {
	// For the summary: whether a file is gone, or the command just does not name it.
	gone := ""
	for _, id := range r.left {
		if _, covered := k.scope.Covers(id); k.isGone(id, covered) {
			gone = id
		}
	}
	if classOf(firstOf(r.Row)) != classTopic {
		if err := k.checkUnchanged(ctx, r); err != nil {
			return err
		}
	}
	// Joined records leave no file out, and a topic may exist without its messages: both count as gone.
	if gone != "" || len(r.left) == 0 || len(r.left) == len(r.ids) && k.today[r.ids[0]] {
		k.outcome.gone++
	} else {
		k.outcome.unnamed++
	}
	k.frozen = append(k.frozen, r.Row)
	// isTaken checks these ranges, so that the plan does not read them again.
	for _, in := range r.Inputs {
		id := k.id(r.Dir, in)
		k.taken[id] = append(k.taken[id], in)
	}
	return nil
}

// checkUnchanged refuses a command if a file has changed that was read together with a missing one. Doing the unit
// again would lose the documents of the missing file.
func (k *keeper) checkUnchanged(ctx context.Context, r leftover) error {
	for _, in := range r.Inputs {
		id := k.id(r.Dir, in)
		name := work.StampName(in)
		if !k.today[id] || k.stamps[name] == r.Stamps[name] {
			continue
		}
		// Copying a file changes its stamp (size and time), so the bytes decide.
		same, err := k.fresh(ctx, in, k.stamps[name])
		if err != nil {
			return err
		}
		if same {
			continue
		}
		other := "another archive"
		if len(r.left) > 0 {
			other = pathIn(r.left[0])
		}
		return cli.Usagef("%s has changed, and was read together with %s, which is not there: its documents cannot be "+
			"made again without removing those. "+
			"Nothing was touched. Put that back, or give --prune to remove what came from it, or name another "+
			"--output", schemas.Printable(in.File), schemas.Printable(other))
	}
	return nil
}

// isTaken reports whether units that stay cover a range. For a file that cannot be read now, any such unit is enough.
func (k *keeper) isTaken(dir string, r schemas.Range) bool {
	by := k.taken[k.id(dir, r)]
	return len(by) > 0 && (r.Unreadable != "" || covered(r, by))
}

// missed returns an error if units that stay cover a range only in part. The same holds for a file with documents in
// the folder that can no longer be read. It checks the planned units, from which isTaken has removed the covered
// ranges.
func (k *keeper) missed(units []schemas.Unit) error {
	read := k.readBefore(units)
	for _, u := range units {
		for _, in := range u.Inputs {
			// Doing the unit again would replace its documents by a reject.
			if in.Unreadable != "" && read[in.File] {
				return cli.Usagef("%s cannot be read (%s), and has changed or is divided otherwise than when it could be: "+
					"to go on would remove its documents. "+
					"Nothing was touched. Make it readable, or name another --output", schemas.Printable(in.File), in.Unreadable)
			}
			by := k.taken[k.id("", in)]
			// Both units would have documents of the same captures.
			if slices.ContainsFunc(by, func(b schemas.Range) bool { return overlap(b, in) }) {
				return cli.Usagef("%s was read in part by a run that was not finished, with other archives that are gone, "+
					"and by other units than those of this command: "+
					"give the --unit_size of that run, or --prune", schemas.Printable(in.File))
			}
		}
	}
	return nil
}

// mayBeReadAgain returns an error if a unit to be done needs an unreadable local file. The folder would lose the
// documents of that file. Planning does not open unchanged files. The keys are those of the units. This is the last
// check before the run.
func (p *Plan) mayBeReadAgain(ctx context.Context, keys []string) error {
	store := blob.New(p.options.Remote)
	for _, u := range p.Units {
		if _, done := p.held.rows[keys[u.ID]]; done {
			continue
		}
		for _, in := range u.Inputs {
			// A group is many files and a remote file costs a request, so it tries only single local files.
			if !p.held.names[in.File] || in.Group != nil || !isLocal(in.File) {
				continue
			}
			f, err := store.Open(ctx, in.File)
			if why, bad := blob.Unreadable(err); bad {
				return cli.Usagef("%s cannot be read (%s), and the unit that it is in is to be done again: to go on would "+
					"remove its documents. Nothing was touched. Make it readable, or name another "+
					"--output", schemas.Printable(in.File), why)
			}
			if err == nil {
				err = f.Close()
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// readBefore returns the names of files that cannot be read now and of which the folder has documents. Files without
// documents map to false.
func (k *keeper) readBefore(units []schemas.Unit) map[string]bool {
	names := map[string]bool{}
	for _, u := range units {
		for _, in := range u.Inputs {
			if in.Unreadable != "" {
				names[in.File] = false
			}
		}
	}
	// The usual case, which saves a walk through all rows.
	if len(names) == 0 {
		return nil
	}
	for _, r := range k.held.rows {
		for _, in := range r.Inputs {
			if _, bad := names[in.File]; bad && in.Unreadable == "" {
				names[in.File] = true
			}
		}
	}
	return names
}

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

// connected are those of rows that are of one file with some of seeds, or with others that are.
// A search through the graph whose edges are shared files, breadth first.
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
			// Deleted, so that the search is linear in the ids: a file of many units would queue them over and over.
			delete(byID, id)
		}
	}
	return list
}

// disjoint leaves out rows that have been read from what others have been read from, too: a run that was to divide
// archives again was killed. What is nowhere else has to stay.
// Of two that overlap the one with more bytes that are lost elsewhere
// is kept: its archive is gone, and only its documents are left.
func (k *keeper) disjoint(rows []leftover) ([]leftover, error) {
	// A run that was finished has removed what overlapped.
	if k.held.standing.finished {
		return rows, nil
	}
	// The 1 counts an empty file as something to lose.
	lost := func(r leftover) (n int64) {
		for _, in := range r.Inputs {
			if slices.Contains(r.left, k.id(r.Dir, in)) {
				n += 1 + in.End - in.Start
			}
		}
		return n
	}
	// Keys decide between equals, so that the order of maps does not.
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
		// What was chosen before has these bytes, at least in part.
		// The row can go only if all that is gone of it is in others.
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

// overlap reports whether two ranges of one file have something in common.
// A group is not a range of bytes; its pages are those from First to Last in the order of a walk.
func overlap(a, b schemas.Range) bool {
	if a.Group != nil && b.Group != nil {
		last := func(g *schemas.Group) *schemas.Group { return &schemas.Group{First: g.Last} }
		return comparePages(a.Group, last(b.Group)) <= 0 && comparePages(b.Group, last(a.Group)) <= 0
	}
	// The last case is two empty ranges, or an empty one at the start of another: they are of one place.
	return a.Start < b.End && b.Start < a.End || a.Start == b.Start
}

// covered reports whether a range has nothing that is not in others of its file, which have nothing in common.
// So the sums of what each has of r can be compared with its length; ranges that overlap would count twice.
func covered(r schemas.Range, by []schemas.Range) bool {
	var n int64
	for _, b := range by {
		switch {
		case r.Group != nil:
			// Groups are equal or not covered: nobody knows which of its pages another group has.
			if b.Group != nil && *r.Group == *b.Group {
				return true
			}
		// An empty range has no bytes to add up, and needs one that begins in the same place.
		case r.Start == r.End && b.Start == r.Start:
			return true
		default:
			n += max(0, min(r.End, b.End)-max(r.Start, b.Start))
		}
	}
	return r.Group == nil && r.Start < r.End && n == r.End-r.Start
}

// freeze has a row stay as it is. Those of its files that are there must be what they were.
func (k *keeper) freeze(ctx context.Context, r leftover) error {
	// For the summary: whether any of its files is gone, or whether they were only not named.
	gone := ""
	for _, id := range r.left {
		if _, covered := k.scope.Covers(id); k.isGone(id, covered) {
			gone = id
		}
	}
	// Messages of a topic do not change.
	if classOf(firstOf(r.Row)) != classTopic {
		if err := k.checkUnchanged(ctx, r); err != nil {
			return err
		}
	}
	// Gone also where nothing is left out, as for joined records, and where a topic is there without its messages.
	if gone != "" || len(r.left) == 0 || len(r.left) == len(r.ids) && k.today[r.ids[0]] {
		k.outcome.gone++
	} else {
		k.outcome.unnamed++
	}
	k.frozen = append(k.frozen, r.Row)
	// From now on these ranges are not planned again: isTaken asks here.
	for _, in := range r.Inputs {
		id := k.id(r.Dir, in)
		k.taken[id] = append(k.taken[id], in)
	}
	return nil
}

// checkUnchanged refuses a command when a file has changed that was read together with one that is not there.
// It would have to be done again, and then without what is not there.
func (k *keeper) checkUnchanged(ctx context.Context, r leftover) error {
	for _, in := range r.Inputs {
		id := k.id(r.Dir, in)
		name := work.StampName(in)
		// Files that are gone cannot change, and an equal stamp is proof enough.
		if !k.today[id] || k.stamps[name] == r.Stamps[name] {
			continue
		}
		// The stamp is a size and a time, which copying changes; the bytes decide.
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

// isTaken reports whether a range is in units that stay.
// A range that cannot be read now is taken if any of its file's units stays: there is nothing to read anyway.
func (k *keeper) isTaken(dir string, r schemas.Range) bool {
	by := k.taken[k.id(dir, r)]
	return len(by) > 0 && (r.Unreadable != "" || covered(r, by))
}

// missed is an error when a range is in units that stay, but not wholly, and when one can be read no longer of which
// the
// folder has documents.
// It asks the units that are planned, which isTaken has left: what overlaps here overlaps only in part.
func (k *keeper) missed(units []schemas.Unit) error {
	read := k.readBefore(units)
	for _, u := range units {
		for _, in := range u.Inputs {
			// The unit would be done again with a reject in place of its documents.
			if in.Unreadable != "" && read[in.File] {
				return cli.Usagef("%s cannot be read (%s), and has changed or is divided otherwise than when it could be: "+
					"to go on would remove its documents. "+
					"Nothing was touched. Make it readable, or name another --output", schemas.Printable(in.File), in.Unreadable)
			}
			by := k.taken[k.id("", in)]
			// Both would have documents of the same captures.
			if slices.ContainsFunc(by, func(b schemas.Range) bool { return overlap(b, in) }) {
				return cli.Usagef("%s was read in part by a run that was not finished, with other archives that are gone, "+
					"and by other units than those of this command: "+
					"give the --unit_size of that run, or --prune", schemas.Printable(in.File))
			}
		}
	}
	return nil
}

// mayBeReadAgain is an error when a local file may not be read any longer which the folder has documents of, and is in
// a unit that is to be done again: these would go. A plan does not open files that have not changed. keys are those of
// the units.
// It is the last check before the run, and opens files, so units that are done are left out first.
func (p *Plan) mayBeReadAgain(ctx context.Context, keys []string) error {
	store := blob.New(p.options.Remote)
	for _, u := range p.Units {
		if _, done := p.held.rows[keys[u.ID]]; done {
			continue
		}
		for _, in := range u.Inputs {
			// A group is many files, and remote ones cost a request each: only single local files are tried.
			if !p.held.names[in.File] || in.Group != nil || !isLocal(in.File) {
				continue
			}
			f, err := store.Open(ctx, in.File)
			if why, bad := blob.Unreadable(err); bad {
				return cli.Usagef("%s cannot be read (%s), and the unit that it is in is to be done again: to go on would "+
					"remove its documents. Nothing was touched. Make it readable, or name another "+
					"--output", schemas.Printable(in.File), why)
			}
			// Any other error than that of an unreadable file ends the run before it has begun.
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

// readBefore are the names of files that cannot be read now and of which the folder has documents.
// The map tells first which names are in question, and then which of them were read.
func (k *keeper) readBefore(units []schemas.Unit) map[string]bool {
	names := map[string]bool{}
	for _, u := range units {
		for _, in := range u.Inputs {
			if in.Unreadable != "" {
				names[in.File] = false
			}
		}
	}
	// The usual case, which costs no walk through all rows.
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

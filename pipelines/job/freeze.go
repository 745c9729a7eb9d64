package job

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// connected are those of rows that are of one file with some of seeds, or with others that are.
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
		if in[r.Key] {
			continue
		}
		in[r.Key] = true
		list = append(list, r)
		for _, id := range r.ids {
			for _, i := range byID[id] {
				queue = append(queue, rows[i])
			}
			delete(byID, id)
		}
	}
	return list
}

// disjoint leaves out rows that have been read from what others have been read from, too: a run that was to divide
// archives anew was killed. What is nowhere else has to stay.
func (k *keeper) disjoint(rows []leftover) ([]leftover, error) {
	if k.held.standing.finished {
		return rows, nil
	}
	lost := func(r leftover) (n int64) {
		for _, in := range r.Inputs {
			if slices.Contains(r.left, k.id(r.Dir, in)) {
				n += 1 + in.End - in.Start
			}
		}
		return n
	}
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

// overlap tells whether two ranges of one file have something in common.
func overlap(a, b schemas.Range) bool {
	if a.Group != nil && b.Group != nil {
		last := func(g *schemas.Group) *schemas.Group { return &schemas.Group{First: g.Last} }
		return comparePages(a.Group, last(b.Group)) <= 0 && comparePages(b.Group, last(a.Group)) <= 0
	}
	return a.Start < b.End && b.Start < a.End || a.Start == b.Start
}

// covered tells whether a range has nothing that is not in others of its file, which have nothing in common.
func covered(r schemas.Range, by []schemas.Range) bool {
	var n int64
	for _, b := range by {
		switch {
		case r.Group != nil:
			if b.Group != nil && *r.Group == *b.Group {
				return true
			}
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
	if gone != "" || len(r.left) == 0 || len(r.left) == len(r.ids) && k.today[r.ids[0]] {
		k.outcome.gone++
	} else {
		k.outcome.unnamed++
	}
	k.frozen = append(k.frozen, r.Row)
	for _, in := range r.Inputs {
		id := k.id(r.Dir, in)
		k.taken[id] = append(k.taken[id], in)
	}
	return nil
}

func firstOf(r collection.Row) schemas.Range {
	if len(r.Inputs) == 0 {
		return schemas.Range{}
	}
	return r.Inputs[0]
}

// checkUnchanged refuses a command when a file has changed that was read together with one that is not there.
func (k *keeper) checkUnchanged(ctx context.Context, r leftover) error {
	for _, in := range r.Inputs {
		id := k.id(r.Dir, in)
		name := work.StampName(in)
		if !k.today[id] || k.stamps[name] == r.Stamps[name] {
			continue
		}
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

// isTaken tells whether a range is in units that stay.
func (k *keeper) isTaken(dir string, r schemas.Range) bool {
	by := k.taken[k.id(dir, r)]
	return len(by) > 0 && (r.Unreadable != "" || covered(r, by))
}

// missed is an error when a range is in units that stay, but not wholly, and when one can be read no longer of which
// the
// folder has documents.
func (k *keeper) missed(units []schemas.Unit) error {
	read := k.readBefore(units)
	for _, u := range units {
		for _, in := range u.Inputs {
			if in.Unreadable != "" && read[in.File] {
				return cli.Usagef("%s cannot be read (%s), and has changed or is divided otherwise than when it could be: "+
					"to go on would remove its documents. "+
					"Nothing was touched. Make it readable, or name another --output", schemas.Printable(in.File), in.Unreadable)
			}
			by := k.taken[k.id("", in)]
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
func (p *Plan) mayBeReadAgain(ctx context.Context, keys []string) error {
	store := blob.New(p.options.Remote)
	for _, u := range p.Units {
		if _, done := p.held.rows[keys[u.ID]]; done {
			continue
		}
		for _, in := range u.Inputs {
			if !p.held.names[in.File] || in.Group != nil || blob.IsRemote(in.File) || kafka.IsURL(in.File) {
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

// readBefore are the names of files that cannot be read now and of which the folder has documents.
func (k *keeper) readBefore(units []schemas.Unit) map[string]bool {
	names := map[string]bool{}
	for _, u := range units {
		for _, in := range u.Inputs {
			if in.Unreadable != "" {
				names[in.File] = false
			}
		}
	}
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

package standing

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// Settle decides which rows of one class stay: those of files not found, and all that share a file with these. A file
// is read once. It returns a usage error for what the command must not do unasked.
func Settle(f *Folder, class Class, found Found, p Policy, w World) (o Outcome, err error) {
	s := &settling{f, maps.Clone(f.Rows), found, p, w}
	if err := s.checkLost(class); err != nil {
		return o, err
	}
	s.leaveWaiting(class, &o)
	rows := s.rowsOf(class)
	if err := s.checkPages(rows); err != nil {
		return o, err
	}
	stay, pruned, err := s.divide(rows)
	if err != nil || len(stay) == 0 && len(pruned) == 0 {
		return o, err
	}
	// A unit of several small files stays or goes as one, and no other unit may read its files. So all units that are
	// connected by shared files stay.
	if class != Topics { // each range of a topic is a unit of its own
		stay = connected(rows, stay)
	}
	if err := s.prune(pruned, stay, &o); err != nil {
		return o, err
	}
	// A killed run may have left two units of the same bytes; only one may stay.
	if stay, err = s.disjoint(stay); err != nil {
		return o, err
	}
	for _, r := range stay {
		if class != Topics {
			if err := s.checkUnchanged(r); err != nil {
				return o, err
			}
		}
		if s.isGone(r) {
			o.Gone++
		} else {
			o.Unnamed++
		}
		o.Stay = append(o.Stay, r.Row)
	}
	return o, nil
}

// leaveWaiting sets aside rows of a class that no manifest names and whose archives the command does not name. They
// are the work of an interrupted run and wait for it. --prune gives up those whose archives are gone.
func (s *settling) leaveWaiting(class Class, o *Outcome) {
	for key := range s.folder.Waiting {
		r, there := s.rows[key]
		if !there || ClassOf(firstOf(r)) != class {
			continue
		}
		named, gone := false, true
		ids := s.idsOf(r)
		for _, id := range ids {
			_, covered := s.world.Covers(id)
			named = named || covered || s.found.IDs[id]
			gone = gone && s.world.Gone(id, covered)
		}
		if named || gone && s.policy.Prune || len(ids) == 0 {
			continue
		}
		s.folder.leave(s.rows, key)
		o.Waiting = append(o.Waiting, key)
		o.Waits = min(cmp.Or(o.Waits, pathIn(ids[0])), pathIn(ids[0]))
	}
	slices.Sort(o.Waiting)
}

// divide returns the rows that stay, and those that --prune removes completely or in part. A row is pruned only if
// all its missing files are gone. If the command just does not name one of them, the row stays.
func (s *settling) divide(rows []leftover) (stay, pruned []leftover, err error) {
	var strange []string // ids that the command does not cover
	vanished := map[string]bool{}
	common := 0 // how many files of these rows the command reads again
	// A named topic may have trimmed all messages of its rows, which leaves nothing in common.
	named := false
	for _, r := range rows {
		keep := false
		// left is empty for rows that the command reads again: they neither stay nor are pruned.
		for _, id := range r.left {
			named = named || s.found.IDs[id]
			_, covered := s.world.Covers(id)
			gone := s.world.Gone(id, covered)
			vanished[id] = gone
			if !covered {
				strange = append(strange, id)
			}
			keep = keep || !gone || !s.policy.Prune
		}
		// A command that shares no file with the folder more likely names the wrong folder than a growing collection.
		common += len(r.ids) - len(r.left)
		switch {
		case keep:
			stay = append(stay, r)
		case len(r.left) > 0:
			pruned = append(pruned, r)
		}
	}
	if s.policy.Prune {
		// --prune was given for these files, so they need no question.
		strange = slices.DeleteFunc(strange, func(id string) bool { return vanished[id] })
		if err := s.checkPrune(pruned, common); err != nil {
			return nil, nil, err
		}
	}
	switch {
	case s.policy.Add:
	// Without --add the folder must hold only the command's archives.
	case len(strange) > 0:
		return nil, nil, s.otherInputs(strange)
	// All its archives are missing and none is read again: the folder and the command have nothing in common.
	case len(stay) > 0 && common == 0 && !named:
		return nil, nil, s.otherInputs(stay[0].left)
	}
	return stay, pruned, nil
}

// otherInputs refuses a command whose archives are not those of the folder. It names the first in order, so that the
// message is the same each time.
func (s *settling) otherInputs(ids []string) error {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return cli.Usagef("the folder holds %s, also of %s that this command does not name, such as %s. Nothing was touched. "+
		"Name another --output for a collection of its own, or use --add to add these archives to the folder, or "+
		"--fresh to replace its content",
		s.holds(), cli.Plural(len(ids), "archive"), schemas.Printable(pathIn(ids[0])))
}

// isGone reports whether the files of a row that stays no longer exist. Otherwise the command just does not name
// them.
func (s *settling) isGone(r leftover) bool {
	for _, id := range r.left {
		if _, covered := s.world.Covers(id); s.world.Gone(id, covered) {
			return true
		}
	}
	// Joined records leave no file out, and a topic may exist without its messages: both count as gone.
	return len(r.left) == 0 || len(r.left) == len(r.ids) && s.found.IDs[r.ids[0]]
}

// checkLost refuses a command that would remove a unit without a row unasked. Only a command that reads all its
// archives again can keep its documents.
func (s *settling) checkLost(class Class) error {
	for _, u := range s.folder.Lost {
		if len(u.Inputs) == 0 || ClassOf(u.Inputs[0]) != class {
			continue // records are joined again
		}
		for _, in := range u.Inputs {
			id := s.world.ID(s.folder.LastRun.Dir, in)
			_, covered := s.world.Covers(id)
			if s.found.IDs[id] || nothingOf(u, in) || s.policy.Prune && s.world.Gone(id, covered) {
				continue
			}
			return cli.Usagef("the row of the unit with %s is missing or damaged in the output folder, and this command does "+
				"not read %s again: to go on would remove its documents. Nothing was touched. Restore the row, or name "+
				"this archive too, or give --prune if it is gone", ledger.Describe(u.Shards), schemas.Printable(pathIn(id)))
		}
	}
	return nil
}

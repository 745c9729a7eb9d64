package job

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// settle decides, when the files of the command are known, which rows of one class stay: those of files that it has not
// found, and all that are of one file with these, since a file is read once. What the command may not do without being
// asked to is a usage error.
// The classes are settled one by one, in the order of the plan's sources.
func (k *keeper) settle(ctx context.Context, class int) error {
	k.leaveWaiting(class)
	// First those checks which are about the folder as a whole.
	rows := k.rowsOf(class)
	if err := k.checkPages(rows); err != nil {
		return err
	}
	stay, pruned, err := k.divide(rows)
	if err != nil {
		return err
	}
	if len(stay) == 0 && len(pruned) == 0 {
		return nil
	}
	// A unit of several small files stays or goes as one. If it stays, no other unit may read its
	// files, and so all the units that share a file with it stay, and those that share one with these.
	frozen := stay
	if class != classTopic { // of which each range is a unit of its own
		frozen = connected(rows, stay)
	}
	// Pruned rows that have to stay because of a neighbour are not counted as removed.
	for _, r := range pruned {
		switch {
		case slices.ContainsFunc(frozen, func(f leftover) bool { return f.Key == r.Key }):
		// All its files are gone: the row is simply not in the plan, and Finish removes its shards.
		case len(r.left) == len(r.ids):
			k.outcome.pruned = append(k.outcome.pruned, r.Row)
		// Some are gone: the rest of its files is planned again, in new units without them.
		default:
			k.outcome.redone++
			n, err := k.capturesOf(ctx, r)
			if err != nil {
				return err
			}
			k.outcome.removed += n
		}
	}
	// A killed run may have left two units that read the same bytes; only one of them may stay.
	if frozen, err = k.disjoint(frozen); err != nil {
		return err
	}
	for _, r := range frozen {
		if err := k.freeze(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// leaveWaiting leaves rows of a class alone that no manifest names, and of which the command names no archive either:
// an interrupted run has made them, and they wait for it. --prune gives up those whose archives are gone.
func (k *keeper) leaveWaiting(class int) {
	for key := range k.held.waiting {
		r, there := k.held.rows[key]
		if !there || classOf(firstOf(r)) != class {
			continue
		}
		named, gone := false, true
		ids := k.idsOf(r)
		for _, id := range ids {
			_, covered := k.scope.Covers(id)
			named = named || covered || k.today[id]
			gone = gone && k.isGone(id, covered)
		}
		if named || gone && k.Prune || len(ids) == 0 {
			continue
		}
		delete(k.held.rows, key)
		k.waiting = append(k.waiting, key)
		k.outcome.waiting++
		k.outcome.waits = min(cmp.Or(k.outcome.waits, pathIn(ids[0])), pathIn(ids[0]))
	}
	slices.Sort(k.waiting)
}

// rowsOf are the rows of a class, in an order of their own. Those of joined records are of archives.
// The order is that of keys, so that the same folder gives the same plan each time.
func (k *keeper) rowsOf(class int) []leftover {
	var list []leftover
	for _, key := range slices.Sorted(maps.Keys(k.held.rows)) {
		r := leftover{Row: k.held.rows[key]}
		switch {
		// A row of joined records has no inputs and is settled with the archives, which are settled in every run.
		case len(r.Inputs) > 0 && classOf(r.Inputs[0]) != class, len(r.Inputs) == 0 && class != classArchive:
			continue
		}
		// Units of a file that could not even be opened hold no documents, and need no guarding.
		seen, unread := map[string]bool{}, map[string]bool{}
		for _, in := range r.Inputs {
			if in.Unreadable != "" && (r.Captures == 0 || in.Format == "") {
				unread[k.id(r.Dir, in)] = true // there is nothing of it that could be lost
			}
		}
		for _, id := range k.idsOf(r.Row) {
			// The ids of joined records come from stamps and may repeat.
			if seen[id] {
				continue
			}
			seen[id] = true
			r.ids = append(r.ids, id)
			// A row without inputs stays or goes with the units that
			// its segments are from, and has nothing left of its own.
			if len(r.Inputs) > 0 && !k.today[id] && !unread[id] {
				r.left = append(r.left, id)
			}
		}
		// The messages are gone although the topic is there.
		if len(r.left) == 0 && class == classTopic && k.isTrimmed(r.Row) {
			r.left = r.ids
		}
		list = append(list, r)
	}
	return list
}

// idsOf are those of the files that a row is of; of joined records the files that have their segments.
func (k *keeper) idsOf(r collection.Row) (ids []string) {
	// The folder of the row's run counts: its relative names are relative to that.
	for _, in := range r.Inputs {
		ids = append(ids, k.id(r.Dir, in))
	}
	if len(r.Inputs) > 0 {
		return ids
	}
	// The row of joined records has the stamps of the files that it read; their values are empty.
	for _, name := range slices.Sorted(maps.Keys(r.Stamps)) {
		ids = append(ids, k.id(r.Dir, schemas.Range{File: name}))
	}
	if len(ids) > 0 {
		return ids
	}
	// Any row with segments may be where its records come from.
	// That is too many, which only makes more rows stay together.
	for _, other := range k.held.rows { // a row of an earlier version, which did not say
		for _, s := range other.Segments {
			ids = append(ids, k.id(other.Dir, schemas.Range{File: s.File}))
		}
	}
	slices.Sort(ids)
	return ids
}

// divide finds the rows that stay by themselves, and those that --prune removes wholly or in part.
// A row is pruned when all that is missing is gone for good. If one file of it is only not named, it stays.
func (k *keeper) divide(rows []leftover) (stay, pruned []leftover, err error) {
	var strange []string // ids that the command does not name
	vanished := map[string]bool{}
	common := 0 // files of rows that the command reads again
	// Only for topics: k.today has a topic's id also when its messages were trimmed, which makes the row leftover.
	named := false // it names a topic of theirs, which may have forgotten all that they are of
	for _, r := range rows {
		keep := false
		// left is empty for rows that the command reads again: these neither stay nor are pruned.
		for _, id := range r.left {
			named = named || k.today[id]
			_, covered := k.scope.Covers(id)
			gone := k.isGone(id, covered)
			// Noted for all ids, because a file may be of several rows.
			vanished[id] = gone
			if !covered {
				strange = append(strange, id)
			}
			keep = keep || !gone || !k.Prune
		}
		// Where the command shares no file with the folder, it is
		// more likely the wrong folder than a growing collection.
		common += len(r.ids) - len(r.left)
		switch {
		case keep:
			stay = append(stay, r)
		case len(r.left) > 0:
			pruned = append(pruned, r)
		}
	}
	if k.Prune {
		// A file that is gone is not a reason to ask whether the folder is meant: --prune was given for that.
		strange = slices.DeleteFunc(strange, func(id string) bool { return vanished[id] })
		if err := k.checkPrune(pruned, common); err != nil {
			return nil, nil, err
		}
	}
	// Without --add the folder has to be that of the command's archives.
	if !k.Add && len(strange) > 0 {
		return nil, nil, k.otherInputs(strange)
	}
	// All of its archives are gone and none is read again: the folder and the command have nothing in common.
	if !k.Add && len(stay) > 0 && common == 0 && !named {
		return nil, nil, k.otherInputs(stay[0].left)
	}
	return stay, pruned, nil
}

// otherInputs refuses a command whose archives are not those of the folder.
// The message names one archive, the first in order, so that it says the same in each run.
func (k *keeper) otherInputs(ids []string) error {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return cli.Usagef("the folder holds %s, also of %s that this command does not name, such as %s. Nothing was touched. "+
		"Name another --output for a collection of its own, or give --add to add these archives to what is there, or "+
		"--fresh to replace it",
		strings.TrimPrefix(k.held.describe(), "its "), plural(len(ids), "archive"), schemas.Printable(pathIn(ids[0])))
}

// clash finds files whose relative names are those of other files, of runs in other folders.
// Rows of an unchanged file under a moved folder are taken for those of the
// file: see below. That is decided by stamps, which hold the size and the time.
func (k *keeper) clash(files []blob.Info) error {
	names := map[string]blob.Info{}
	for _, f := range files {
		// Absolute names and URLs are the same file wherever the run was.
		if !blob.IsRemote(f.Name) && !filepath.IsAbs(f.Name) {
			names[f.Name] = f
		}
	}
	for _, r := range k.held.rows {
		for _, in := range r.Inputs {
			f, there := names[in.File]
			// Not there, or the very same file: most rows end here.
			if !there || k.id(r.Dir, in) == k.id("", in) {
				continue
			}
			if name := work.StampName(in); r.Stamps[name] == f.Stamp {
				r.Dir = "" // the folder was moved, with all that is in it
				k.held.rows[r.Key] = r
			} else {
				return cli.Usagef("%s is not the archive of that name which the folder has documents of: that was in %s. "+
					"Nothing was touched. Name archives by their whole paths", schemas.Printable(f.Name), schemas.Printable(r.Dir))
			}
		}
	}
	return nil
}

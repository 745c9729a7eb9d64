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

// settle decides which rows of one class stay: those of files not found, and all that share a file with these. A file
// is read once. It returns a usage error for what the command must not do unasked. Classes are settled one by one, in
// the order of the plan's sources.
func (k *keeper) settle(ctx context.Context, class int) error {
	k.leaveWaiting(class)
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
	// A unit of several small files stays or goes as one, and no other unit may read its files. So all units that are
	// connected by shared files stay.
	frozen := stay
	if class != classTopic { // each range of a topic is a unit of its own
		frozen = connected(rows, stay)
	}
	// A pruned row that has to stay because of a neighbour does not count as removed.
	for _, r := range pruned {
		switch {
		case slices.ContainsFunc(frozen, func(f leftover) bool { return f.Key == r.Key }):
		// All its files are gone: the plan leaves the row out, and Finish removes its shards.
		case len(r.left) == len(r.ids):
			k.outcome.pruned = append(k.outcome.pruned, r.Row)
		// Some files are gone: new units read the others again.
		default:
			k.outcome.redone++
			n, err := k.capturesOf(ctx, r)
			if err != nil {
				return err
			}
			k.outcome.removed += n
		}
	}
	// A killed run may have left two units of the same bytes; only one may stay.
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

// leaveWaiting sets aside rows of a class that no manifest names and whose archives the command does not name. They
// are the work of an interrupted run and wait for it. --prune gives up those whose archives are gone.
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

// rowsOf returns the rows of a class, sorted by key so that the same folder always gives the same plan. Rows of
// joined records belong to the class of archives.
func (k *keeper) rowsOf(class int) []leftover {
	var list []leftover
	for _, key := range slices.Sorted(maps.Keys(k.held.rows)) {
		r := leftover{Row: k.held.rows[key]}
		switch {
		// Rows of joined records have no inputs. They are settled with the archives, which every run settles.
		case len(r.Inputs) > 0 && classOf(r.Inputs[0]) != class, len(r.Inputs) == 0 && class != classArchive:
			continue
		}
		seen, unread := map[string]bool{}, map[string]bool{}
		for _, in := range r.Inputs {
			if in.Unreadable != "" && (r.Captures == 0 || in.Format == "") {
				unread[k.id(r.Dir, in)] = true // it has no documents that could be lost
			}
		}
		for _, id := range k.idsOf(r.Row) {
			// The ids of joined records come from stamps and may repeat.
			if seen[id] {
				continue
			}
			seen[id] = true
			r.ids = append(r.ids, id)
			// A row without inputs stays or goes with the units of its segments.
			if len(r.Inputs) > 0 && !k.today[id] && !unread[id] {
				r.left = append(r.left, id)
			}
		}
		// The topic exists, but its messages are gone.
		if len(r.left) == 0 && class == classTopic && k.isTrimmed(r.Row) {
			r.left = r.ids
		}
		list = append(list, r)
	}
	return list
}

// idsOf returns the ids of a row's files; for joined records, of the files that have their segments.
func (k *keeper) idsOf(r collection.Row) (ids []string) {
	// Relative names are relative to the folder of the row's run.
	for _, in := range r.Inputs {
		ids = append(ids, k.id(r.Dir, in))
	}
	if len(r.Inputs) > 0 {
		return ids
	}
	// Joined records have the names of their files as the keys of the stamps.
	for _, name := range slices.Sorted(maps.Keys(r.Stamps)) {
		ids = append(ids, k.id(r.Dir, schemas.Range{File: name}))
	}
	if len(ids) > 0 {
		return ids
	}
	// Rows of earlier versions have no stamps, so count the files of all segments. Too many ids only make more rows
	// stay together.
	for _, other := range k.held.rows {
		for _, s := range other.Segments {
			ids = append(ids, k.id(other.Dir, schemas.Range{File: s.File}))
		}
	}
	slices.Sort(ids)
	return ids
}

// divide returns the rows that stay, and those that --prune removes completely or in part. A row is pruned only if
// all its missing files are gone. If the command just does not name one of them, the row stays.
func (k *keeper) divide(rows []leftover) (stay, pruned []leftover, err error) {
	var strange []string // ids that the command does not cover
	vanished := map[string]bool{}
	common := 0 // how many files of these rows the command reads again
	// A named topic may have trimmed all messages of its rows, which leaves nothing in common.
	named := false
	for _, r := range rows {
		keep := false
		// left is empty for rows that the command reads again: they neither stay nor are pruned.
		for _, id := range r.left {
			named = named || k.today[id]
			_, covered := k.scope.Covers(id)
			gone := k.isGone(id, covered)
			vanished[id] = gone
			if !covered {
				strange = append(strange, id)
			}
			keep = keep || !gone || !k.Prune
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
	if k.Prune {
		// --prune was given for these files, so they need no question.
		strange = slices.DeleteFunc(strange, func(id string) bool { return vanished[id] })
		if err := k.checkPrune(pruned, common); err != nil {
			return nil, nil, err
		}
	}
	// Without --add the folder must hold only the command's archives.
	if !k.Add && len(strange) > 0 {
		return nil, nil, k.otherInputs(strange)
	}
	// All its archives are missing and none is read again: the folder and the command have nothing in common.
	if !k.Add && len(stay) > 0 && common == 0 && !named {
		return nil, nil, k.otherInputs(stay[0].left)
	}
	return stay, pruned, nil
}

// otherInputs refuses a command whose archives are not those of the folder. It names the first in order, so that the
// message is the same each time.
func (k *keeper) otherInputs(ids []string) error {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return cli.Usagef("the folder holds %s, also of %s that this command does not name, such as %s. Nothing was touched. "+
		"Name another --output for a collection of its own, or give --add to add these archives to what is there, or "+
		"--fresh to replace it",
		strings.TrimPrefix(k.held.describe(), "its "), plural(len(ids), "archive"), schemas.Printable(pathIn(ids[0])))
}

// clash finds files whose relative names are those of other files, which runs in other folders have read. If the
// stamp is equal, the folder was moved: the row becomes one of this folder.
func (k *keeper) clash(files []blob.Info) error {
	names := map[string]blob.Info{}
	for _, f := range files {
		// Absolute names and URLs mean the same file everywhere.
		if !blob.IsRemote(f.Name) && !filepath.IsAbs(f.Name) {
			names[f.Name] = f
		}
	}
	for _, r := range k.held.rows {
		for _, in := range r.Inputs {
			f, there := names[in.File]
			if !there || k.id(r.Dir, in) == k.id("", in) {
				continue
			}
			if name := work.StampName(in); r.Stamps[name] == f.Stamp {
				r.Dir = "" // the folder was moved with its files
				k.held.rows[r.Key] = r
			} else {
				return cli.Usagef("%s is not the archive of that name which the folder has documents of: that was in %s. "+
					"Nothing was touched. Name archives by their whole paths", schemas.Printable(f.Name), schemas.Printable(r.Dir))
			}
		}
	}
	return nil
}

package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/blob"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/unit"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// leftover is a row of which some files are not among those of the command.
type leftover struct {
	collection.Row
	ids  []string
	left []string // those of ids that the command has not found
}

// settle decides, when the files of the command are known, which rows of one class stay: those of files that it has not
// found, and all that are of one file with these, since a file is read once. What the command may not do without being
// asked to is a usage error.
func (k *keeper) settle(ctx context.Context, class int) error {
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
	frozen := stay
	if class != classTopic { // of which each range is a unit of its own
		frozen = connected(rows, stay)
	}
	for _, r := range pruned {
		switch {
		case slices.ContainsFunc(frozen, func(f leftover) bool { return f.Key == r.Key }):
		case len(r.left) == len(r.ids):
			k.outcome.pruned = append(k.outcome.pruned, r.Row)
		default:
			k.outcome.redone++
			n, err := k.capturesOf(ctx, r)
			if err != nil {
				return err
			}
			k.outcome.removed += n
		}
	}
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

// checkPages refuses a command that finds fewer pages in a folder of pages than were read: which are gone, nobody knows,
// since no row has their names.
func (k *keeper) checkPages(rows []leftover) error {
	if k.prune || !k.held.standing.finished {
		return nil
	}
	now, before := map[string]int{}, map[string]int{}
	for _, f := range k.listed {
		if f.Group != nil {
			now[k.id("", schemas.Range{File: f.Name, Group: f.Group})] += f.Group.Files
		}
	}
	for _, r := range rows {
		for _, in := range r.Inputs {
			if in.Group != nil {
				before[k.id(r.Dir, in)] += in.Group.Files
			}
		}
	}
	for id, n := range now {
		if n < before[id] {
			return run.Usagef("%s has %d pages, and had %d when it was read: to read it again would remove the documents of those that are gone. "+
				"Nothing was touched. Put them back, or give --prune, or name another --output", fileOf(id), n, before[id])
		}
	}
	return nil
}

// capturesOf counts the captures of a row that are of files which the command has not found, by the unit's index.
func (k *keeper) capturesOf(ctx context.Context, r leftover) (n int64, err error) {
	gone := map[string]bool{}
	for _, in := range r.Inputs {
		if slices.Contains(r.left, k.id(r.Dir, in)) {
			gone[in.File] = true
		}
	}
	f := openOutput(ctx, k.options)
	defer func() { err = errors.Join(err, f.Close()) }()
	for line, err := range collection.Captures(f, r.Shards) {
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil // it is being renamed, or missing: the unit is done again anyway
		}
		if err != nil {
			return 0, err
		}
		if gone[line.Filename] {
			n++
		}
	}
	return n, nil
}

// rowsOf are the rows of a class, in an order of their own. Those of joined records are of archives.
func (k *keeper) rowsOf(class int) []leftover {
	var list []leftover
	for _, key := range slices.Sorted(maps.Keys(k.held.rows)) {
		r := leftover{Row: k.held.rows[key]}
		switch {
		case len(r.Inputs) > 0 && classOf(r.Inputs[0]) != class, len(r.Inputs) == 0 && class != classArchive:
			continue
		}
		seen := map[string]bool{}
		for _, id := range k.idsOf(r.Row) {
			if seen[id] {
				continue
			}
			seen[id] = true
			r.ids = append(r.ids, id)
			if len(r.Inputs) > 0 && !k.today[id] {
				r.left = append(r.left, id)
			}
		}
		if len(r.left) == 0 && class == classTopic && k.isTrimmed(r.Row) {
			r.left = r.ids
		}
		list = append(list, r)
	}
	return list
}

// idsOf are those of the files that a row is of; of joined records the files that have their segments.
func (k *keeper) idsOf(r collection.Row) (ids []string) {
	for _, in := range r.Inputs {
		ids = append(ids, k.id(r.Dir, in))
	}
	if len(r.Inputs) > 0 {
		return ids
	}
	for _, name := range slices.Sorted(maps.Keys(r.Stamps)) {
		ids = append(ids, k.id(r.Dir, schemas.Range{File: name}))
	}
	if len(ids) > 0 {
		return ids
	}
	for _, other := range k.held.rows { // a row of an earlier version, which did not say
		for _, s := range other.Segments {
			ids = append(ids, k.id(other.Dir, schemas.Range{File: s.File}))
		}
	}
	slices.Sort(ids)
	return ids
}

// divide finds the rows that stay by themselves, and those that --prune removes wholly or in part.
func (k *keeper) divide(rows []leftover) (stay, pruned []leftover, err error) {
	var strange []string // ids that the command does not name
	vanished := map[string]bool{}
	common := 0
	for _, r := range rows {
		keep := false
		for _, id := range r.left {
			_, covered := k.scope.Covers(id)
			gone := k.isGone(id, covered)
			vanished[id] = gone
			if !covered {
				strange = append(strange, id)
			}
			keep = keep || !gone || !k.prune
		}
		common += len(r.ids) - len(r.left)
		switch {
		case keep:
			stay = append(stay, r)
		case len(r.left) > 0:
			pruned = append(pruned, r)
		}
	}
	if k.prune {
		strange = slices.DeleteFunc(strange, func(id string) bool { return vanished[id] })
		if err := k.checkPrune(pruned, common); err != nil {
			return nil, nil, err
		}
	}
	if !k.add && len(strange) > 0 {
		return nil, nil, k.otherInputs(strange)
	}
	if !k.add && len(stay) > 0 && common == 0 {
		return nil, nil, k.otherInputs(stay[0].left)
	}
	return stay, pruned, nil
}

// isGone tells whether a file that the command has not found is no longer there, as far as can be told.
func (k *keeper) isGone(id string, covered bool) bool {
	if !filepath.IsAbs(id) {
		return covered // what is remote was listed
	}
	_, err := os.Lstat(fileOf(id))
	return errors.Is(err, fs.ErrNotExist)
}

// fileOf is the path in an id.
func fileOf(id string) string {
	name, _, _ := strings.Cut(id, ` "`) // of an index
	return strings.TrimSuffix(name, "/")
}

// otherInputs refuses a command whose archives are not those of the folder.
func (k *keeper) otherInputs(ids []string) error {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return run.Usagef("the folder holds %s, also of %s that this command does not name, such as %s. Nothing was touched. "+
		"Name another --output for a collection of its own, or give --add to add these archives to what is there, or --fresh to replace it",
		strings.TrimPrefix(k.held.describe(), "its "), plural(len(ids), "archive"), fileOf(ids[0]))
}

// checkPrune refuses to remove what may be out of reach for a while: where a folder is empty or not there, a share may
// not be mounted.
func (k *keeper) checkPrune(pruned []leftover, common int) error {
	rows := 0
	reached := map[string]bool{}
	for id := range k.today {
		if arg, ok := k.scope.Covers(id); ok {
			reached[arg] = true
		}
	}
	for _, r := range pruned {
		if len(r.left) == len(r.ids) {
			rows++
		}
		for _, id := range r.left {
			if arg, ok := k.scope.Covers(id); ok && !reached[arg] {
				return run.Usagef("--prune: nothing that the folder has documents of is left in %s; is it mounted? Nothing was touched", arg)
			}
			if dir := emptyAbove(fileOf(id)); filepath.IsAbs(id) && dir != "" {
				return run.Usagef("--prune: %s is not there, and %s is empty; is it mounted? Nothing was touched. "+
					"Remove the empty folder when that is what was meant", fileOf(id), dir)
			}
		}
	}
	if rows > 0 && rows == len(k.held.rows) && common == 0 {
		return run.Usagef("--prune would remove all that the folder holds, %s: --fresh does that. Nothing was touched", strings.TrimPrefix(k.held.describe(), "its "))
	}
	return nil
}

// emptyAbove is the nearest folder above a file that is there, if it is empty.
func emptyAbove(file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		d, err := os.Open(dir)
		if err == nil {
			names, _ := d.Readdirnames(1) // a folder that cannot be read is not known to be empty
			if err := d.Close(); err == nil && len(names) > 0 {
				return ""
			}
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

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
	slices.SortStableFunc(rows, func(a, b leftover) int { return cmp.Or(cmp.Compare(lost(b), lost(a)), strings.Compare(a.Key, b.Key)) })
	var kept []leftover
	have := map[string][]schemas.Range{}
	for _, r := range rows {
		overlaps := false
		for _, in := range r.Inputs {
			overlaps = overlaps || slices.ContainsFunc(have[k.id(r.Dir, in)], func(h schemas.Range) bool { return overlap(h, in) })
		}
		if overlaps {
			for _, in := range r.Inputs {
				if id := k.id(r.Dir, in); slices.Contains(r.left, id) && !covered(in, have[id]) {
					return nil, run.Usagef("%s is no longer there, and a run that was to divide it anew was killed: put it back and run the last command again, or give --prune", fileOf(id))
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
		name := unit.StampName(in)
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
			other = fileOf(r.left[0])
		}
		return run.Usagef("%s has changed, and was read together with %s, which is not there: its documents cannot be made again without removing those. "+
			"Nothing was touched. Put that back, or give --prune to remove what came from it, or name another --output", in.File, other)
	}
	return nil
}

// isTaken tells whether a range is in units that stay.
func (k *keeper) isTaken(dir string, r schemas.Range) bool {
	by := k.taken[k.id(dir, r)]
	return len(by) > 0 && covered(r, by)
}

// missed is an error when a range is in units that stay, but not wholly.
func (k *keeper) missed(units []schemas.Unit) error {
	if len(k.taken) == 0 {
		return nil
	}
	for _, u := range units {
		for _, in := range u.Inputs {
			by := k.taken[k.id("", in)]
			if slices.ContainsFunc(by, func(b schemas.Range) bool { return overlap(b, in) }) {
				return run.Usagef("%s was read in part by a run that was not finished, with other archives that are gone, and by other units than those of this command: "+
					"give the --unit_size of that run, or --prune", in.File)
			}
		}
	}
	return nil
}

// clash finds files whose relative names are those of other files, of runs in other folders.
func (k *keeper) clash(files []blob.Info) error {
	names := map[string]blob.Info{}
	for _, f := range files {
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
			if name := unit.StampName(in); r.Stamps[name] == f.Stamp {
				r.Dir = "" // the folder was moved, with all that is in it
				k.held.rows[r.Key] = r
			} else {
				return run.Usagef("%s is not the archive of that name which the folder has documents of: that was in %s. "+
					"Nothing was touched. Name archives by their whole paths", f.Name, r.Dir)
			}
		}
	}
	return nil
}

// isTrimmed tells whether a row is of messages that their topic does not have any longer.
func (k *keeper) isTrimmed(r collection.Row) bool {
	for _, in := range r.Inputs {
		if first, read := k.trimmed[in.File]; read && in.Start < first {
			return true
		}
	}
	return false
}

// topics settles those rows that are of topics, and takes from the units of the command what is in rows that stay.
func (k *keeper) topics(ctx context.Context, units []schemas.Unit, stamps map[string]string) ([]schemas.Unit, error) {
	for file, stamp := range stamps {
		k.today[file], k.trimmed[file] = true, math.MaxInt64
		for _, r := range k.held.rows {
			if was, read := r.Stamps[file]; read && was != stamp {
				return nil, run.Usagef("%s is another topic than that which the folder has documents of, under the same name. "+
					"Nothing was touched. Name another --output, or give --fresh to replace what is there", file)
			}
		}
	}
	for _, u := range units {
		file := u.Inputs[0].File
		k.trimmed[file] = min(k.trimmed[file], u.Inputs[0].Start)
	}
	if err := k.settle(ctx, classTopic); err != nil {
		return nil, err
	}
	var rest []schemas.Unit
	for _, u := range units {
		in := &u.Inputs[0]
		for _, by := range k.taken[in.File] {
			if by.Start <= in.Start && in.Start < by.End {
				in.Start = by.End
			}
		}
		if in.Start < in.End {
			rest = append(rest, u)
		}
	}
	return rest, nil
}

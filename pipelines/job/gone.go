package job

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// checkPages refuses a command that finds fewer pages in a folder of pages than were read: which are gone, nobody
// knows,
// since no row has their names.
// The count is all that is known of a group. That as many pages were added as removed is not seen here.
func (k *keeper) checkPages(rows []leftover) error {
	// An unfinished run has rows of some groups only, so that fewer than all is not a sign of loss.
	if k.Prune || !k.held.standing.finished {
		return nil
	}
	now, before := map[string]int{}, map[string]int{}
	// A folder is listed as several groups; the sum of them is compared.
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
	// Only folders that the command has found are compared. One that it has not found stays as a whole.
	for id, n := range now {
		if n < before[id] {
			return cli.Usagef("%s has %d pages, and had %d when it was read: to read it again would remove the documents "+
				"of those that are gone. "+
				"Nothing was touched. Put them back, or give --prune, or name another "+
				"--output", schemas.Printable(pathIn(id)), n, before[id])
		}
	}
	return nil
}

// capturesOf counts the captures of a row that are of files which the command has not found, by the unit's index.
// It opens the index of one unit. The number is for the summary alone.
func (k *keeper) capturesOf(ctx context.Context, r leftover) (n int64, err error) {
	gone := map[string]bool{}
	for _, in := range r.Inputs {
		if slices.Contains(r.left, k.id(r.Dir, in)) {
			gone[in.File] = true
		}
	}
	f := openOutput(ctx, k.options)
	defer func() { err = errors.Join(err, f.Close()) }()
	for line, err := range (holdings.Part{Folder: f, Shards: r.Shards}).Captures(ctx) {
		// The unit's shards may be half renamed, where an earlier run was killed between them.
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil // it is being renamed, or missing: the unit is done again anyway
		}
		if err != nil {
			return 0, err
		}
		// The index names archives as the rows do, so that names can be compared without resolving them.
		if gone[line.Filename] {
			n++
		}
	}
	return n, nil
}

// stdinPattern is what package work calls archives that came on standard input, below the folder of their run: by the
// beginning of their bytes' SHA-256.
var stdinPattern = regexp.MustCompile(`/stdin-[0-9a-f]{16}$`)

// isGone reports whether a file that the command has not found is no longer there, as far as can be told.
// It errs on the side of staying: an error other than "does
// not exist", such as a lack of permission, is no proof.
func (k *keeper) isGone(id string, covered bool) bool {
	switch {
	// An object store lists all there is. What the command covers and has not found was removed there.
	case !filepath.IsAbs(id):
		return covered // what is remote was listed
	case stdinPattern.MatchString(id):
		return false // an archive that came on standard input never was there
	}
	// Lstat, because a link whose target is gone is a link that is there.
	_, err := os.Lstat(pathIn(id))
	return errors.Is(err, fs.ErrNotExist)
}

// checkPrune refuses to remove what may be out of reach for a while: where a folder is empty or not there, a share may
// not be mounted.
func (k *keeper) checkPrune(pruned []leftover, common int) error {
	// rows counts those that would go wholly.
	rows := 0
	// The arguments under which at least one file was found: these are mounted, and their servers answer.
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
			// All at once is what a share looks like that is not
			// mounted. One missing file among others is simply gone.
			if arg, ok := k.scope.Covers(id); ok && !reached[arg] {
				return cli.Usagef("--prune: nothing that the folder has documents of is left in %s; is it mounted? Nothing "+
					"was touched", schemas.Printable(arg))
			}
			// The folder for mounting is there and empty when nothing is mounted on it.
			if dir := emptyAbove(pathIn(id)); filepath.IsAbs(id) && dir != "" {
				return cli.Usagef("--prune: %s is not there, and %s is empty; is it mounted? Nothing was touched. "+
					"Remove the empty folder when that is what was meant", schemas.Printable(pathIn(id)), schemas.Printable(dir))
			}
		}
	}
	// Removing everything is what --fresh is for, where nobody can do it by accident.
	if rows > 0 && rows == len(k.held.rows) && common == 0 {
		return cli.Usagef("--prune would remove all that the folder holds, %s: --fresh does that. Nothing was "+
			"touched", strings.TrimPrefix(k.held.describe(), "its "))
	}
	return nil
}

// emptyAbove is the nearest folder above a file that is there, if it is empty.
// It goes up until a folder can be opened, so that a whole tree that is gone is recognised by what is left above.
func emptyAbove(file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		// A folder that is not there cannot be opened, and the loop goes on to the one above.
		d, err := os.Open(dir)
		if err == nil {
			names, _ := d.Readdirnames(1) // a folder that cannot be read is not known to be empty
			if err := d.Close(); err == nil && len(names) > 0 {
				return ""
			}
			return dir
		}
		// Dir of the root is the root.
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// isTrimmed reports whether a row is of messages that their topic does not have any longer.
// Messages are kept for a while only, which the topic's owner
// decides: they are as gone as files that were removed.
func (k *keeper) isTrimmed(r collection.Row) bool {
	for _, in := range r.Inputs {
		if first, read := k.trimmed[in.File]; read && in.Start < first {
			return true
		}
	}
	return false
}

// topics settles those rows that are of topics, and takes from the units of the command what is in rows that stay.
// Ranges of a topic only ever grow at the end, so that what was read is kept and reading goes on after it.
func (k *keeper) topics(ctx context.Context, units []schemas.Unit, stamps map[string]string) ([]schemas.Unit, error) {
	for file, stamp := range stamps {
		// MaxInt64 stands for a partition without messages: all that was read of it is trimmed.
		k.today[file], k.trimmed[file] = true, math.MaxInt64
		// A topic that was removed and made again counts its messages from 0 again; its stamp tells.
		for _, r := range k.held.rows {
			if was, read := r.Stamps[file]; read && was != stamp {
				return nil, cli.Usagef("%s is another topic than that which the folder has documents of, under the same name. "+
					"Nothing was touched. Name another --output, or give --fresh to replace what is there", file)
			}
		}
	}
	// The first offset that is there is where the first unit of a partition begins.
	for _, u := range units {
		file := u.Inputs[0].File
		k.trimmed[file] = min(k.trimmed[file], u.Inputs[0].Start)
	}
	if err := k.settle(ctx, classTopic); err != nil {
		return nil, err
	}
	var rest []schemas.Unit
	// units are the caller's own slice, so that their starts may be moved.
	for _, u := range units {
		in := &u.Inputs[0]
		// Rows that stay begin before the first message that is there and have nothing
		// in common, so that at most one of them reaches into a unit.
		for _, by := range k.taken[in.File] {
			if by.Start <= in.Start && in.Start < by.End {
				in.Start = by.End
			}
		}
		// Nothing is left of a unit that was read to its end.
		if in.Start < in.End {
			rest = append(rest, u)
		}
	}
	return rest, nil
}

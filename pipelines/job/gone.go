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

// checkPages refuses a command that finds fewer pages in a folder than were read before, because rows do not name
// single pages. It does not notice when as many pages were added as removed.
func (k *keeper) checkPages(rows []leftover) error {
	// Unfinished runs have rows for only some groups, so fewer pages prove nothing.
	if k.Prune || !k.held.standing.finished {
		return nil
	}
	now, before := map[string]int{}, map[string]int{}
	// A folder may be several groups, so their sums are compared.
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
	// Folders that the command has not found stay whole.
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

// capturesOf counts a row's captures from files that the command has not found, by the unit's index. The summary
// shows it.
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
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil // the shards are being renamed or are missing: the unit is done again anyway
		}
		if err != nil {
			return 0, err
		}
		// The index and the rows name archives in the same way.
		if gone[line.Filename] {
			n++
		}
	}
	return n, nil
}

// stdinPattern matches names that package work gives to archives from standard input: the folder of the run and the
// start of their SHA-256.
var stdinPattern = regexp.MustCompile(`/stdin-[0-9a-f]{16}$`)

// isGone reports whether a file that the command has not found no longer exists. In doubt it returns false: other
// errors, such as a missing permission, prove nothing.
func (k *keeper) isGone(id string, covered bool) bool {
	switch {
	// An object store lists all files, so a covered file that was not found was removed.
	case !filepath.IsAbs(id):
		return covered
	case stdinPattern.MatchString(id):
		return false // an archive from standard input never was a file there
	}
	// Lstat counts a dangling link as existing.
	_, err := os.Lstat(pathIn(id))
	return errors.Is(err, fs.ErrNotExist)
}

// checkPrune refuses to remove documents whose archives may be only temporarily out of reach: an empty or missing
// folder may be an unmounted share.
func (k *keeper) checkPrune(pruned []leftover, common int) error {
	// rows counts the rows that would go completely.
	rows := 0
	// reached has the arguments below which at least one file was found: they are mounted, or their servers answer.
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
			// An unmounted share misses all files at once; single missing files are gone.
			if arg, ok := k.scope.Covers(id); ok && !reached[arg] {
				return cli.Usagef("--prune: nothing that the folder has documents of is left in %s; is it mounted? Nothing "+
					"was touched", schemas.Printable(arg))
			}
			// An unmounted mount point is an existing empty folder.
			if dir := emptyAbove(pathIn(id)); filepath.IsAbs(id) && dir != "" {
				return cli.Usagef("--prune: %s is not there, and %s is empty; is it mounted? Nothing was touched. "+
					"Remove the empty folder when that is what was meant", schemas.Printable(pathIn(id)), schemas.Printable(dir))
			}
		}
	}
	// --fresh removes everything; --prune must not do so by accident.
	if rows > 0 && rows == len(k.held.rows) && common == 0 {
		return cli.Usagef("--prune would remove all that the folder holds, %s: --fresh does that. Nothing was "+
			"touched", strings.TrimPrefix(k.held.describe(), "its "))
	}
	return nil
}

// emptyAbove returns the nearest existing folder above file if that folder is empty, or "".
func emptyAbove(file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		// Folders that cannot be opened count as missing.
		d, err := os.Open(dir)
		if err == nil {
			names, _ := d.Readdirnames(1) // an unreadable folder is not known to be empty
			if err := d.Close(); err == nil && len(names) > 0 {
				return ""
			}
			return dir
		}
		// At the root, Dir returns its argument.
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// isTrimmed reports whether a row has messages that the topic no longer retains. These are as gone as removed files.
func (k *keeper) isTrimmed(r collection.Row) bool {
	for _, in := range r.Inputs {
		if first, read := k.trimmed[in.File]; read && in.Start < first {
			return true
		}
	}
	return false
}

// topics settles the rows of topics and shortens the units of the command by the ranges that stay. A topic only grows
// at its end, so reading continues after the last range.
func (k *keeper) topics(ctx context.Context, units []schemas.Unit, stamps map[string]string) ([]schemas.Unit, error) {
	for file, stamp := range stamps {
		// MaxInt64 stands for a partition without messages: everything read from it has been trimmed.
		k.today[file], k.trimmed[file] = true, math.MaxInt64
		// A topic that was deleted and created again restarts at offset 0; its stamp shows it.
		for _, r := range k.held.rows {
			if was, read := r.Stamps[file]; read && was != stamp {
				return nil, cli.Usagef("%s is another topic than that which the folder has documents of, under the same name. "+
					"Nothing was touched. Name another --output, or give --fresh to replace what is there", file)
			}
		}
	}
	// The first unit of a partition begins at the first retained offset.
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
		// Rows that stay begin before the first retained message and do not overlap, so at most one reaches into a
		// unit.
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

package standing

import (
	"path/filepath"
	"slices"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// prune notes what --prune removes. A pruned row that has to stay because of a neighbour does not count as removed.
func (s *settling) prune(pruned, stay []leftover, o *Outcome) error {
	for _, r := range pruned {
		switch {
		case slices.ContainsFunc(stay, func(f leftover) bool { return f.Key == r.Key }):
		// All its files are gone: the plan leaves the row out, and Finish removes its shards.
		case len(r.left) == len(r.ids):
			o.Pruned = append(o.Pruned, r.Row)
		// Some files are gone: new units read the others again.
		default:
			o.Redone++
			gone := map[string]bool{}
			for _, in := range r.Inputs {
				if slices.Contains(r.left, s.world.ID(r.Dir, in)) {
					gone[in.File] = true
				}
			}
			n, err := s.world.Captures(r.Row, gone)
			if err != nil {
				return err
			}
			o.Removed += n
		}
	}
	return nil
}

// checkPages refuses a command that finds fewer pages in a folder than were read before, because rows do not name
// single pages. It does not notice when as many pages were added as removed.
func (s *settling) checkPages(rows []leftover) error {
	// Unfinished runs have rows for only some groups, so fewer pages prove nothing.
	if s.policy.Prune || !s.folder.Finished {
		return nil
	}
	before := map[string]int{}
	for _, r := range rows {
		for _, in := range r.Inputs {
			if in.Group != nil {
				before[s.world.ID(r.Dir, in)] += in.Group.Files
			}
		}
	}
	// Folders that the command has not found stay whole.
	for id, n := range s.found.Pages {
		if n < before[id] {
			return cli.Usagef("%s has %d pages, and had %d when it was read: to read it again would remove the documents "+
				"of those that are gone. "+
				"Nothing was touched. Put them back, or give --prune, or name another "+
				"--output", schemas.Printable(pathIn(id)), n, before[id])
		}
	}
	return nil
}

// checkPrune refuses to remove documents whose archives may be only temporarily out of reach: an empty or missing
// folder may be an unmounted share.
func (s *settling) checkPrune(pruned []leftover, common int) error {
	// rows counts the rows that would go completely.
	rows := 0
	// reached has the arguments below which at least one file was found: they are mounted, or their servers answer.
	reached := map[string]bool{}
	for id := range s.found.IDs {
		if arg, ok := s.world.Covers(id); ok {
			reached[arg] = true
		}
	}
	for _, r := range pruned {
		if len(r.left) == len(r.ids) {
			rows++
		}
		for _, id := range r.left {
			// An unmounted share misses all files at once; single missing files are gone.
			if arg, ok := s.world.Covers(id); ok && !reached[arg] {
				return cli.Usagef("--prune: nothing that the folder has documents of is left in %s; is it mounted? Nothing "+
					"was touched", schemas.Printable(arg))
			}
			// An unmounted mount point is an existing empty folder.
			if !filepath.IsAbs(id) {
				continue
			}
			if dir := s.world.EmptyAbove(pathIn(id)); dir != "" {
				return cli.Usagef("--prune: %s is not there, and %s is empty; is it mounted? Nothing was touched. "+
					"If the archives are gone, remove the empty folder", schemas.Printable(pathIn(id)), schemas.Printable(dir))
			}
		}
	}
	// --fresh removes everything; --prune must not do so by accident.
	if rows > 0 && rows == len(s.rows) && common == 0 {
		return cli.Usagef("--prune would remove all that the folder holds, %s: --fresh does that. Nothing was "+
			"touched", s.holds())
	}
	return nil
}

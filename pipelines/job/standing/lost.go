package standing

import (
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// readLost finds the units of the manifest that have no valid row. units is the number of units in the manifest.
func (h *Folder) readLost(f folder.Folder, units int) error {
	// The usual case, without the large manifest. Rows that wait could make up for lost ones.
	if units <= len(h.Rows)-len(h.Waiting) {
		return nil
	}
	// A run migrates such a folder first.
	if older, err := ledger.IsOlder(f); err != nil || older {
		return err
	}
	m, err := holdings.ReadManifest(f)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	k, err := ledger.ReadCompaction(f)
	h.Lost = ledger.Lost(m, k, h.Rows)
	return err
}

// checkLost refuses a command that would remove a unit without a row unasked. Only a command that reads all its
// archives again can keep its documents.
func (s *settling) checkLost(class Class) error {
	for _, u := range s.folder.Lost {
		if len(u.Inputs) == 0 || ClassOf(u.Inputs[0]) != class {
			continue // records are joined again
		}
		for _, in := range u.Inputs {
			id := s.world.ID("", in)
			_, covered := s.world.Covers(id)
			if s.found.IDs[id] || in.Unreadable != "" || s.policy.Prune && s.world.Gone(id, covered) {
				continue
			}
			return cli.Usagef("the row of the unit with %s is missing or damaged in the output folder, and this command does "+
				"not read %s again: to go on would remove its documents. Nothing was touched. Restore the row, or name "+
				"this archive too, or give --prune if it is gone", ledger.Describe(u.Shards), schemas.Printable(pathIn(id)))
		}
	}
	return nil
}

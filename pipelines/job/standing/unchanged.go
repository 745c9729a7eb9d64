package standing

import (
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// checkUnchanged refuses a command if a file has changed that was read together with a missing one. Doing the unit
// again would lose the documents of the missing file.
func (s *settling) checkUnchanged(r leftover) error {
	for _, in := range r.Inputs {
		id := s.world.ID(r.Dir, in)
		stamp := s.found.Stamps[StampID(id, in)]
		if !s.found.IDs[id] || stamp == r.Stamps[work.StampName(in)] {
			continue
		}
		now := in
		if IsLocal(in.File) {
			now.File = schemas.NameOf(s.world.ID(r.Dir, schemas.Range{File: in.File}))
		}
		// Copying a file changes its stamp (size and time), so the bytes decide.
		same, err := s.world.Same(now, stamp)
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
			"Nothing was touched. Restore that archive, or use --prune to remove its documents, or name another "+
			"--output", schemas.Printable(in.File), schemas.Printable(other))
	}
	return nil
}

// Unreadable returns an error if a planned unit has an unreadable file of which the folder has documents.
func (h *Folder) Unreadable(units []schemas.Unit, w World) error {
	for _, u := range units {
		for _, in := range u.Inputs {
			// Doing the unit again would replace its documents by a reject.
			if in.Unreadable != "" && h.Has(in.File, w) {
				return cli.Usagef("%s cannot be read (%s), and has changed or is divided otherwise than when it could be: "+
					"to go on would remove its documents. "+
					"Nothing was touched. Make it readable, or name another --output", schemas.Printable(in.File), in.Unreadable)
			}
		}
	}
	return nil
}

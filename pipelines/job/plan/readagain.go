package plan

import (
	"context"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

// mayBeReadAgain returns an error if a unit to be done needs an unreadable local file. The folder would lose the
// documents of that file. Planning does not open unchanged files. The keys are those of the units. This is the last
// check before the run.
func (p *Plan) mayBeReadAgain(ctx context.Context, keys []string) error {
	store := blob.New(p.Request.Remote)
	for _, u := range p.Units {
		if _, done := p.folder.Rows[keys[u.ID]]; done {
			continue
		}
		for _, in := range u.Inputs {
			// A group is many files and a remote file costs a request, so it tries only single local files.
			if !p.folder.Has(in.File) || in.Group != nil || !standing.IsLocal(in.File) {
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

package plan

import (
	"context"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// Plan is the work of a run. It has the units that the command has found (Own) and those of the folder that stay
// (stays). Both are in Units, where a unit's ID is its index, as it is in Keys.
type Plan struct {
	*work.Inputs
	Request Request       // completed from the folder
	Keys    []string      // the keys that this run would give the units
	Takes   map[int]int64 // how many captures of a unit are taken, if not all
	Todo    int           // how many units are to be done, after Resume
	Refusal string        // why a run would be refused, if the plan is only shown
	asked   holdings.LastRun
	folder  *standing.Folder
	keeper  *keeper
	stays   map[int]ledger.Row // units that stay as they are, by ID
	chooser chooser
}

// Own returns the units that the command has found. Only these are estimated, surveyed and checked; units that stay
// cost nothing.
func (p *Plan) Own() []schemas.Unit {
	var list []schemas.Unit
	for _, u := range p.Units {
		if _, stays := p.stays[u.ID]; !stays {
			list = append(list, u)
		}
	}
	return list
}

// Dir returns the folder that relative names of archives refer to.
func (p *Plan) Dir() string { return p.asked.Dir }

// Open opens the output, unless another run or a detached job is using it. It passes on the rows that the plan has
// read; StillHolds checks that they are still right.
func (p *Plan) Open(ctx context.Context, f folder.Folder) (*collection.Collection, error) {
	fresh := p.Request.Fresh
	return collection.Open(f, collection.OpenOptions{
		Redo:     fresh,
		Rows:     p.folder.Rows,
		Waiting:  p.keeper.report.Waiting,
		JobEnded: func(note []byte) error { return run.JobEnded(ctx, note, fresh) },
	})
}

// timesOf returns when the unit's files were modified.
func (p *Plan) timesOf(u schemas.Unit) []time.Time {
	var times []time.Time
	for _, in := range u.Inputs {
		times = append(times, p.Times[work.StampName(in)])
	}
	return times
}

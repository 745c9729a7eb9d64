package job

import (
	"log/slog"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/schemas"
)

// Plan is the work of a run. It has the units that the command has found (own) and those of the folder that stay
// (stays). Both are in Units, where a unit's ID is its index, as it is in keys.
type Plan struct {
	*work.Inputs
	request Request // as it was made
	log     *slog.Logger
	recipe  recipe.Recipe // of the request, completed from the folder
	asked   holdings.LastRun
	folder  *standing.Folder
	keeper  *keeper
	stays   map[int]ledger.Row // units that stay as they are, by ID
	chooser chooser
	keys    []string      // the keys that this run would give the units
	takes   map[int]int64 // how many captures of a unit are taken, if not all
	todo    int           // how many units are to be done
	refusal string        // why a run would be refused, if the plan is only shown
}

// own returns the units that the command has found. Only these are estimated, surveyed and checked; units that stay
// cost nothing.
func (p *Plan) own() []schemas.Unit {
	var list []schemas.Unit
	for _, u := range p.Units {
		if _, stays := p.stays[u.ID]; !stays {
			list = append(list, u)
		}
	}
	return list
}

// timesOf returns when the unit's files were modified.
func (p *Plan) timesOf(u schemas.Unit) []time.Time {
	var times []time.Time
	for _, in := range u.Inputs {
		times = append(times, p.Times[work.StampName(in)])
	}
	return times
}

// tasks returns the units with all that a worker needs. Stamps let the worker open only the planned version of a
// file.
func (p *Plan) tasks(units []schemas.Unit) []unit.Task {
	list := make([]unit.Task, len(units))
	for i, u := range units {
		list[i] = unit.Task{Unit: u, Key: p.keys[u.ID], Stamps: p.StampsOf(u)}
		if take, cut := p.takes[u.ID]; cut {
			list[i].Take = &take
		}
	}
	return list
}

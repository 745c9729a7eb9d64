package job

import (
	"crypto/rand"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

// jobOf returns what workers have to know of a plan, and sets its keys. A job's ID is random, because two jobs in one
// process, as in tests, must not share a session.
func jobOf(p *plan.Plan) (o unit.Job, err error) {
	o.Recipe, o.Machine = p.Request.Recipe, p.Request.Machine
	o.ID, o.Units, o.Division, o.Dir = rand.Text(), len(p.Units), p.Request.Division(), p.Dir()
	o.Report = report.Run{Command: "ingest", Runner: p.Request.Runner, Started: time.Now().UTC()}
	if o.Made, err = o.Versions(); err != nil {
		return o, cli.Usagef("%v", err)
	}
	o.JoinedKey = p.SetKeys("", o.Made)
	return o, nil
}

// tasksOf returns the units with all that a worker needs. Stamps let the worker open only the planned version of a
// file.
func tasksOf(p *plan.Plan, units []schemas.Unit) []unit.Task {
	list := make([]unit.Task, len(units))
	for i, u := range units {
		list[i] = unit.Task{Unit: u, Key: p.Keys[u.ID], Stamps: p.StampsOf(u)}
		if take, cut := p.Takes[u.ID]; cut {
			list[i].Take = &take
		}
	}
	return list
}

// submission returns what pipelines of the plan have in common.
func submission(p *plan.Plan, out *collection.Collection) batch.Submission {
	c := p.Request
	return batch.Submission{
		Command: "ingest", Output: c.Output, Runner: c.Runner, Folder: out.Folder(), Leave: out.Leave,
	}
}

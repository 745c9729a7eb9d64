// Package job is the engine of ingest. A plan says what to do, and Run does it: it keeps the work of earlier runs, does
// the remaining units, and writes the manifest. The package knows no command line, and two jobs in one process share
// nothing.
//
// Its graph is that of package batch: one function reads, enriches, writes and commits a unit (see package unit). The
// last step joins segmented records and writes the manifest. See docs/design.md.
//
//	recipe     what a run makes of archives, and with what machine
//	standing   which units of an output folder stay: one pure function
//	plan       from a request to units that are to do
//	unit pipe  one unit: read, enrich, write, commit; its documents on standard output
//
// Of pipelines, these packages may import the floors below (batch, run, sinks, cli …). Only command imports them.
package job

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// ErrHandedOver means that the job continues without this process.
var ErrHandedOver = errors.New("handed over")

// Run does the units of the plan that are not done yet and returns the manifest. It returns ErrHandedOver if the job
// continues without this process.
func Run(ctx context.Context, p *plan.Plan) (m schemas.Manifest, err error) {
	o, err := jobOf(p)
	if err != nil {
		return m, err
	}
	// Asking the servers before locking the folder makes a server that is down cost nothing.
	if err := o.Sinks.Ask(ctx); err != nil {
		return m, cli.Usagef("%v", err)
	}
	live := p.Request.Counters
	if live == nil {
		live = &cli.Counters{}
	}
	defer unit.Begin(o, live, p.Request.Log, p.Request.Done)()
	f := o.Folder(ctx)
	defer func() { _ = f.Close() }() // files that Close cannot remove are temporary
	// This locks the folder until out is closed.
	out, err := p.Open(ctx, f)
	if err != nil {
		return m, plan.OutputError(err)
	}
	defer out.Close()
	o.Generation = out.Generation()
	if err := p.StillHolds(f); err != nil {
		return m, err
	}
	if o, err = prepare(ctx, p, o, out); err != nil {
		return m, err
	}
	if p.Takes, err = limits(ctx, p, o); err != nil {
		return m, err
	}
	r, err := p.Resume(ctx, out, o.Templates.SHA256, o.Made)
	if err != nil {
		return m, err
	}
	o.JoinedKey = r.JoinedKey
	// With nothing to do, the manifest needs no graph and no workers.
	if len(r.Todo) == 0 && !ledger.NeedsJoin(r.Done, o.Units) {
		return finish(ctx, out, o, r.Done)
	}
	if err := doUnits(ctx, p, o, live, out, tasksOf(p, r.Todo), r.Done); err != nil {
		return m, err
	}
	if run.Detached() {
		return m, ErrHandedOver
	}
	// Another machine may have committed, so the folder has the manifest.
	m, err = ledger.Ended(f)
	if errors.Is(err, fs.ErrNotExist) {
		// Beam reports a cancelled job as a success.
		return m, fmt.Errorf("the job has ended and has written no manifest: was it cancelled, or does another run have the "+
			"folder? Run the same command again: %w", err)
	}
	return m, err
}

// doUnits does the units of todo and commits them together with those of done.
func doUnits(ctx context.Context, p *plan.Plan, o unit.Job, live *cli.Counters, out *collection.Collection,
	todo []unit.Task, done []schemas.UnitResult,
) error {
	var bytes int64
	sizes := make(map[string]int64, len(todo))
	for _, t := range todo {
		sizes[t.Key] = t.Unit.Bytes()
		bytes += t.Unit.Bytes()
	}
	if len(done) > 0 {
		p.Request.Log.Info(fmt.Sprintf("%d of %d units are done already", len(done), o.Units))
	}
	f := out.Folder()
	// Both lists travel through the folder, because runners refuse a graph with a million units.
	tasks, err := batch.List(f, todo)
	if err != nil {
		return plan.OutputError(err)
	}
	before, err := batch.List(f, done)
	if err != nil {
		return plan.OutputError(err)
	}
	if p.Request.Progress != nil {
		defer p.Request.Progress(live, bytes)()
	}
	// Workers elsewhere have their own counters, so progress follows the committed units.
	if o.Elsewhere {
		defer batch.Watch(live, sizes, func() ([]string, error) { return ledger.Keys(f) })()
	}
	return submission(p, out).Do(ctx, ingesting, ingest{o}, tasks, before)
}

package job

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// planned returns the options for running the plan.
func (c *Request) planned(p *Plan) (unit.Job, error) {
	o := unit.Job{Recipe: p.recipe, Machine: c.Machine}
	// The ID is random because two jobs in one process, as in tests, must not share a session.
	o.Units, o.Division, o.Dir = len(p.Units), c.division(), p.asked.Dir
	o.ID = rand.Text()
	o.Report = report.Run{Command: "ingest", Runner: c.Runner, Started: time.Now().UTC()}
	var err error
	if o.Made, err = o.Versions(); err != nil {
		return o, cli.Usagef("%v", err)
	}
	return o, nil
}

// Run does the units that are not done yet and returns the manifest. It returns ErrHandedOver if the job continues
// without this process.
func (p *Plan) Run(ctx context.Context) (schemas.Manifest, error) {
	c := p.request
	o, err := c.planned(p)
	if err != nil {
		return schemas.Manifest{}, err
	}
	// Asking the servers before locking the folder makes a server that is down cost nothing.
	if err := o.Sinks.Ask(ctx); err != nil {
		return schemas.Manifest{}, cli.Usagef("%v", err)
	}
	// Keys depend on the versions, which planned has found.
	p.setKeys(&o)
	live := c.Counters
	if live == nil {
		live = &cli.Counters{}
	}
	defer unit.Begin(o, live, p.log)()
	f := o.Folder(ctx)
	defer func() { _ = f.Close() }() // files that Close cannot remove are temporary
	// This locks the folder until out is closed.
	out, err := c.openCollection(ctx, f, p)
	if err != nil {
		return schemas.Manifest{}, outputError(err)
	}
	defer out.Close()
	o.Generation = out.Generation()
	if err := p.stillHolds(f, c.Fresh); err != nil {
		return schemas.Manifest{}, err
	}
	if o, err = prepare(ctx, c, o, p, f, out); err != nil {
		return schemas.Manifest{}, err
	}
	if p.takes, err = p.limits(ctx, o); err != nil {
		return schemas.Manifest{}, err
	}
	todo, done, err := p.resume(ctx, f, out, &o)
	if err != nil {
		return schemas.Manifest{}, err
	}
	// With nothing to do, the manifest needs no graph and no workers.
	if len(todo) == 0 && !ledger.NeedsJoin(done, o.Units) {
		return finish(ctx, out, o, done)
	}
	if err := p.doUnits(ctx, o, live, out, f, p.tasks(todo), done); err != nil {
		return schemas.Manifest{}, err
	}
	if run.Detached() {
		return schemas.Manifest{}, ErrHandedOver
	}
	// Another machine may have committed, so the folder has the manifest.
	m, err := ledger.Ended(f)
	if errors.Is(err, fs.ErrNotExist) {
		// Beam reports a cancelled job as a success.
		return m, fmt.Errorf("the job has ended and has written no manifest: was it cancelled, or does another run have the "+
			"folder? Run the same command again: %w", err)
	}
	return m, err
}

// ErrHandedOver means that the job continues without this process.
var ErrHandedOver = errors.New("handed over")

// doUnits does the units of todo and commits them together with those of done.
func (p *Plan) doUnits(ctx context.Context, o unit.Job, live *cli.Counters, out *collection.Collection, f folder.Folder,
	todo []unit.Task, done []schemas.UnitResult,
) error {
	var bytes int64
	sizes := make(map[string]int64, len(todo))
	for _, t := range todo {
		sizes[t.Key] = t.Unit.Bytes()
		bytes += t.Unit.Bytes()
	}
	if len(done) > 0 {
		p.log.Info(fmt.Sprintf("%d of %d units are done already", len(done), o.Units))
	}
	// Both lists travel through the folder, because runners refuse a graph with a million units.
	tasks, err := batch.List(f, todo)
	if err != nil {
		return outputError(err)
	}
	before, err := batch.List(f, done)
	if err != nil {
		return outputError(err)
	}
	if p.request.Progress != nil {
		defer p.request.Progress(live, bytes)()
	}
	// Workers elsewhere have their own counters, so progress follows the committed units.
	if o.Elsewhere {
		defer batch.Watch(live, sizes, func() ([]string, error) { return ledger.Keys(f) })()
	}
	if p.request.Runner == run.Local {
		return batch.RunLocal(ctx, ingesting, ingest{o}, tasks, before)
	}
	return p.request.submit(ctx, out, f, pass{o, tasks, before})
}

package job

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// planned are the options of the plan.
func (c *Request) planned(p *Plan) (Options, error) {
	o := p.options
	// Job is random: two jobs of one process, as in tests, must not share a session.
	o.Units, o.Division, o.Dir = len(p.Units), c.division(), p.asked.Dir
	o.Job = rand.Text()
	o.Run = report.Run{Command: "ingest", Runner: c.Runner, Started: time.Now().UTC()}
	var err error
	if o.Made, err = o.versions(); err != nil {
		return o, cli.Usagef("%v", err)
	}
	return o, nil
}

// Run does what is not done yet and returns the manifest. The error is ErrHandedOver where the job goes on without this
// process.
func (p *Plan) Run(ctx context.Context) (schemas.Manifest, error) {
	c := p.request
	o, err := c.planned(p)
	if err != nil {
		return schemas.Manifest{}, err
	}
	// Servers are asked before the folder is locked, so that a server that is down costs nothing.
	if err := o.Sinks.Ask(ctx); err != nil {
		return schemas.Manifest{}, cli.Usagef("%v", err)
	}
	// Keys depend on the versions, and these are known since planned.
	p.setKeys(&o)
	live := c.Counters
	if live == nil {
		live = &cli.Counters{}
	}
	s, end := begin(o, live, p.log)
	defer end()
	f := openOutput(ctx, o)
	defer func() { _ = f.Close() }() // what it cannot remove is temporary
	// From here on the folder is locked, until out is closed.
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
	// Everything is done already: no graph is needed, and no worker, to write the manifest.
	if len(todo) == 0 && !collection.NeedsJoin(done, o.Units) {
		return finish(ctx, out, o, done)
	}
	if err := p.doUnits(ctx, o, s, out, f, p.tasks(todo), done); err != nil {
		return schemas.Manifest{}, err
	}
	if run.Detached() {
		return schemas.Manifest{}, ErrHandedOver
	}
	// The commit may have been done by another machine, so the manifest is read from the folder.
	m, err := collection.Ended(f)
	if errors.Is(err, fs.ErrNotExist) {
		// Beam calls a job that somebody has cancelled a good one.
		return m, fmt.Errorf("the job has ended and has written no manifest: was it cancelled, or does another run have the "+
			"folder? Run the same command again: %w", err)
	}
	return m, err
}

// ErrHandedOver is a job that goes on without this process.
var ErrHandedOver = errors.New("handed over")

// doUnits does the units that are to be done, and commits them together with those that are.
func (p *Plan) doUnits(ctx context.Context, o Options, s *session, out *collection.Collection, f folder.Folder,
	todo []task, done []schemas.UnitResult,
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
	// Both lists travel by the folder, because a graph with a million units would be refused.
	tasks, err := batch.List(f, todo)
	if err != nil {
		return outputError(err)
	}
	before, err := batch.List(f, done)
	if err != nil {
		return outputError(err)
	}
	if p.request.Progress != nil {
		defer p.request.Progress(s.live, bytes)()
	}
	// Workers elsewhere have counters of their own.
	if o.Elsewhere {
		defer batch.Watch(s.live, sizes, func() ([]string, error) { return collection.Keys(f) })()
	}
	if p.request.Runner == run.Local {
		return batch.Here(ctx, ingesting, o, tasks, before)
	}
	return p.request.submit(ctx, out, f, ingestPass{o, tasks, before})
}

// ingestPass is the pass that makes documents: units to be done, and the rows of those that are.
type ingestPass struct {
	o          Options
	todo, done batch.Listing
}

// Package job is the engine of ingest: a Request, which says what somebody asks for, becomes a Plan, and that is run: what
// an earlier run has done is kept, the units that are left are read, enriched, written and committed, and at the end the
// folder gets its manifest. It knows no command line.
//
// The graph is small on purpose. A unit is one element: reading, enriching and writing it happen inside one function,
// so that bodies never cross a shuffle and a unit's shards are right whatever a runner fuses, splits or repeats:
//
//	Create(units) → Reshuffle → Ingest (read, enrich, write, commit the unit) → rows → GroupByKey → Commit (manifest)
//	rows → segments → GroupByKey → plans → GroupByKey → Join (read, enrich, write, commit one more unit) → rows
//
// The second line joins records that were written in segments, which may stand anywhere; most archives have none.
// See docs/design.md.
package job

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	register.DoFn3x1[context.Context, []byte, func([]byte), error](&unitFn{})
	register.DoFn3x1[context.Context, int, func(*[]byte) bool, error](&commitFn{})
	register.Emitter1[[]byte]()
	register.Iter1[[]byte]()
}

// Build makes the graph that does the tasks and commits the collection. done are the results of units that an
// earlier run has finished; one of the two may be empty. Rows are JSON, so that they read the same in every version of the worker.
func Build(s beam.Scope, o Options, todo []task, done []schemas.UnitResult) error {
	s = s.Scope("ingest.Build")
	old, err := run.EncodeRows(done)
	if err != nil {
		return err
	}
	rows, err := units(s, &unitFn{Options: o}, todo, old)
	if err != nil {
		return err
	}
	rows = beam.Flatten(s, rows, join(s, o, rows))
	grouped := beam.GroupByKey(s, beam.AddFixedKey(s, rows))
	beam.ParDo0(s.Scope("Commit"), &commitFn{Options: o}, grouped)
	return nil
}

// units does the tasks, and returns what that gives together with what was there.
func units(s beam.Scope, fn *unitFn, todo []task, old [][]byte) (beam.PCollection, error) {
	tasks, err := run.EncodeRows(todo)
	if err != nil {
		return beam.PCollection{}, err
	}
	var parts []beam.PCollection
	if len(tasks) > 0 {
		parts = append(parts, beam.ParDo(s.Scope("Units"), fn, beam.Reshuffle(s, beam.CreateList(s, tasks))))
	}
	if len(old) > 0 {
		parts = append(parts, beam.CreateList(s, old))
	}
	return beam.Flatten(s, parts...), nil
}

// unitFn does one unit an element, several at a time.
type unitFn struct {
	Options Options
	Survey  bool // only see what pages tell of their hosts

	engine *engine
	bundle *run.Bundle
}

// Setup makes the engine, once a worker.
func (f *unitFn) Setup() (err error) {
	if f.Options.Elsewhere {
		cli.SetMemoryLimit(f.Options.MemoryLimit())
	}
	f.engine, err = newEngine(f.Options, workers(f.Options.Workers))
	return err
}

// StartBundle begins a bundle.
func (f *unitFn) StartBundle(ctx context.Context, _ func([]byte)) {
	f.bundle = run.NewBundle(ctx, cap(f.engine.pool.captures))
}

// ProcessElement starts a unit, when fewer than Workers are under way, and emits the rows of those that ended.
func (f *unitFn) ProcessElement(ctx context.Context, element []byte, emit func([]byte)) error {
	var t task
	if err := json.Unmarshal(element, &t); err != nil {
		return err
	}
	return f.bundle.Start(f.counting(ctx, emit), func(ctx context.Context) ([]byte, error) { return f.do(ctx, t) })
}

// do does one unit and returns its row, or its key when it was only to be surveyed.
func (f *unitFn) do(ctx context.Context, t task) ([]byte, error) {
	if err := f.engine.pool.begin(ctx); err != nil {
		return nil, err
	}
	defer f.engine.pool.end()
	if f.Survey {
		return []byte(t.Key), f.engine.survey(ctx, t)
	}
	result, err := f.engine.unit(ctx, t)
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// FinishBundle waits for the units that are under way.
func (f *unitFn) FinishBundle(ctx context.Context, emit func([]byte)) error {
	return f.bundle.Finish(f.counting(ctx, emit))
}

// counting counts the rows of units in the runner's metrics.
func (f *unitFn) counting(ctx context.Context, emit func([]byte)) func([]byte) {
	if f.Survey {
		return emit
	}
	return run.Counting(ctx, "ingest", emit)
}

// Teardown closes what Setup opened.
func (f *unitFn) Teardown() error { return f.engine.Close() }

// commitFn writes the manifest, and the report, once all units have a row.
type commitFn struct{ Options Options }

// ProcessElement takes all rows; a runner may deliver some of them twice.
func (f *commitFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool) error {
	rows, err := run.DecodeRows[report.Row](next)
	if err != nil {
		return err
	}
	done := report.New(f.Options.Run, f.Options.Units)
	results := make([]schemas.UnitResult, len(rows))
	for i, r := range rows {
		done.Add(r)
		results[i] = r.UnitResult
	}
	out := openOutput(ctx, f.Options)
	c := collection.Attach(out)
	if _, err = finish(ctx, c, f.Options, results); err == nil {
		done.End(time.Now())
		err = c.SaveReport(done)
	}
	return errors.Join(err, out.Close())
}

// finish commits the collection, and has searches find what an index got.
func finish(ctx context.Context, c *collection.Collection, o Options, results []schemas.UnitResult) (schemas.Manifest, error) {
	r := collection.Run{Units: o.Units, Options: o.lasting(), Versions: o.Made, Index: o.index()}
	if o.SiteTemplates {
		r.SiteTemplates = &o.Templates
	}
	m, err := c.Finish(results, r)
	if err == nil {
		o.Elastic.refresh(ctx)
	}
	return m, err
}

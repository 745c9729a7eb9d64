// Package job is the engine of ingest. A Request says what somebody asks for; MakePlan makes a Plan of it, and touches
// nothing; Run keeps what an earlier run has done, has the units that are left read, enriched, written and committed,
// and writes the manifest. It knows no command line, and has nothing that two jobs in one process would share.
//
// The graph is small on purpose. A unit is one element: reading, enriching and writing it happen inside one function,
// so that bodies never cross a shuffle and a unit's shards are right whatever a runner fuses, splits or repeats:
//
//	Create(files of the plan) → tasks → Reshuffle → Units (read, enrich, write, commit the unit) → rows → GroupByKey →
//	Commit (join what was written in segments, manifest)
//
// The plan and the rows of units that were done before stand in the folder: see listing. See docs/design.md.
package job

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// The functions are called by reflection. Beam's package register would make code for each of their types. That took
// 34 s to compile, to save microseconds an element, and an element here is a unit, which takes seconds.
func init() {
	beam.RegisterDoFn(&listFn{})
	beam.RegisterDoFn(&unitFn{})
	beam.RegisterDoFn(&commitFn{})
}

// build makes the graph that does the tasks of one listing and commits the collection together with the results of
// another, which an earlier run has left; one of the two may be empty. Rows are JSON, so that they read the same in
// every version of the worker.
// There is no row for a unit that fails: the first error
// ends the job, and what was committed stays for the next.
func build(s beam.Scope, o Options, todo, done listing) {
	s = s.Scope("ingest.Build")
	// The first row is of no unit: there is a commit also when no unit is to be done.
	rows := beam.Create(s, []byte("null"))
	if len(todo) > 0 {
		rows = beam.Flatten(s, rows, doTasks(s, &unitFn{Options: o}, todo))
	}
	// GroupByKey is the barrier: nothing is committed before every unit has ended.
	grouped := beam.GroupByKey(s, beam.AddFixedKey(s, rows))
	beam.ParDo0(s.Scope("Commit"), &commitFn{Options: o, Done: done}, grouped)
}

// doTasks does the tasks of a listing.
// Reshuffle keeps a runner from fusing the units with the
// reading of the list, which would do them all on one worker.
func doTasks(s beam.Scope, fn *unitFn, todo listing) beam.PCollection {
	return beam.ParDo(s.Scope("Units"), fn, beam.Reshuffle(s, readList(s, fn.Options, todo)))
}

// readList are the lines of a listing that is not empty.
// A list of files is what travels in the graph; their lines are read by workers.
func readList(s beam.Scope, o Options, l listing) beam.PCollection {
	return beam.ParDo(s.Scope("Plan"), &listFn{Options: o}, beam.CreateList(s, []string(l)))
}

// listFn reads a file of a listing.
// The folder is opened once for each file of the listing, and there are at most 256.
type listFn struct{ Options Options }

// ProcessElement emits the file's lines.
func (f *listFn) ProcessElement(ctx context.Context, key string, emit func([]byte)) error {
	out := openOutput(ctx, f.Options)
	lines, err := readListed(out, key)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	for _, line := range lines {
		emit(line)
	}
	return nil
}

// unitFn does one unit an element, several at a time.
// What has a small letter is made by Setup and is not sent: Beam encodes exported fields as JSON.
type unitFn struct {
	Options Options
	Survey  bool // only see what pages tell of their hosts

	engine *engine
	bundle *run.Bundle
}

// Setup makes the engine, once a worker.
// A worker elsewhere has not read the command line, which sets the limit where the work is done here.
func (f *unitFn) Setup() (err error) {
	if f.Options.Elsewhere {
		cli.SetMemoryLimit(f.Options.MemoryLimit())
	}
	f.engine, err = newEngine(f.Options)
	return err
}

// StartBundle begins a bundle.
// Beam requires the parameter of the emitter in all three methods of a function that emits.
func (f *unitFn) StartBundle(ctx context.Context, _ func([]byte)) {
	f.bundle = run.NewBundle(ctx, cap(f.engine.pool.captures))
}

// ProcessElement starts a unit, when fewer than Workers are under way, and emits the rows of those that ended.
// It returns before the unit is done: FinishBundle waits, and its error fails the bundle.
func (f *unitFn) ProcessElement(ctx context.Context, element []byte, emit func([]byte)) error {
	var t task
	if err := json.Unmarshal(element, &t); err != nil {
		return err
	}
	return f.bundle.Start(f.counting(ctx, emit), func(ctx context.Context) ([]byte, error) { return f.do(ctx, t) })
}

// do does one unit and returns its row, or its key when it was only to be surveyed. What a runner has lost and asks for
// again, as after the failure of a machine, is not done again when it is in the folder.
func (f *unitFn) do(ctx context.Context, t task) ([]byte, error) {
	// A unit waits here if other bundles of the process keep all workers busy.
	if err := f.engine.pool.begin(ctx); err != nil {
		return nil, err
	}
	defer f.engine.pool.end()
	if f.Survey {
		return f.survey(ctx, t)
	}
	// This answers for units of this run alone: what earlier runs have done is not among the tasks.
	done, there, err := collection.Committed(f.engine.out, t.Unit, t.Key, t.Stamps)
	row := report.Row{UnitResult: done}
	if err == nil && !there {
		row, err = f.engine.unit(ctx, t)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(row)
}

// survey surveys one unit, unless that was done, and returns its key.
// The file's name is its key, so if it is there it is right.
func (f *unitFn) survey(ctx context.Context, t task) ([]byte, error) {
	done, err := collection.Interim{Kind: collection.KindSketches, Key: t.Key}.Exists(f.engine.out)
	if err == nil && !done {
		err = f.engine.survey(ctx, t)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(t.Key)
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

// commitFn joins what was written in segments, and writes the manifest and the report, once all units have a row.
// It is called once, with all rows, because they have one key.
type commitFn struct {
	Options Options
	Done    listing // results of an earlier run
}

// ProcessElement takes all rows; a runner may deliver some of them twice, or call it again when all is written.
// "Again" may be in another process after the first call has ended, so that everything here can be repeated.
func (f *commitFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool) (err error) {
	// An interrupt waits for this: it is short, and behind it the collection is whole.
	defer cli.Hold()()
	rows, err := run.DecodeRows[report.Row](next)
	if err != nil {
		return err
	}
	out := openOutput(ctx, f.Options)
	defer func() { err = errors.Join(err, out.Close()) }()
	before, err := f.before(out)
	// The listing is the last thing to be removed, so that a
	// listing that is missing beside a manifest is a call repeated.
	if errors.Is(err, fs.ErrNotExist) {
		if _, done := collection.ReadTotals(out); done == nil {
			return nil // and so the listing was removed
		}
	}
	if err != nil {
		return err
	}
	// Duplicates are left in: Finish compares them.
	rows = append(rows, before...)
	c := collection.Attach(out)
	done := report.New(f.Options.Run, f.Options.Units)
	results := make([]schemas.UnitResult, 0, len(rows)+1)
	for _, r := range rows {
		if len(r.Shards) > 0 { // else it is the row of no unit
			done.Add(r)
			results = append(results, r.UnitResult)
		}
	}
	// Segments are parts of one record in several units or
	// files. They are known only now, when all units are done.
	if collection.NeedsJoin(results, f.Options.Units) {
		joined, err := join(ctx, f.Options, results)
		if err != nil {
			return err
		}
		done.Add(joined)
		results = append(results, joined.UnitResult)
	}
	if _, err := finish(ctx, c, f.Options, results); err != nil {
		return err
	}
	// The report is of this run and is different each time, so it does not decide whether the run was right.
	done.End(time.Now())
	return errors.Join(c.SaveReport(done), collection.RemoveInterims(out, collection.KindListing))
}

// before are the rows of an earlier run.
// They travel by the folder and not by the graph: a million rows would not fit in it.
func (f *commitFn) before(out outputFolder) (rows []report.Row, err error) {
	for _, key := range f.Done {
		lines, err := readListed(out, key)
		if err != nil {
			return nil, err
		}
		// DecodeRows takes an iterator of Beam, and this is one over lines.
		next := func(line *[]byte) bool {
			if len(lines) == 0 {
				return false
			}
			*line, lines = lines[0], lines[1:]
			return true
		}
		part, err := run.DecodeRows[report.Row](next)
		if err != nil {
			return nil, err
		}
		rows = append(rows, part...)
	}
	return rows, nil
}

// finish commits the collection, and tells the sinks.
func finish(ctx context.Context, c *collection.Collection, o Options,
	results []schemas.UnitResult,
) (schemas.Manifest, error) {
	r := collection.Run{Units: o.Units, Options: o.lasting(), Versions: o.Made, Index: o.index()}
	if o.SiteTemplates {
		r.SiteTemplates = &o.Templates
	}
	// Sinks are told only of a collection that is whole.
	m, err := c.Finish(results, r)
	if err == nil {
		o.Sinks.Finish(ctx)
	}
	return m, err
}

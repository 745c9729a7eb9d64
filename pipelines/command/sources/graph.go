package sources

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

func init() {
	beam.RegisterDoFn(&readFn{})
	beam.RegisterDoFn(&mergeFn{})
}

// Options are what a run was asked for. They travel to workers as JSON.
type Options struct {
	Output  string
	AsOf    time.Time
	Policy  source.Policy
	Workers int   // units that a process reads at once; 0 for as many as it has CPUs
	Memory  int64 // bytes that sorting holds
	Remote  blob.Options
	// Generation is that of the run: its workers write while it has the folder.
	Generation collection.Generation

	// Damaged are states and pages of the Source DB that nothing in it can tell: it is made again of the run's units.
	Damaged []string

	Run    report.Run
	Merged int // units that were merged before, and are not read
}

// baseMemory is what a process's heap has besides what it sorts: files that are read side by side, and garbage.
const baseMemory = 256 << 20

// folder opens the Source DB for a worker.
func (o Options) folder(ctx context.Context, store *blob.Store) folder.Folder {
	return o.Generation.Guard(folder.Open(ctx, o.Output, store))
}

// task is a unit of a collection.
type task struct {
	Collection string
	Shards     []schemas.Shard
}

// Build makes the graph. Without tasks, the Source DB is described again.
func Build(s beam.Scope, o Options, tasks []task) error {
	s = s.Scope("sources")
	rows, err := run.EncodeRows(tasks)
	if err != nil {
		return err
	}
	// One element of nothing: without any there would be no key and Merge would not be called.
	if len(rows) == 0 {
		rows = [][]byte{[]byte("{}")}
	}
	// Reshuffle keeps Create and Read apart: fused, one worker would read all units.
	parts := beam.ParDo(s.Scope("Read"), &readFn{Options: o}, beam.Reshuffle(s, beam.CreateList(s, rows)))
	// One fixed key is one call. What crosses the shuffle is a row a unit, some hundred bytes, and no data.
	beam.ParDo0(s.Scope("Merge"), &mergeFn{Options: o}, beam.GroupByKey(s, beam.AddFixedKey(s, parts)))
	return nil
}

// readFn reads one unit an element, several at a time.
type readFn struct {
	Options Options

	// Made on the worker, and not sent to it.
	store  *blob.Store
	bundle *run.Bundle
}

// Setup makes the store, once a worker.
func (f *readFn) Setup() {
	cli.SetMemoryLimit(baseMemory + int64(cli.Workers(f.Options.Workers))*f.Options.Memory)
	f.store = blob.New(f.Options.Remote)
}

// Teardown closes it.
func (f *readFn) Teardown() error { return f.store.Close() }

// StartBundle begins a bundle.
func (f *readFn) StartBundle(ctx context.Context, _ func([]byte)) {
	f.bundle = run.NewBundle(ctx, cli.Workers(f.Options.Workers))
}

// ProcessElement starts a unit, when fewer than Workers are under way, and emits the rows of those that ended.
func (f *readFn) ProcessElement(ctx context.Context, element []byte, emit func([]byte)) error {
	var t task
	if err := json.Unmarshal(element, &t); err != nil {
		return err
	}
	// An error fails the bundle, and the runner tries it again: parts that are finished are found by their names.
	return f.bundle.Start(run.Counting(ctx, "sources", emit), func(ctx context.Context) (_ []byte, err error) {
		began, row := time.Now(), unitRow{}
		if row.Part, err = f.read(ctx, t); err != nil {
			return nil, err
		}
		row.Measures.End(time.Since(began), cli.PeakMemory())
		return json.Marshal(row)
	})
}

// FinishBundle waits for the units that are under way.
func (f *readFn) FinishBundle(ctx context.Context, emit func([]byte)) error {
	return f.bundle.Finish(run.Counting(ctx, "sources", emit))
}

func (f *readFn) read(ctx context.Context, t task) (part sourcedb.Part, err error) {
	if t.Collection == "" {
		return sourcedb.Part{}, nil // of nothing
	}
	out := f.Options.folder(ctx, f.store)
	in := folder.Open(ctx, t.Collection, f.store)
	defer func() { err = errors.Join(err, in.Close(), out.Close()) }()
	o := sourcedb.SortOptions{MemoryBytes: int(f.Options.Memory)}
	// Its name says what it is made of, so two workers with one unit write the same part.
	part, err = sourcedb.WritePart(ctx, out, holdings.Part{Folder: in, Shards: t.Shards}, o)
	cli.Live.Captures.Add(part.Docs)
	return part, err
}

// mergeFn makes the next generation of all parts.
type mergeFn struct{ Options Options }

// Setup has the heap of the merge grow to what sorting may hold and as much again, before garbage is collected.
func (f *mergeFn) Setup() { cli.SetMemoryLimit(baseMemory + 2*f.Options.Memory) }

// ProcessElement merges. It may be called again, by a runner that lost its result: then there is nothing new.
func (f *mergeFn) ProcessElement(ctx context.Context, _ int, rows func(*[]byte) bool) (err error) {
	all, err := run.DecodeRows[unitRow](rows)
	if err != nil {
		return err
	}
	// The element that stands for no unit has no key.
	all = slices.DeleteFunc(all, func(r unitRow) bool { return r.Key == "" })
	var parts []sourcedb.Part
	for _, r := range all {
		parts = append(parts, r.Part)
	}
	store := blob.New(f.Options.Remote)
	out := f.Options.folder(ctx, store)
	defer func() { err = errors.Join(err, out.Close(), store.Close()) }()
	// Resume and not Open: the process that started the pipeline holds the lock, for this one too.
	db, err := sourcedb.Resume(out)
	if err != nil {
		return err
	}
	if len(f.Options.Damaged) > 0 {
		db.Forget()
	}
	o := sourcedb.Options{AsOf: f.Options.AsOf, Policy: f.Options.Policy}
	o.Sort = sourcedb.SortOptions{MemoryBytes: int(f.Options.Memory)}
	// One generation for all parts of the run, which becomes visible in one step.
	m, err := db.Update(ctx, parts, o)
	if err != nil {
		return err
	}
	return saveReport(out, f.Options, all, m, append(f.Options.Damaged, db.Mended...))
}

package sources

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection/claim"
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

// Options are the settings of a run. They travel to workers as JSON.
type Options struct {
	Output  string
	AsOf    time.Time
	Policy  source.Policy
	Workers int   // concurrent units of a process; 0 for one per CPU
	Memory  int64 // memory for sorting
	Remote  blob.Options
	// Workers may write only while the run of this Generation holds the folder.
	Generation claim.Generation

	// Damaged are states and pages of the Source DB that cannot be recovered: the run's units make it again.
	Damaged []string

	Run    report.Run
	Merged int // units merged before and not read
}

// baseMemory is the heap of a process without sorting: open files and garbage.
const baseMemory = 256 << 20

func (o Options) folder(ctx context.Context, store *blob.Store) folder.Folder {
	return o.Generation.Guard(folder.Open(ctx, o.Output, store))
}

type task struct {
	Collection string
	Shards     []schemas.Shard
}

// Build makes the graph. Without tasks it only evaluates the Source DB again.
func Build(s beam.Scope, o Options, tasks []task) error {
	s = s.Scope("sources")
	rows, err := run.EncodeRows(tasks)
	if err != nil {
		return err
	}
	// Merge is called only if there is an element.
	if len(rows) == 0 {
		rows = [][]byte{[]byte("{}")}
	}
	// Without Reshuffle, Create and Read are fused and one worker reads all units.
	parts := beam.ParDo(s.Scope("Read"), &readFn{Options: o}, beam.Reshuffle(s, beam.CreateList(s, rows)))
	// One fixed key makes one call. Only a row for each unit crosses the shuffle.
	beam.ParDo0(s.Scope("Merge"), &mergeFn{Options: o}, beam.GroupByKey(s, beam.AddFixedKey(s, parts)))
	return nil
}

// readFn reads one unit per element, several at the same time.
type readFn struct {
	Options Options

	// Made on the worker.
	store  *blob.Store
	bundle *run.Bundle
}

// Setup makes the store of a worker.
func (f *readFn) Setup() {
	cli.SetMemoryLimit(baseMemory + int64(cli.Workers(f.Options.Workers))*f.Options.Memory)
	f.store = blob.New(f.Options.Remote)
}

// Teardown closes the store.
func (f *readFn) Teardown() error { return f.store.Close() }

// StartBundle begins a bundle.
func (f *readFn) StartBundle(ctx context.Context, _ func([]byte)) {
	f.bundle = run.NewBundle(ctx, cli.Workers(f.Options.Workers))
}

// ProcessElement starts a unit once fewer than Workers are under way, and emits the rows of finished ones.
func (f *readFn) ProcessElement(ctx context.Context, element []byte, emit func([]byte)) error {
	var t task
	if err := json.Unmarshal(element, &t); err != nil {
		return err
	}
	// After an error the runner repeats the bundle, which finds finished parts by their names.
	return f.bundle.Start(run.Counting(ctx, "sources", emit), func(ctx context.Context) (_ []byte, err error) {
		began, row := time.Now(), unitRow{}
		if row.Part, err = f.read(ctx, t); err != nil {
			return nil, err
		}
		row.Measures.End(time.Since(began), cli.PeakMemory())
		return json.Marshal(row)
	})
}

// FinishBundle waits for the remaining units.
func (f *readFn) FinishBundle(ctx context.Context, emit func([]byte)) error {
	return f.bundle.Finish(run.Counting(ctx, "sources", emit))
}

func (f *readFn) read(ctx context.Context, t task) (part sourcedb.Part, err error) {
	if t.Collection == "" {
		return sourcedb.Part{}, nil // the placeholder
	}
	out := f.Options.folder(ctx, f.store)
	in := folder.Open(ctx, t.Collection, f.store)
	defer func() { err = errors.Join(err, in.Close(), out.Close()) }()
	o := sourcedb.SortOptions{MemoryBytes: int(f.Options.Memory)}
	// The name depends on the content, so two workers with one unit write the same part.
	part, err = sourcedb.WritePart(ctx, out, holdings.Part{Folder: in, Shards: t.Shards}, o)
	cli.Live.Captures.Add(part.Docs)
	return part, err
}

// mergeFn merges all parts into the next generation.
type mergeFn struct{ Options Options }

// Setup lets the heap of the merge grow to twice the memory for sorting before garbage is collected.
func (f *mergeFn) Setup() { cli.SetMemoryLimit(baseMemory + 2*f.Options.Memory) }

// ProcessElement merges. If a runner lost the result and calls again, nothing is new.
func (f *mergeFn) ProcessElement(ctx context.Context, _ int, rows func(*[]byte) bool) (err error) {
	all, err := run.DecodeRows[unitRow](rows)
	if err != nil {
		return err
	}
	// The placeholder has no key.
	all = slices.DeleteFunc(all, func(r unitRow) bool { return r.Key == "" })
	var parts []sourcedb.Part
	for _, r := range all {
		parts = append(parts, r.Part)
	}
	store := blob.New(f.Options.Remote)
	out := f.Options.folder(ctx, store)
	defer func() { err = errors.Join(err, out.Close(), store.Close()) }()
	// Resume, because the process that started the pipeline holds the lock.
	db, err := sourcedb.Resume(out)
	if err != nil {
		return err
	}
	if len(f.Options.Damaged) > 0 {
		db.Forget()
	}
	o := sourcedb.Options{AsOf: f.Options.AsOf, Policy: f.Options.Policy}
	o.Sort = sourcedb.SortOptions{MemoryBytes: int(f.Options.Memory)}
	// One generation has all parts of the run and becomes visible in one step.
	m, err := db.Update(ctx, parts, o)
	if err != nil {
		return err
	}
	return saveReport(out, f.Options, all, m, append(f.Options.Damaged, db.Mended...))
}

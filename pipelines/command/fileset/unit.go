package fileset

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection/filesets"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work/lookup"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
)

func init() {
	beam.RegisterDoFn(&unitFn{})
	beam.RegisterDoFn(&finishFn{})
}

// task is a unit of requests.
type task struct {
	Number     int // in the order of requests
	Key, Chunk string
}

// Build makes the graph that does the tasks and finishes the folder. Units that are done give their rows without work.
func Build(s beam.Scope, o Options, tasks []task) error {
	s = s.Scope("fileset.Build")
	elements, err := run.EncodeRows(tasks)
	if err != nil {
		return err
	}
	if len(elements) == 0 {
		elements = [][]byte{[]byte("{}")} // no requests: the folder is finished all the same
	}
	rows := beam.ParDo(s.Scope("Do"), &unitFn{Options: o}, beam.Reshuffle(s, beam.CreateList(s, elements)))
	beam.ParDo0(s.Scope("Finish"), &finishFn{Options: o}, beam.GroupByKey(s, beam.AddFixedKey(s, rows)))
	return nil
}

// unitFn does one unit an element, several at a time.
type unitFn struct {
	Options Options

	store  *blob.Store
	bundle *run.Bundle
	once   sync.Once
	lookup *lookup.Lookup
	sinks  sinks
	web    *web  // nil without Options.Live
	err    error // of opening all these
}

// Setup makes the store, once a worker.
func (f *unitFn) Setup() { f.store = blob.New(f.Options.Remote) }

// Teardown closes what was opened.
func (f *unitFn) Teardown() error {
	err := f.sinks.Close()
	if f.web != nil {
		err = errors.Join(err, f.web.Close())
	}
	if f.lookup != nil {
		err = errors.Join(err, f.lookup.Close())
	}
	return errors.Join(err, f.store.Close())
}

// StartBundle begins a bundle.
func (f *unitFn) StartBundle(ctx context.Context, _ func([]byte)) {
	f.bundle = run.NewBundle(ctx, cli.Workers(f.Options.Workers))
}

// ProcessElement starts a unit, when fewer than Workers are under way, and emits the rows of those that ended.
func (f *unitFn) ProcessElement(ctx context.Context, element []byte, emit func([]byte)) error {
	var t task
	if err := json.Unmarshal(element, &t); err != nil {
		return err
	}
	return f.bundle.Start(run.Counting(ctx, "fileset", emit), func(ctx context.Context) ([]byte, error) {
		row, err := f.do(ctx, t)
		if err != nil {
			return nil, err
		}
		return json.Marshal(row)
	})
}

// FinishBundle waits for the units that are under way.
func (f *unitFn) FinishBundle(ctx context.Context, emit func([]byte)) error {
	return f.bundle.Finish(run.Counting(ctx, "fileset", emit))
}

// open opens the index and the archives, the servers and the live web, once a worker.
func (f *unitFn) open(ctx context.Context) error {
	f.once.Do(func() {
		if f.lookup, f.err = f.Options.openLookup(ctx, f.store); f.err != nil {
			return
		}
		if f.sinks, f.err = f.Options.Servers.open(ctx); f.err == nil && f.Options.Live.Is {
			f.web, f.err = f.Options.Live.open(f.Options.Output, f.Options.core())
		}
	})
	return f.err
}

// openLookup opens the index and the archives; nil where there are none, for the live web alone.
func (o Options) openLookup(ctx context.Context, store *blob.Store) (*lookup.Lookup, error) {
	if o.Server != "" {
		return lookup.New(store, lookup.OpenServer(o.Server), lookup.Options{Bases: o.Bases}), nil
	}
	if o.Index == "" {
		return nil, nil
	}
	name := folder.Open(ctx, o.Output, store).Path(filesets.Hidden(o.Index))
	if !blob.IsRemote(name) {
		name = schemas.NameOf(name)
	}
	index, err := lookup.OpenFile(ctx, store, name)
	if err != nil {
		return nil, err
	}
	return lookup.New(store, index, lookup.Options{Bases: o.Bases}), nil
}

// do does the requests of a unit, in their order, and commits it.
func (f *unitFn) do(ctx context.Context, t task) (row filesets.Row, err error) {
	if t.Key == "" {
		return row, nil // of nothing
	}
	out := folder.Open(ctx, f.Options.Output, f.store)
	defer func() { err = errors.Join(err, out.Close()) }()
	if row, ok, err := filesets.Done(out, t.Key); ok || err != nil {
		row.Number = t.Number // it may have been another, before others came to the folder
		return row, err
	}
	source, options, err := f.sources(ctx, f.Options.core())
	if err != nil {
		return row, err
	}
	options.Ledger = filesets.NewLedger(out)
	w := filesets.NewWriter(out, t.Key, t.Chunk, t.Number)
	defer w.Abort()
	to, err := f.sinks.begin(ctx, t.Key)
	if err != nil {
		return row, err
	}
	defer to.abort()
	for line, err := range filesets.ReadChunk(ctx, out, t.Chunk) {
		if err != nil {
			return row, err
		}
		if err := one(ctx, w, to, line, source, options); err != nil {
			return row, err
		}
	}
	// The servers first: a unit that is done is there, and one that is not is done again.
	if err := to.commit(); err != nil {
		return row, err
	}
	cli.Live.Units.Add(1)
	return w.Commit()
}

// one does one request.
func one(
	ctx context.Context, w *filesets.Writer, to sinkWriters, line filesets.Line, source core.Source, o core.Options,
) error {
	if line.Reject != nil {
		cli.Live.Reject(string(line.Reject.Kind))
		return w.Reject(line.Reject)
	}
	out, err := core.Ingest(ctx, *line.Request, source, o)
	if err != nil {
		return err
	}
	cli.Live.Captures.Add(1)
	if err := w.Result(out); err != nil {
		return err
	}
	return to.write(&out.Result, out.File)
}

// divide writes the requests into the folder in units, and names these.
func (p *plan) divide(
	ctx context.Context, store *blob.Store, c *config, out *filesets.Folder, f folder.Folder,
) ([]task, error) {
	o := &c.options
	rows, err := out.Rows()
	if err != nil {
		return nil, err
	}
	seen := map[[16]byte]bool{}
	if c.add {
		if seen, err = out.IDs(ctx, rows); err != nil {
			return nil, err
		}
	}
	lines := asked(ctx, store, c.requests, o.Servers.Kafka.Properties)
	if c.discover {
		lines = chain(lines, foundLines(f, filesets.Hidden(p.found)))
	}
	chunks, err := out.Chunks(lines, o.UnitSize, seen)
	if err != nil {
		return nil, err
	}
	if chunks, err = withKept(chunks, rows, c.add); err != nil {
		return nil, openError(err)
	}
	return p.tasks(c, f, chunks)
}

// withKept puts the units of earlier runs before those of this one, when they are to be kept.
func withKept(chunks []filesets.Chunk, rows map[string]filesets.Row, add bool) ([]filesets.Chunk, error) {
	ours := map[string]bool{}
	for _, c := range chunks {
		ours[c.Name] = true
	}
	kept := make([]filesets.Chunk, 0, len(rows))
	for _, r := range filesets.InOrder(rows) {
		if ours[r.Chunk] {
			continue
		}
		if !add {
			return nil, filesets.ErrOther
		}
		ours[r.Chunk] = true
		kept = append(kept, filesets.Chunk{Name: r.Chunk, Requests: r.Counts.Requests})
	}
	return append(kept, chunks...), nil
}

// tasks name the units by all that they depend on.
func (p *plan) tasks(c *config, f folder.Folder, chunks []filesets.Chunk) (list []task, err error) {
	o := &c.options
	o.Index = p.index
	if p.index != "" {
		data, err := read(f, filesets.Hidden(p.index+".json"))
		if err != nil {
			return nil, err
		}
		known := o.Captures
		if err := json.Unmarshal(data, &o.Captures); err != nil {
			return nil, err
		}
		o.Captures.Archives, o.Captures.Index = known.Archives, known.Index
	}
	for i, chunk := range chunks {
		key, err := filesets.Key(chunk.Name, map[string]any{
			"options": o.lasting(), "versions": versions(), "captures": p.index, "server": o.Server,
		})
		if err != nil {
			return nil, err
		}
		list = append(list, task{Number: i, Key: key, Chunk: chunk.Name})
	}
	o.Units = len(list)
	return list, nil
}

// finishFn writes the manifest once all units have a row.
type finishFn struct{ Options Options }

// ProcessElement takes all rows; a runner may deliver some of them twice.
func (f *finishFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool) (err error) {
	rows, err := run.DecodeRows[filesets.Row](next)
	if err != nil {
		return err
	}
	// An interrupt waits for this: it is short, and behind it the folder is finished.
	defer cli.Hold()()
	store := blob.New(f.Options.Remote)
	out := folder.Open(ctx, f.Options.Output, store)
	defer func() { err = errors.Join(err, out.Close(), store.Close()) }()
	_, err = filesets.Finish(out, rows, f.Options.Units, filesets.Manifest{
		Versions: versions(), Options: f.Options.lasting(), Captures: f.Options.Captures,
	})
	return err
}

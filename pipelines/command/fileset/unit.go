package fileset

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work/lookup"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
)

// The kinds of work of the two passes, as the metrics name them.
const (
	requesting = "fileset"
	indexing   = "fileset_index"
)

func init() {
	batch.Register[Options](requesting)
	batch.Register[indexed](indexing)
}

type task struct {
	Number     int // in the order of requests
	Key, Chunk string
}

// Folder returns the output folder, which workers open without a lock.
func (o Options) Folder(ctx context.Context) folder.Folder {
	return batch.Output(ctx, o.Output, o.Remote, o.Generation)
}

func (o Options) Open() (batch.Worker, error) { return &worker{o: o, store: blob.New(o.Remote)}, nil }

// worker does units of requests. The first unit opens the rest, since a worker may find all its units done.
type worker struct {
	o      Options
	store  *blob.Store
	once   sync.Once
	lookup *lookup.Lookup
	sinks  sinks
	web    *web  // nil without Options.Live
	err    error // from opening these
}

func (f *worker) Close() error {
	err := f.sinks.Close()
	if f.web != nil {
		err = errors.Join(err, f.web.Close())
	}
	if f.lookup != nil {
		err = errors.Join(err, f.lookup.Close())
	}
	return errors.Join(err, f.store.Close())
}

// AtOnce returns how many units of a bundle run at the same time.
func (f *worker) AtOnce() int { return cli.Workers(f.o.Workers) }

// open opens index, archives, servers and the live web, once per worker.
func (f *worker) open(ctx context.Context) error {
	// These outlive the first unit and its bundle.
	ctx = context.WithoutCancel(ctx)
	f.once.Do(func() {
		if f.lookup, f.err = f.o.openLookup(ctx, f.store); f.err != nil {
			return
		}
		if f.sinks, f.err = f.o.Servers.open(ctx); f.err == nil && f.o.Live.Is {
			f.web, f.err = f.o.Live.open(f.o.Output, f.o.core())
		}
	})
	return f.err
}

// openLookup opens the index and the archives, or returns nil if there is only the live web.
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

// Do does the requests of a unit in order, and commits it.
func (f *worker) Do(ctx context.Context, element []byte) (any, error) {
	var t task
	if err := json.Unmarshal(element, &t); err != nil {
		return nil, err
	}
	return f.do(ctx, t)
}

func (f *worker) do(ctx context.Context, t task) (row unitRow, err error) {
	began := time.Now()
	out := f.o.Generation.Guard(folder.Open(ctx, f.o.Output, f.store))
	defer func() { err = errors.Join(err, out.Close()) }()
	if done, ok, err := filesets.Done(out, t.Key); ok || err != nil {
		done.Number = t.Number // the number may have changed when the folder grew
		return unitRow{Row: done}, err
	}
	source, options, err := f.sources(ctx, f.o.core())
	if err != nil {
		return row, err
	}
	// The ledger saves reading large files again that were verified before a kill.
	options.Ledger = filesets.NewLedger(out)
	w := filesets.NewWriter(out, t.Key, t.Chunk, t.Number)
	// Aborts do nothing after their commits.
	defer w.Abort()
	// The key is the same in each run, so servers recognize a repeated unit.
	to, err := f.sinks.begin(ctx, t.Key)
	if err != nil {
		return row, err
	}
	defer to.abort()
	row.Measures = &report.Measures{}
	at := report.Slow{File: filesets.ChunkFile(t.Chunk)}
	for line, err := range filesets.ReadChunk(ctx, out, t.Chunk) {
		if err != nil {
			return row, err
		}
		at.Offset++
		do := func(r *schemas.FilesetRequest) (*core.Outcome, error) {
			return ingest(ctx, r, source, options, row.Measures, at)
		}
		if err := one(w, to, line, do); err != nil {
			return row, err
		}
	}
	// Servers commit first: a finished unit is there, and an unfinished one is repeated.
	if err := to.commit(); err != nil {
		return row, err
	}
	cli.Live.Units.Add(1)
	row.Row, err = w.Commit()
	row.Measures.End(time.Since(began), cli.PeakMemory())
	return row, err
}

func one(
	w *filesets.Writer, to sinkWriters, line filesets.Line, do func(*schemas.FilesetRequest) (*core.Outcome, error),
) error {
	if line.Reject != nil {
		cli.Live.Reject(string(line.Reject.Kind))
		return w.Reject(line.Reject)
	}
	// An error is about the source or the run and ends the unit. Problems of the dataset are in the result.
	out, err := do(line.Request)
	if err != nil {
		return err
	}
	cli.Live.Captures.Add(1)
	if err := w.Result(out); err != nil {
		return err
	}
	return to.write(&out.Result, out.File)
}

// divide writes units of requests into the folder and returns their tasks.
func (p *plan) divide(
	ctx context.Context, store *blob.Store, c *config, out *filesets.Folder, f folder.Folder,
) ([]task, error) {
	o := &c.options
	rows, err := out.Rows()
	if err != nil {
		return nil, err
	}
	// Not nil, so that repeated requests are done once.
	seen := map[[16]byte]bool{}
	if c.add {
		if seen, err = out.IDs(ctx, rows); err != nil {
			return nil, err
		}
	}
	lines := asked(ctx, store, c.requests, o.Servers.properties())
	if c.discover {
		lines = chain(lines, foundLines(f, filesets.Hidden(p.found)))
	}
	chunks, err := out.Chunks(lines, o.UnitSize, seen)
	if err != nil {
		return nil, err
	}
	// The names of chunks are known only after writing.
	if chunks, err = withKept(chunks, rows, c.add); err != nil {
		return nil, openError(err)
	}
	return p.tasks(c, f, chunks)
}

// withKept puts the units of earlier runs first, if they are to be kept.
func withKept(chunks []filesets.Chunk, rows map[string]filesets.Row, add bool) ([]filesets.Chunk, error) {
	ours := map[string]bool{}
	for _, c := range chunks {
		ours[c.Name] = true
	}
	kept := make([]filesets.Chunk, 0, len(rows))
	// Kept units stay in the order of earlier runs.
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

// tasks gives each unit a key of all that it depends on.
func (p *plan) tasks(c *config, f folder.Folder, chunks []filesets.Chunk) (list []task, err error) {
	o := &c.options
	o.Index = p.index
	if p.index != "" {
		// The first pass of this or an earlier run wrote it.
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
			// A change in any of these makes another unit, which is done again.
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

// Finish writes the manifest. Its input may have duplicates.
func (o Options) Finish(ctx context.Context, in *batch.Rows) (err error) {
	out := o.Folder(ctx)
	defer func() { err = errors.Join(err, out.Close()) }()
	all, err := batch.Decode[unitRow](in)
	if batch.Repeated(err, func() error { _, err := filesets.ReadManifest(out); return err }) {
		return nil
	}
	if err != nil {
		return err
	}
	rows, measures := rowsOf(o, all)
	if _, err = filesets.Finish(out, rows, o.Units, filesets.Manifest{
		Versions: versions(), Options: o.lasting(), Captures: o.Captures,
	}); err != nil {
		return err
	}
	// The report differs each time, so it does not affect whether the run is right.
	return measures.save(out)
}

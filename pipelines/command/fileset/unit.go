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

// The kinds of work of the two passes, as the metrics have them.
const (
	requesting = "fileset"
	indexing   = "fileset_index"
)

func init() {
	batch.Register[Options](requesting)
	batch.Register[indexed](indexing)
}

// task is a unit of requests.
type task struct {
	Number     int // in the order of requests
	Key, Chunk string
}

// Folder is the output: workers open it without a lock.
func (o Options) Folder(ctx context.Context) folder.Folder {
	return batch.Output(ctx, o.Output, o.Remote, o.Generation)
}

// Open makes a worker.
func (o Options) Open() (batch.Worker, error) { return &worker{o: o, store: blob.New(o.Remote)}, nil }

// worker does units of requests. What a unit needs is opened by the first one, since a worker whose units are all done
// needs none of it.
type worker struct {
	o      Options
	store  *blob.Store
	once   sync.Once
	lookup *lookup.Lookup
	sinks  sinks
	web    *web  // nil without Options.Live
	err    error // of opening all these
}

// Close closes what was opened.
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

// AtOnce is how many units a bundle does at once.
func (f *worker) AtOnce() int { return cli.Workers(f.o.Workers) }

// open opens the index and the archives, the servers and the live web, once a worker.
func (f *worker) open(ctx context.Context) error {
	// It outlives the unit that happens to be the first, and its bundle.
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

// Do does the requests of a unit, in their order, and commits it.
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
		done.Number = t.Number // it may have been another, before others came to the folder
		return unitRow{Row: done}, err
	}
	source, options, err := f.sources(ctx, f.o.core())
	if err != nil {
		return row, err
	}
	// Large files that were verified before a kill are not read again.
	options.Ledger = filesets.NewLedger(out)
	w := filesets.NewWriter(out, t.Key, t.Chunk, t.Number)
	// Both aborts do nothing behind their commits.
	defer w.Abort()
	// By the unit's key, which is the same in each run: servers know by it what they have had.
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
	// The servers first: a unit that is done is there, and one that is not is done again.
	if err := to.commit(); err != nil {
		return row, err
	}
	cli.Live.Units.Add(1)
	row.Row, err = w.Commit()
	row.Measures.End(time.Since(began), cli.PeakMemory())
	return row, err
}

// one does one request.
func one(
	w *filesets.Writer, to sinkWriters, line filesets.Line, do func(*schemas.FilesetRequest) (*core.Outcome, error),
) error {
	if line.Reject != nil {
		cli.Live.Reject(string(line.Reject.Kind))
		return w.Reject(line.Reject)
	}
	// An error here is of the source or of the run, and ends the unit; what is wrong with the dataset
	// is in the result.
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

// divide writes the requests into the folder in units, and names these.
func (p *plan) divide(
	ctx context.Context, store *blob.Store, c *config, out *filesets.Folder, f folder.Folder,
) ([]task, error) {
	o := &c.options
	rows, err := out.Rows()
	if err != nil {
		return nil, err
	}
	// Not nil: a request that stands twice in the input is done once.
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
	// After the chunks were written, since only then their names are known.
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
	// In the order of earlier runs, so that units which are kept stand as they stood.
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
		// Written by the first pass, be it this run's or an earlier one's.
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
			// With any of these other than before, the unit is another one and is done again.
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

// Finish writes the manifest. What it is told may be there twice.
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
	// It is different each time, and does not decide whether the run was right.
	return measures.save(out)
}

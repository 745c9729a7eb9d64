// Package convert is the command that reads web archives in any format that is read, and writes them in any that is
// written.
//
// Its graph is that of package batch: a unit is read, written and committed inside one function, and the last step
// brings the files to their places and writes the manifest. See docs/convert.md.
package convert

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/conversion"
	"github.com/gleaner-web/gleaner/io/source/sourceindex"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// converting is the kind of the work, and its name in metrics.
const converting = "convert"

func init() { batch.Register[Options](converting) }

// Options are what a run was asked for. They travel to the workers as JSON, so all fields are exported.
// Beam sends functions to workers with their exported fields.
type Options struct {
	// folder or bucket, the same for all workers
	Output   string
	From     []string // formats that are read; all when empty
	To       []conversion.Target
	MaxBody  int64 // bytes
	MaxHead  int   // bytes
	MaxRatio int64
	Workers  int // units that a process does at once; 0 for as many as it has CPUs
	Units    int // how many the plan has
	// the key of all units together, see plan; Finish writes it into the manifest
	Plan   string
	Remote blob.Options
	// Generation is that of the run: its workers write while it has the folder
	Generation collection.Generation
	// Sources is a database that `sources --sqlite` has made, and SourcesMade its generation; both empty for none
	Sources     string
	SourcesMade string
}

// lasting are the options that change the output, as the manifest has them.
// Neither the output nor the number of workers is among them: they change no byte.
func (o Options) lasting() map[string]any {
	m := map[string]any{
		"from": o.From, "to": o.To, "max_body": o.MaxBody, "max_head": o.MaxHead,
		"max_ratio": o.MaxRatio,
	}
	// The generation and not the name: records are others when the Source DB has learned something.
	if o.SourcesMade != "" {
		m["sources"] = o.SourcesMade
	}
	return m
}

// versions are those of all that the output depends on.
// A new version makes new keys, and so converts again.
func versions() map[string]string {
	return map[string]string{"capture": archive.Version, "conversion": conversion.Version}
}

// run is what Finish has to know of the run.
func (o Options) run() conversion.Run {
	return conversion.Run{Plan: o.Plan, Units: o.Units, Options: o.lasting(), Versions: versions()}
}

// task is a unit to be done, as it travels to the worker.
// Stamps let the worker open each file only in the version that was planned.
// Its key is what the unit's files are recognised by when the command is run again.
type task struct {
	Unit   schemas.Unit
	Key    string
	Stamps map[string]string // of the inputs' files when they were planned
}

// Folder is the output: workers open it without a lock.
func (o Options) Folder(ctx context.Context) folder.Folder {
	return batch.Output(ctx, o.Output, o.Remote, o.Generation)
}

// Open makes a converter.
func (o Options) Open() (batch.Worker, error) {
	// It outlives the call, and so has no context of it.
	sources, err := sourceindex.OpenLookup(context.Background(), o.Sources, o.SourcesMade)
	if err != nil {
		return nil, err
	}
	return &converter{o: o, store: blob.New(o.Remote), sources: sources}, nil
}

// converter converts units. The store is shared by the units of a worker, for its connections.
type converter struct {
	o       Options
	store   *blob.Store
	sources *sourceindex.Lookup // nil without --sources
}

// Close closes the connections.
func (c *converter) Close() error { return errors.Join(c.sources.Close(), c.store.Close()) }

// AtOnce is how many units a bundle does at once.
func (c *converter) AtOnce() int { return cli.Workers(c.o.Workers) }

// Do converts one unit.
func (c *converter) Do(ctx context.Context, element []byte) (any, error) {
	var t task
	if err := json.Unmarshal(element, &t); err != nil {
		return nil, err
	}
	return c.convert(ctx, t)
}

// convert reads, writes and commits one unit.
// A unit that fails leaves nothing behind but what Abort could not remove.
func (c *converter) convert(ctx context.Context, t task) (conversion.Row, error) {
	o := c.o
	out := o.Generation.Guard(folder.Open(ctx, o.Output, c.store))
	defer func() { _ = out.Close() }() // nothing is being written to it by then
	w, err := conversion.NewUnit(out, t.Key, t.Unit, o.Units, o.To)
	if err != nil {
		return conversion.Row{}, err
	}
	defer w.Abort()
	// Progress counts compressed bytes, which captures do not add up to: what is left is added at the end.
	left := t.Unit.Bytes()
	reading := cli.Live.Begin(t.Unit.Inputs[0].File)
	defer reading.End()
	// Only the version that was planned is opened, and only the formats that were asked for are read.
	r := work.NewReader(c.store.At(t.Stamps), t.Unit, archive.Options{
		MaxBody: o.MaxBody, MaxHead: o.MaxHead, MaxRatio: o.MaxRatio, Only: o.From, Copy: true,
	})
	for item, err := range r.All(ctx) {
		if err == nil {
			err = c.source(ctx, item.Capture)
		}
		// A capture that no format can hold is a reject of the unit, and no error.
		if err == nil {
			err = take(w, item)
		}
		if err != nil {
			return conversion.Row{}, err
		}
		if item.Capture == nil {
			continue
		}
		at := item.Capture.Origin
		reading.At(at.File)
		// Whatever the lengths say, what is shown must not exceed the unit.
		n := min(at.Length, left)
		left -= n
		cli.Live.Bytes.Add(n)
		cli.Live.Captures.Add(1)
	}
	cli.Live.Bytes.Add(left)
	cli.Live.Units.Add(1)
	return w.Commit(r.Counts(), r.Inputs())
}

// take writes a capture, another record or a reject.
// Counts of rejects are the reader's, so that they are only shown here.
// The sequence has one of them at a time.
func take(w *conversion.Unit, item archive.Item) error {
	switch {
	case item.Record != nil:
		return w.WriteRecord(item.Record)
	case item.Reject == nil:
		return w.Write(item.Capture)
	}
	cli.Live.Reject(string(item.Reject.Kind))
	return w.Reject(*item.Reject)
}

// Finish brings the files of all units to their places, and writes the manifest. conversion.Finish takes rows that are
// there twice as one, if they agree.
func (o Options) Finish(ctx context.Context, in *batch.Rows) error {
	out := o.Folder(ctx)
	rows, err := batch.Decode[conversion.Row](in)
	if batch.Repeated(err, func() error { _, err := holdings.ReadTotals(out); return err }) {
		err = nil
	} else if err == nil {
		_, err = conversion.Finish(ctx, out, rows, o.run())
	}
	return errors.Join(err, out.Close())
}

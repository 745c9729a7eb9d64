// Package convert is the command that reads web archives in any format that is read, and writes them in any that is
// written.
//
// A unit is one element: it is read and written inside one function, so that bodies never cross a shuffle.
//
//	Create(units) → Reshuffle → Convert (read, write, commit the unit) → rows → GroupByKey → Finish (place, manifest)
//
// See docs/convert.md.
package convert

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection/conversion"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// By reflection: an element is a unit and takes seconds, so that generated code would save nothing.
func init() {
	beam.RegisterDoFn(&unitFn{})
	beam.RegisterDoFn(&finishFn{})
}

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
}

// lasting are the options that change the output, as the manifest has them.
// Neither the output nor the number of workers is among them: they change no byte.
func (o Options) lasting() map[string]any {
	return map[string]any{
		"from": o.From, "to": o.To, "max_body": o.MaxBody, "max_head": o.MaxHead,
		"max_ratio": o.MaxRatio,
	}
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

// Build makes the graph that does the tasks and finishes the conversion. done are the units that an earlier run has
// done; one of the two may be empty.
// One scope, so that the steps stand together in a runner's pages.
func Build(s beam.Scope, o Options, todo []task, done []conversion.Row) error {
	s = s.Scope("convert.Build")
	tasks, err := run.EncodeRows(todo)
	if err != nil {
		return err
	}
	old, err := run.EncodeRows(done)
	if err != nil {
		return err
	}
	var parts []beam.PCollection
	// Reshuffle keeps a runner from fusing the units with the list, which would do them all on one worker.
	if len(tasks) > 0 {
		parts = append(parts, beam.ParDo(s.Scope("Units"), &unitFn{Options: o}, beam.Reshuffle(s, beam.CreateList(s, tasks))))
	}
	// Rows of units that are done join those that are to be done, so that Finish sees all.
	if len(old) > 0 {
		parts = append(parts, beam.CreateList(s, old))
	}
	// One key for all: it is the barrier behind which everything is written.
	rows := beam.GroupByKey(s, beam.AddFixedKey(s, beam.Flatten(s, parts...)))
	beam.ParDo0(s.Scope("Finish"), &finishFn{Options: o}, rows)
	return nil
}

// unitFn does one unit an element, several at a time.
// Fields with a small letter are made on the worker and are not sent.
type unitFn struct {
	Options Options

	store  *blob.Store
	bundle *run.Bundle
}

// Setup makes the store, once a worker.
// The store is shared by the units of a worker, for its connections.
func (f *unitFn) Setup() { f.store = blob.New(f.Options.Remote) }

// Teardown closes it.
func (f *unitFn) Teardown() error { return f.store.Close() }

// StartBundle begins a bundle.
// Beam requires the parameter of the emitter in all three methods of a function that emits.
func (f *unitFn) StartBundle(ctx context.Context, _ func([]byte)) {
	f.bundle = run.NewBundle(ctx, cli.Workers(f.Options.Workers))
}

// ProcessElement starts a unit, when fewer than Workers are under way, and emits the rows of those that ended.
// It returns before its unit is done; FinishBundle waits.
func (f *unitFn) ProcessElement(ctx context.Context, element []byte, emit func([]byte)) error {
	var t task
	if err := json.Unmarshal(element, &t); err != nil {
		return err
	}
	return f.bundle.Start(run.Counting(ctx, "convert", emit), func(ctx context.Context) ([]byte, error) {
		row, err := f.convert(ctx, t)
		if err != nil {
			return nil, err
		}
		return json.Marshal(row)
	})
}

// FinishBundle waits for the units that are under way.
func (f *unitFn) FinishBundle(ctx context.Context, emit func([]byte)) error {
	return f.bundle.Finish(run.Counting(ctx, "convert", emit))
}

// convert reads, writes and commits one unit.
// A unit that fails leaves nothing behind but what Abort could not remove.
func (f *unitFn) convert(ctx context.Context, t task) (conversion.Row, error) {
	o := f.Options
	out := folder.Open(ctx, o.Output, f.store)
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
	r := work.NewReader(f.store.At(t.Stamps), t.Unit, archive.Options{
		MaxBody: o.MaxBody, MaxHead: o.MaxHead, MaxRatio: o.MaxRatio, Only: o.From,
	})
	for item, err := range r.All(ctx) {
		// A capture that no format can hold is a reject of the unit, and no error.
		if err == nil {
			err = take(w, item)
		}
		if err != nil {
			return conversion.Row{}, err
		}
		c := item.Capture
		if c == nil {
			continue
		}
		reading.At(c.Origin.File)
		// Whatever the lengths say, what is shown must not exceed the unit.
		n := min(c.Origin.Length, left)
		left -= n
		cli.Live.Bytes.Add(n)
		cli.Live.Captures.Add(1)
	}
	cli.Live.Bytes.Add(left)
	cli.Live.Units.Add(1)
	return w.Commit(r.Counts(), r.Inputs())
}

// take writes a capture or a reject.
// Counts of rejects are the reader's, so that they are only shown here.
// The sequence has either, and never both.
func take(w *conversion.Unit, item archive.Item) error {
	if item.Reject == nil {
		return w.Write(item.Capture)
	}
	cli.Live.Reject(string(item.Reject.Kind))
	return w.Reject(*item.Reject)
}

// finishFn finishes the conversion once all units have a row.
type finishFn struct{ Options Options }

// ProcessElement takes all rows; a runner may deliver some of them twice.
// Finish takes those that agree as one.
func (f *finishFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool) error {
	rows, err := run.DecodeRows[conversion.Row](next)
	if err != nil {
		return err
	}
	// An interrupt waits for this: it is short, and behind it the conversion is whole.
	defer cli.Hold()()
	store := blob.New(f.Options.Remote)
	out := folder.Open(ctx, f.Options.Output, store)
	_, err = conversion.Finish(ctx, out, rows, f.Options.run())
	return errors.Join(err, out.Close(), store.Close())
}

// Package convert is the command that converts web archives between formats.
//
// Its graph is that of package batch: one function reads, writes and commits a unit. The last step renames the files
// into place and writes the manifest. See docs/convert.md.
package convert

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection/claim"
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

// converting is the kind of work, and its name in metrics.
const converting = "convert"

func init() { batch.Register[Options](converting) }

// Options are the settings of a run. They travel to the workers as JSON, so all fields are exported.
type Options struct {
	// Output is a folder or bucket.
	Output   string
	From     []string // formats to read, or all if empty
	To       []conversion.Target
	MaxBody  int64 // bytes
	MaxHead  int   // bytes
	MaxRatio int64
	Workers  int // concurrent units of a process; 0 for one per CPU
	Units    int // of the plan
	// Plan is the key of all units together, which Finish writes to the manifest.
	Plan   string
	Remote blob.Options
	// Workers may write only while the run of this Generation holds the folder.
	Generation claim.Generation
	// Part means that other commands do the other units, so that nothing is finished.
	Part bool
	// Sources is a database made by `sources --sqlite`, and SourcesMade its generation. Both may be empty.
	Sources     string
	SourcesMade string
}

// lasting returns the options that change the output, as the manifest has them.
func (o Options) lasting() map[string]any {
	m := map[string]any{
		"from": o.From, "to": o.To, "max_body": o.MaxBody, "max_head": o.MaxHead,
		"max_ratio": o.MaxRatio,
	}
	// The generation, because records change with the content of the Source DB.
	if o.SourcesMade != "" {
		m["sources"] = o.SourcesMade
	}
	return m
}

// versions returns the versions of all that the output depends on. They are in the keys, so a new version converts
// again.
func versions() map[string]string {
	return map[string]string{"capture": archive.Version, holdings.ConversionPart: conversion.Version}
}

// run returns what Finish needs to know.
func (o Options) run() conversion.Run {
	return conversion.Run{Plan: o.Plan, Units: o.Units, Options: o.lasting(), Versions: versions()}
}

// task is a unit to be done, as it travels to a worker. Stamps let the worker open only the planned versions. Key
// identifies the unit's files when the command is repeated.
type task struct {
	Unit   schemas.Unit
	Key    string
	Stamps map[string]string // of the inputs' files when they were planned
}

// Folder returns the output folder, which workers open without a lock.
func (o Options) Folder(ctx context.Context) folder.Folder {
	return batch.Output(ctx, o.Output, o.Remote, o.Generation)
}

func (o Options) Open() (batch.Worker, error) {
	// The lookup outlives this call, so it cannot use the caller's context.
	sources, err := sourceindex.OpenLookup(context.Background(), o.Sources, o.SourcesMade)
	if err != nil {
		return nil, err
	}
	return &converter{o: o, store: blob.New(o.Remote), sources: sources}, nil
}

// converter converts units, which share the connections of store.
type converter struct {
	o       Options
	store   *blob.Store
	sources *sourceindex.Lookup // nil without --sources
}

func (c *converter) Close() error { return errors.Join(c.sources.Close(), c.store.Close()) }

// AtOnce returns how many units of a bundle run at the same time.
func (c *converter) AtOnce() int { return cli.Workers(c.o.Workers) }

func (c *converter) Do(ctx context.Context, element []byte) (any, error) {
	var t task
	if err := json.Unmarshal(element, &t); err != nil {
		return nil, err
	}
	return c.convert(ctx, t)
}

// convert reads, writes and commits one unit. On failure Abort removes its files.
func (c *converter) convert(ctx context.Context, t task) (conversion.Row, error) {
	o := c.o
	out := o.Generation.Guard(folder.Open(ctx, o.Output, c.store))
	defer func() { _ = out.Close() }() // all writes have ended
	w, err := conversion.NewUnit(out, t.Key, t.Unit, o.Units, o.To)
	if err != nil {
		return conversion.Row{}, err
	}
	defer w.Abort()
	// Progress counts compressed bytes. Captures do not sum up to these, so the rest is added at the end.
	left := t.Unit.Bytes()
	reading := cli.Live.Begin(t.Unit.Inputs[0].File)
	defer reading.End()
	r := work.NewReader(c.store.At(t.Stamps), t.Unit, archive.Options{
		MaxBody: o.MaxBody, MaxHead: o.MaxHead, MaxRatio: o.MaxRatio, Only: o.From, Copy: true,
	})
	for item, err := range r.All(ctx) {
		if err == nil {
			err = c.source(ctx, item.Capture)
		}
		// A capture that no format can hold becomes a reject, not an error.
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
		// Progress must not exceed the unit, whatever the lengths say.
		n := min(at.Length, left)
		left -= n
		cli.Live.Bytes.Add(n)
		cli.Live.Captures.Add(1)
	}
	cli.Live.Bytes.Add(left)
	cli.Live.Units.Add(1)
	return w.Commit(r.Counts(), r.Inputs())
}

// take writes a capture, another record or a reject. The reader counts rejects; take only shows them.
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

// Finish renames the files of all units into place and writes the manifest. Equal duplicate rows count once. A part
// of a conversion stays as it is.
func (o Options) Finish(ctx context.Context, in *batch.Rows) error {
	if o.Part {
		return nil
	}
	out := o.Folder(ctx)
	rows, err := batch.Decode[conversion.Row](in)
	if batch.Repeated(err, func() error { _, err := holdings.ReadRun(out); return err }) {
		err = nil
	} else if err == nil {
		_, err = conversion.Finish(ctx, out, rows, o.run())
	}
	return errors.Join(err, out.Close())
}

// Package batch runs units of work and then one final step, for ingest, convert, moremeta and others. A Work defines
// units, how to do them, and what becomes of their results.
//
// The graph is small on purpose. A unit is one element and is done inside one function. So bodies never cross a
// shuffle, and the output is right whatever a runner fuses, splits or repeats:
//
//	Create(files of the listing) → tasks → Reshuffle → Units (several at a time in a process) → rows
//	→ GroupByKey → Finish
//
// If the runner is this process, RunLocal does the same without a graph.
//
// Tasks, and rows of units that an earlier run has done, are in files of the output folder: see Listing.
//
//	func init() { batch.Register[options]("convert") }
//	…
//	todo, err := batch.List(out, tasks)
//	done, err := batch.List(out, rows)
//	err = batch.Build(scope, "convert", options, todo, done)
package batch

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Work defines the work. It travels to workers as JSON, so they see only exported fields.
type Work interface {
	// Folder opens the folder of the listings. It is nil if all listings are in the graph.
	Folder(ctx context.Context) folder.Folder
	// Open makes a Worker for each function that a runner sets up in a process.
	Open() (Worker, error)
	// Finish gets the rows of all units after the last one has ended. After success, another process may call it
	// again: see Repeated.
	Finish(ctx context.Context, rows *Rows) error
}

// Worker does units in a process. Do must be safe for concurrent use. If it has a method Counters() *cli.Counters, the
// runner's metrics show these while units are under way.
type Worker interface {
	// AtOnce returns how many units of a bundle may run at the same time.
	AtOnce() int
	// Do does a unit and returns its row, to be encoded as JSON. An error ends the job; units already committed stay
	// for the next run.
	Do(ctx context.Context, task []byte) (row any, err error)
	Close() error
}

// works decodes works by the names of their kinds.
var works = map[string]func(fields []byte) (Work, error){}

// Register registers a kind of work under the name for its metrics and scope. Call it in init, so that workers, to
// which Beam sends functions by name, know it too.
func Register[W Work](kind string) {
	works[kind] = func(fields []byte) (Work, error) {
		var w W
		err := json.Unmarshal(fields, &w)
		return w, err
	}
}

// carried is a Work as it travels in the graph.
type carried struct {
	Kind   string
	Fields json.RawMessage
}

func (c carried) work() (Work, error) {
	decode, known := works[c.Kind]
	if !known {
		return nil, fmt.Errorf("batch: work of kind %q: is the worker the same program?", c.Kind)
	}
	return decode(c.Fields)
}

func carry(kind string, w Work) (carried, error) {
	fields, err := json.Marshal(w)
	return carried{Kind: kind, Fields: fields}, err
}

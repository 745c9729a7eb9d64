// Package batch runs many units of work, and one step after them all: it is the graph that ingest, convert and
// moremeta have in common. What a unit is, how it is done and what becomes of the results is said by a Work.
//
// The graph is small on purpose. A unit is one element, and all of it happens inside one function, so that bodies never
// cross a shuffle and what a unit writes is right whatever a runner fuses, splits or repeats:
//
//	Create(files of the listing) → tasks → Reshuffle → Units (several at a time in a process) → rows
//	→ GroupByKey → Finish
//
// Where the runner is this process, RunLocal does the same without a graph.
//
// Tasks, and the rows of units that an earlier run has done, stand in files of the output folder: see Listing.
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

// Work says what is done. It travels to workers as JSON: what they need of it is in exported fields.
type Work interface {
	// Folder opens the folder of the listings. It is nil for work whose listings are all in the graph.
	Folder(ctx context.Context) folder.Folder
	// Open makes a Worker, once for each function that a runner sets up in a process.
	Open() (Worker, error)
	// Finish gets the rows of all units. It is called when the last unit has ended, and perhaps again after it has ended
	// well, in another process: see Repeated.
	Finish(ctx context.Context, rows *Rows) error
}

// Worker does units in a process. Do is called by several goroutines at the same time.
type Worker interface {
	// AtOnce is how many units of a bundle are done at the same time.
	AtOnce() int
	// Do does a unit and returns its row, which is encoded as JSON. Its first error ends the job: there is no row for
	// a unit that fails, and what others have committed stays for the next run.
	Do(ctx context.Context, task []byte) (row any, err error)
	Close() error
}

// works makes works of what their graph carries, by the names of their kinds.
var works = map[string]func(fields []byte) (Work, error){}

// Register makes a kind of work known under a name, which is also that of its metrics and of its scope. It is called
// by init, so that every process of the program knows it: Beam sends functions to workers by their names.
func Register[W Work](kind string) {
	works[kind] = func(fields []byte) (Work, error) {
		var w W
		err := json.Unmarshal(fields, &w)
		return w, err
	}
}

// carried is a work as it travels in the graph.
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

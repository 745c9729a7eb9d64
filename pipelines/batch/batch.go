// Package batch runs many units of work, and one step behind them all: it is the graph that ingest, convert and
// moremeta have in common. What a unit is, how it is done and what becomes of the results is said by a Work.
//
// The graph is small on purpose. A unit is one element, and all of it happens inside one function, so that bodies never
// cross a shuffle and what a unit writes is right whatever a runner fuses, splits or repeats:
//
//	Create(files of the listing) → tasks → Reshuffle → Units (several at a time in a process) → rows
//	→ GroupByKey → Finish
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

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Work says what is done. It travels to workers as JSON: what they need of it stands in exported fields.
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

// The functions are called by reflection. Beam's package register would make code for each of their types. That took
// 34 s to compile, to save microseconds an element, and an element here is a unit, which takes seconds.
func init() {
	beam.RegisterDoFn(&listFn{})
	beam.RegisterDoFn(&unitFn{})
	beam.RegisterDoFn(&finishFn{})
}

// Build makes the graph that does the units of todo and finishes them together with the rows of done, which an earlier
// run has left. One of the two may be empty, and both.
func Build(s beam.Scope, kind string, w Work, todo, done Listing) error {
	c, err := carry(kind, w)
	if err != nil {
		return err
	}
	s = s.Scope(kind + ".Build")
	// The first row is of no unit: the last step is called also when no unit is to be done.
	rows := beam.Create(s, []byte("null"))
	if !todo.empty() {
		rows = beam.Flatten(s, rows, do(s, c, todo))
	}
	// GroupByKey is the barrier: nothing is finished before every unit has ended.
	grouped := beam.GroupByKey(s, beam.AddFixedKey(s, rows))
	beam.ParDo0(s.Scope("Finish"), &finishFn{Work: c, Done: done}, grouped)
	return nil
}

// Do makes the part of a graph that does the units of a listing, which is not empty, and returns their rows: for graphs
// that go on with them otherwise than by Finish.
func Do(s beam.Scope, kind string, w Work, todo Listing) (beam.PCollection, error) {
	c, err := carry(kind, w)
	return do(s, c, todo), err
}

// Read makes the part of a graph that reads a listing, which is not empty: a value of it is an element, as JSON.
func Read(s beam.Scope, kind string, w Work, l Listing) (beam.PCollection, error) {
	c, err := carry(kind, w)
	return read(s, c, l), err
}

func carry(kind string, w Work) (carried, error) {
	fields, err := json.Marshal(w)
	return carried{Kind: kind, Fields: fields}, err
}

// do keeps a runner, by the Reshuffle, from fusing the units with the reading of their list: all would be done on one
// worker.
func do(s beam.Scope, c carried, todo Listing) beam.PCollection {
	return beam.ParDo(s.Scope("Units"), &unitFn{Work: c}, beam.Reshuffle(s, read(s, c, todo)))
}

// read has the files of a listing travel in the graph by their names; their lines are read by workers.
func read(s beam.Scope, c carried, l Listing) beam.PCollection {
	if len(l.Files) == 0 {
		return beam.CreateList(s, l.Values)
	}
	return beam.ParDo(s.Scope("Plan"), &listFn{Work: c}, beam.CreateList(s, l.Files))
}

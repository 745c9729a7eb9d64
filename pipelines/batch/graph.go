//go:build !local

package batch

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

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
	s = s.Scope(kind)
	// The first row is of no unit: the last step is called also when no unit is to be done.
	rows := beam.Create(s, []byte("null"))
	if !todo.empty() {
		rows = beam.Flatten(s, rows, do(s, c, todo))
	}
	// GroupByKey is the barrier: nothing is finished before every unit has ended.
	grouped := beam.GroupByKey(s, beam.AddFixedKey(s, rows))
	beam.ParDo0(s.Scope("Commit"), &finishFn{Work: c, Done: done}, grouped)
	return nil
}

// Do makes the part of a graph that does the units of a listing, which is not empty, and returns their rows: for graphs
// that continue with them otherwise than by Finish.
func Do(s beam.Scope, kind string, w Work, todo Listing) (beam.PCollection, error) {
	c, err := carry(kind, w)
	return do(s, c, todo), err
}

// Read makes the part of a graph that reads a listing, which is not empty: a value of it is an element, as JSON.
func Read(s beam.Scope, kind string, w Work, l Listing) (beam.PCollection, error) {
	c, err := carry(kind, w)
	return read(s, c, l), err
}

// do keeps a runner, by the Reshuffle, from fusing the units with the reading of their list: all would be done on one
// worker.
func do(s beam.Scope, c carried, todo Listing) beam.PCollection {
	return beam.ParDo(s.Scope("Do units"), &unitFn{Work: c}, beam.Reshuffle(s, read(s, c, todo)))
}

// read has the files of a listing travel in the graph by their names; their lines are read by workers.
func read(s beam.Scope, c carried, l Listing) beam.PCollection {
	if len(l.Files) == 0 {
		return beam.CreateList(s, l.Values)
	}
	return beam.ParDo(s.Scope("List units"), &listFn{Work: c}, beam.CreateList(s, l.Files))
}

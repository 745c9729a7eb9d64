//go:build !local

package batch

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// Beam calls these functions by reflection. Generated code would save microseconds for each unit, which takes
// seconds, but added 34 s of compile time.
func init() {
	beam.RegisterDoFn(&listFn{})
	beam.RegisterDoFn(&unitFn{})
	beam.RegisterDoFn(&finishFn{})
}

// Build makes the graph that does the units of todo and finishes them with the rows of done, from an earlier run.
// Both may be empty.
func Build(s beam.Scope, kind string, w Work, todo, done Listing) error {
	c, err := carry(kind, w)
	if err != nil {
		return err
	}
	s = s.Scope(kind)
	// The placeholder row makes the last step run even without units.
	rows := beam.Create(s, []byte("null"))
	if !todo.empty() {
		rows = beam.Flatten(s, rows, do(s, c, todo))
	}
	// GroupByKey waits for all units.
	grouped := beam.GroupByKey(s, beam.AddFixedKey(s, rows))
	beam.ParDo0(s.Scope("Commit"), &finishFn{Work: c, Done: done}, grouped)
	return nil
}

// Do makes the part of a graph that does the units of a nonempty listing. It returns their rows, for graphs that do
// not end with Finish.
func Do(s beam.Scope, kind string, w Work, todo Listing) (beam.PCollection, error) {
	c, err := carry(kind, w)
	return do(s, c, todo), err
}

// Read makes the part of a graph that reads a nonempty listing; its elements are values as JSON.
func Read(s beam.Scope, kind string, w Work, l Listing) (beam.PCollection, error) {
	c, err := carry(kind, w)
	return read(s, c, l), err
}

// do needs the Reshuffle: a runner that fused units with their list would use only one worker.
func do(s beam.Scope, c carried, todo Listing) beam.PCollection {
	return beam.ParDo(s.Scope("Do units"), &unitFn{Work: c}, beam.Reshuffle(s, read(s, c, todo)))
}

// read sends the names of files in the graph; workers read the files.
func read(s beam.Scope, c carried, l Listing) beam.PCollection {
	if len(l.Files) == 0 {
		return beam.CreateList(s, l.Values)
	}
	return beam.ParDo(s.Scope("List units"), &listFn{Work: c}, beam.CreateList(s, l.Files))
}

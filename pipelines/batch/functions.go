//go:build !local

package batch

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gleaner-web/gleaner/pipelines/run"
)

// unitFn does one unit an element, several at a time.
// What has a small letter is made by Setup and is not sent: Beam encodes exported fields as JSON.
type unitFn struct {
	Work carried

	worker Worker
	bundle *run.Bundle
}

// Setup opens the worker, once for each function that a runner sets up.
func (f *unitFn) Setup() error {
	w, err := f.Work.work()
	if err != nil {
		return err
	}
	worker, err := w.Open()
	if err == nil {
		f.worker = worker
	}
	return err
}

// StartBundle begins a bundle.
// Beam requires the parameter of the emitter in all three methods of a function that emits.
func (f *unitFn) StartBundle(ctx context.Context, _ func([]byte)) {
	f.bundle = run.NewBundle(ctx, f.worker.AtOnce())
}

// ProcessElement starts a unit, when fewer than AtOnce are under way, and emits the rows of those that ended. It
// returns before the unit is done: FinishBundle waits, and its error fails the bundle.
func (f *unitFn) ProcessElement(ctx context.Context, task []byte, emit func([]byte)) error {
	// The bytes are the runner's again when this returns, and the unit is done later.
	task = append([]byte(nil), task...)
	return f.bundle.Start(run.Counting(ctx, f.Work.Kind, emit), func(ctx context.Context) ([]byte, error) {
		row, err := f.worker.Do(ctx, task)
		if err != nil {
			return nil, err
		}
		return json.Marshal(row)
	})
}

// FinishBundle waits for the units that are under way.
func (f *unitFn) FinishBundle(ctx context.Context, emit func([]byte)) error {
	return f.bundle.Finish(run.Counting(ctx, f.Work.Kind, emit))
}

// Teardown closes what Setup opened.
func (f *unitFn) Teardown() error {
	if f.worker == nil {
		return nil // Setup failed, and a runner may call this all the same
	}
	return f.worker.Close()
}

// finishFn finishes the work once all units have a row.
// It is called once, with all rows, because they have one key.
type finishFn struct {
	Work carried
	Done Listing
}

// ProcessElement takes all rows; a runner may deliver some of them twice, or call it again when all is written.
func (f *finishFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool) error {
	w, err := f.Work.work()
	if err != nil {
		return err
	}
	return finish(ctx, w, f.Done, next)
}

// listFn reads a file of a listing. The folder is opened once for each file, and there are at most 256.
type listFn struct{ Work carried }

// ProcessElement emits the file's lines.
func (f *listFn) ProcessElement(ctx context.Context, key string, emit func([]byte)) error {
	w, err := f.Work.work()
	if err != nil {
		return err
	}
	out := w.Folder(ctx)
	lines, err := readListed(out, key)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	for _, line := range lines {
		emit(line)
	}
	return nil
}

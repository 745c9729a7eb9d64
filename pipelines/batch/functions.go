//go:build !local

package batch

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// unitFn does one unit per element, several at the same time. Beam sends only exported fields; Setup sets the others.
type unitFn struct {
	Work carried

	worker Worker
	bundle *run.Bundle
}

// Setup opens the worker.
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

// StartBundle begins a bundle. Beam requires the emitter in all three methods of a function that emits.
func (f *unitFn) StartBundle(ctx context.Context, _ func([]byte)) {
	f.bundle = run.NewBundle(ctx, f.worker.AtOnce())
}

// ProcessElement starts a unit once fewer than AtOnce are under way, and emits the rows of finished ones. It does not
// wait for the unit: FinishBundle does, and its error fails the bundle.
func (f *unitFn) ProcessElement(ctx context.Context, task []byte, emit func([]byte)) error {
	// The runner may reuse the bytes after this call.
	task = append([]byte(nil), task...)
	f.show(ctx)
	return f.bundle.Start(run.Counting(ctx, f.Work.Kind, emit), func(ctx context.Context) ([]byte, error) {
		row, err := f.worker.Do(ctx, task)
		if err != nil {
			return nil, err
		}
		return json.Marshal(row)
	})
}

// FinishBundle waits for the remaining units.
func (f *unitFn) FinishBundle(ctx context.Context, emit func([]byte)) error {
	f.show(ctx)
	return f.bundle.Finish(run.Counting(ctx, f.Work.Kind, emit))
}

// show has the bundle show how far the units are, if the worker counts that.
func (f *unitFn) show(ctx context.Context) {
	if w, counts := f.worker.(interface{ Counters() *cli.Counters }); counts {
		f.bundle.Show = run.Moving(ctx, f.Work.Kind, w.Counters())
	}
}

// Teardown closes the worker.
func (f *unitFn) Teardown() error {
	if f.worker == nil {
		return nil // a runner may call this after a failed Setup
	}
	return f.worker.Close()
}

// finishFn finishes the work after all units have a row. All rows have one key, so one call gets all.
type finishFn struct {
	Work carried
	Done Listing
}

// ProcessElement takes all rows. A runner may duplicate rows, or call it again after success.
func (f *finishFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool) error {
	w, err := f.Work.work()
	if err != nil {
		return err
	}
	return finish(ctx, w, f.Done, next)
}

// listFn reads a file of a listing. It opens the folder for each file, at most 256 times.
type listFn struct{ Work carried }

// ProcessElement emits the lines of a file.
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

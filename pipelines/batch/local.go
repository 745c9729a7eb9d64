package batch

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// RunLocal does the work of Build's graph in this process, without a graph. It does the units of todo concurrently,
// then the last step with their rows and those of done. Both listings may be empty. If the context has ended,
// RunLocal returns its cause.
//
// The work passes through JSON as in a graph, so that errors in its encoding show here too.
func RunLocal(ctx context.Context, kind string, w Work, todo, done Listing) error {
	rows, err := LocalRows(ctx, kind, w, todo)
	if err != nil {
		return err
	}
	c, err := carry(kind, w)
	if err != nil {
		return err
	}
	if w, err = c.work(); err != nil {
		return err
	}
	next := func(row *[]byte) bool {
		if len(rows) == 0 {
			return false
		}
		*row, rows = rows[0], rows[1:]
		return true
	}
	return ended(ctx, finish(ctx, w, done, next))
}

// LocalRows does the units of a listing in this process and returns their rows, in the order of completion. It is Do
// without a runner.
func LocalRows(ctx context.Context, kind string, w Work, todo Listing) (rows [][]byte, err error) {
	docsandbox.Main() // as run.Init does before a graph: workers may read documents in child processes
	if todo.empty() {
		return nil, nil
	}
	c, err := carry(kind, w)
	if err != nil {
		return nil, err
	}
	if w, err = c.work(); err != nil {
		return nil, err
	}
	// Libraries log much about an interrupt.
	defer context.AfterFunc(ctx, cli.Silence)()
	worker, err := w.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, worker.Close()) }()
	b := run.NewBundle(ctx, worker.AtOnce())
	// Units under way end before the worker closes.
	defer b.Drop()
	emit := func(row []byte) { rows = append(rows, row) }
	err = Lines(ctx, w, todo, func(task []byte) error {
		return b.Start(emit, func(ctx context.Context) ([]byte, error) {
			row, err := worker.Do(ctx, task)
			if err != nil {
				return nil, err
			}
			return json.Marshal(row)
		})
	})
	if err == nil {
		err = b.Finish(emit)
	}
	return rows, ended(ctx, err)
}

// Lines calls do for each value of a listing, as JSON. It is Read without a runner, and holds one file in memory.
func Lines(ctx context.Context, w Work, l Listing, do func(value []byte) error) (err error) {
	for _, value := range l.Values {
		if err := do(value); err != nil {
			return err
		}
	}
	if len(l.Files) == 0 {
		return nil
	}
	out := w.Folder(ctx)
	defer func() { err = errors.Join(err, out.Close()) }()
	for _, file := range l.Files {
		lines, err := readListed(out, file)
		if err != nil {
			return err
		}
		for _, line := range lines {
			if err := do(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// ended returns the error of work under ctx. An interrupt may cause any error, so its cause is returned instead.
func ended(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

package batch

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// RunLocal does in this process what the graph of Build does on a runner, without one: the units of todo, several at a
// time, and then the last step with their rows and those of done. Both listings are in files of the work's folder or
// have values, and may be empty. The error is the context's cause where that has ended.
//
// The work is made from its JSON as in a graph, so that what does not survive the way is found here, too.
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

// LocalRows does the units of a listing in this process, and returns their rows, in the order in which they ended: what
// Do does on a runner.
func LocalRows(ctx context.Context, kind string, w Work, todo Listing) (rows [][]byte, err error) {
	docsandbox.Main() // what run.Init does before a graph: work may read documents in child processes
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
	// Libraries complain of an interrupt in many words.
	defer context.AfterFunc(ctx, cli.Silence)()
	worker, err := w.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, worker.Close()) }()
	b := run.NewBundle(ctx, worker.AtOnce())
	// Units that are under way end before the worker is closed.
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

// Lines gives the values of a listing, as JSON, in their order: what Read does on a runner. A file of it is in memory.
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

// ended is the error of work that was done under ctx: of work that was interrupted it is whatever happened to fail
// first, so that the cause is told in its place.
func ended(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

package batch

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/interim"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// Rows are the rows of all units. First come rows of the graph, where a runner may duplicate some, then the listing
// of earlier work. Decode reads them.
type Rows struct {
	graph func(*[]byte) bool
	f     folder.Folder
	files []string // of the listing, still to be read
	lines [][]byte // of the listing
	err   error
}

// Decode reads all rows. It returns fs.ErrNotExist if the listing is gone: if the output exists, Finish has already
// succeeded.
func Decode[T any](rows *Rows) ([]T, error) {
	list, err := run.DecodeRows[T](rows.next)
	return list, errors.Join(rows.err, err)
}

// next reads the next row; false means the end or an error. Rows of earlier work are in the folder, since a million
// would not fit in the graph.
func (r *Rows) next(row *[]byte) bool {
	for r.graph(row) {
		// The placeholder row: see Build.
		if !bytes.Equal(*row, []byte("null")) {
			return true
		}
		*row = nil
	}
	for len(r.lines) == 0 && len(r.files) > 0 && r.err == nil {
		r.lines, r.err = readListed(r.f, r.files[0])
		r.files = r.files[1:]
	}
	if len(r.lines) == 0 || r.err != nil {
		return false
	}
	*row, r.lines = r.lines[0], r.lines[1:]
	return true
}

// finish finishes the work after all units have a row. Another process may call it again after success, so everything
// here can be repeated.
func finish(ctx context.Context, w Work, done Listing, next func(*[]byte) bool) (err error) {
	// An interrupt waits: this is short and completes the output.
	defer cli.Hold()()
	rows := &Rows{graph: next, files: done.Files, lines: done.Values}
	if rows.f = w.Folder(ctx); rows.f != nil {
		defer func() { err = errors.Join(err, rows.f.Close()) }()
	}
	err = w.Finish(ctx, rows)
	// The listing is removed last, so that a missing listing with complete output means a repeated call.
	if err == nil && rows.f != nil {
		err = interim.Remove(rows.f, interim.Listings)
	}
	return err
}

// Repeated reports whether err, from Decode, means a repeated call of Finish: the listing is gone, and done, which
// checks for the output, succeeds.
func Repeated(err error, done func() error) bool {
	return errors.Is(err, fs.ErrNotExist) && done() == nil
}

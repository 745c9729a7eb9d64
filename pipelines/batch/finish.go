package batch

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// Rows are the rows of all units: those that the graph brings, of which a runner may deliver some twice, and after
// them those of the listing of what was done before. Decode reads them.
type Rows struct {
	graph func(*[]byte) bool
	f     folder.Folder
	files []string // of the listing, that are still to be read
	lines [][]byte // of the listing
	err   error
}

// Decode reads all rows. A listing that is gone is fs.ErrNotExist: then Finish has been called before, and has ended
// well, if what it makes is there.
func Decode[T any](rows *Rows) ([]T, error) {
	list, err := run.DecodeRows[T](rows.next)
	return list, errors.Join(rows.err, err)
}

// next gives the next row; false is their end, or an error.
// They travel by the folder and not by the graph: a million rows would not fit in it.
func (r *Rows) next(row *[]byte) bool {
	for r.graph(row) {
		// The row of no unit: see Build.
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

// finish finishes the work once all units have a row. It may be called again when all is written, by another process
// after the first call has ended, so that everything here can be repeated.
func finish(ctx context.Context, w Work, done Listing, next func(*[]byte) bool) (err error) {
	// An interrupt waits for this: it is short, and after it the output is whole.
	defer cli.Hold()()
	rows := &Rows{graph: next, files: done.Files, lines: done.Values}
	if rows.f = w.Folder(ctx); rows.f != nil {
		defer func() { err = errors.Join(err, rows.f.Close()) }()
	}
	err = w.Finish(ctx, rows)
	// The listing is the last thing to be removed, so that a listing that is missing beside what Finish makes is a
	// call repeated.
	if err == nil && rows.f != nil {
		err = collection.RemoveInterims(rows.f, collection.KindListing)
	}
	return err
}

// Repeated reports whether an error of Decode is that of a call of Finish that is a repetition: the listing is gone,
// and done, which asks for what Finish makes, has no error.
func Repeated(err error, done func() error) bool {
	return errors.Is(err, fs.ErrNotExist) && done() == nil
}

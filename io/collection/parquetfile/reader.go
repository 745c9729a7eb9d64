package parquetfile

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
)

// Read returns the documents of a file of size bytes that a Writer wrote, in the file's order. What the file leaves
// out is as it was before it was written, except for timestamps, which are in UTC and whole microseconds. Files of
// earlier versions have less, and their timestamps are in milliseconds. It ends after an error. It is for files of
// one's own: a damaged one is an error in most cases, but there is no bound on the memory that a malicious one makes
// the decoder ask for.
func Read(r io.ReaderAt, size int64) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		in, err := open(r, size)
		if err != nil {
			yield(nil, err)
			return
		}
		for {
			rows, err := in.batch()
			for i := range rows {
				if !yield(rows[i].document(), nil) {
					return
				}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(nil, err)
				}
				return
			}
		}
	}
}

// reader reads the rows of a file.
type reader struct {
	rows  *parquet.GenericReader[row]
	dates *parquet.GenericReader[textDates] // of a file of an earlier version, else nil
}

func open(r io.ReaderAt, size int64) (in reader, err error) {
	defer recoverTo(&err)
	f, err := parquet.OpenFile(r, size)
	if err != nil {
		return in, fmt.Errorf("parquetfile: %w", err)
	}
	if hasTextDates(f) {
		in.rows, in.dates = parquet.NewGenericReader[row](f, undated), parquet.NewGenericReader[textDates](f)
	} else {
		in.rows = parquet.NewGenericReader[row](f)
	}
	return in, nil
}

// batch returns the next rows. After the last ones it returns io.EOF, or returns it with them.
func (in reader) batch() (rows []row, err error) {
	defer recoverTo(&err)
	rows = make([]row, batchRows)
	n, err := in.rows.Read(rows)
	if err != nil && !errors.Is(err, io.EOF) {
		return rows[:n], fmt.Errorf("parquetfile: %w", err)
	}
	if in.dates != nil {
		if err := addDates(in.dates, rows[:n]); err != nil {
			return nil, err
		}
	}
	return rows[:n], err
}

// recoverTo turns a panic into an error: the decoder indexes with lengths that it found in the file.
func recoverTo(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("parquetfile: damaged file: %v", p)
	}
}

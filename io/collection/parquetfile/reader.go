package parquetfile

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
)

// Read yields the documents of a file that a Writer wrote, in the file's order; size is in bytes. Documents are as they
// were written, except that timestamps are in UTC and whole microseconds. Files of earlier versions have fewer columns,
// and milliseconds. Read ends after an error.
//
// It is for trusted files: damage is an error in most cases, but a malicious file can make the decoder allocate
// unlimited memory.
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

type reader struct {
	rows  *parquet.GenericReader[row]
	dates *parquet.GenericReader[textDates] // for files of version 4 and before, otherwise nil
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

// batch returns the next rows. It returns io.EOF with the last rows or after them.
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

// recoverTo turns a panic into an error: the decoder indexes with unchecked lengths from the file.
func recoverTo(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("parquetfile: damaged file: %v", p)
	}
}

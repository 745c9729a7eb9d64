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
// out is as it was before it was written, but for timestamps, which are in UTC and whole milliseconds. It ends after
// an error. It is for files of one's own: a damaged one is an error in most cases, but there is no bound on the memory
// that a malicious one makes the decoder ask for.
func Read(r io.ReaderAt, size int64) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		in, err := open(r, size)
		if err != nil {
			yield(nil, err)
			return
		}
		for {
			rows, err := readBatch(in)
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

func open(r io.ReaderAt, size int64) (in *parquet.GenericReader[row], err error) {
	defer recoverTo(&err)
	f, err := parquet.OpenFile(r, size)
	if err != nil {
		return nil, fmt.Errorf("parquetfile: %w", err)
	}
	return parquet.NewGenericReader[row](f), nil
}

// readBatch returns the next rows. After the last ones it returns io.EOF, or returns it with them.
func readBatch(in *parquet.GenericReader[row]) (rows []row, err error) {
	defer recoverTo(&err)
	rows = make([]row, batchRows)
	n, err := in.Read(rows)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("parquetfile: %w", err)
	}
	return rows[:n], err
}

// recoverTo turns a panic into an error: the decoder indexes with lengths that it found in the file.
func recoverTo(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("parquetfile: damaged file: %v", p)
	}
}

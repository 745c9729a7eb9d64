package parquetfile

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"

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
			docs, err := in.batch()
			for _, d := range docs {
				if !yield(d, nil) {
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
	rows *parquet.GenericReader[any]
	form *form
}

func open(r io.ReaderAt, size int64) (in reader, err error) {
	defer recoverTo(&err)
	f, err := parquet.OpenFile(r, size)
	if err != nil {
		return in, fmt.Errorf("parquetfile: %w", err)
	}
	if in.form, err = formOf(f.Root()); err != nil {
		return in, err
	}
	in.rows = parquet.NewGenericReader[any](f, in.form.schema)
	return in, nil
}

// batch returns the next documents. It returns io.EOF with the last documents or after them.
func (in reader) batch() (docs []*schemas.Document, err error) {
	defer recoverTo(&err)
	rows := make([]parquet.Row, batchRows)
	n, err := in.rows.ReadRows(rows)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("parquetfile: %w", err)
	}
	for _, row := range rows[:n] {
		d := &schemas.Document{}
		if err := in.form.set(reflect.ValueOf(d).Elem(), row); err != nil {
			return docs, err
		}
		docs = append(docs, d)
	}
	return docs, err
}

// recoverTo turns a panic into an error: the decoder indexes with unchecked lengths from the file.
func recoverTo(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("parquetfile: damaged file: %v", p)
	}
}

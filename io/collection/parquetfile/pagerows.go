package parquetfile

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
)

// Links and structured data are tables of many rows a page, sorted by their pages. This file has what they share.

// pageWriter sorts the rows of pages.
type pageWriter[T any] struct {
	w      io.Writer
	o      Options
	keyOf  func(*T) (surt, timestamp string)
	sorter *extsort.Sorter
	key    []byte
	record []byte
}

func newPageWriter[T any](w io.Writer, o Options, keyOf func(*T) (surt, timestamp string)) *pageWriter[T] {
	o = o.withDefaults()
	sorter := extsort.New(extsort.Options{MemoryBytes: o.MemoryBytes, TempDir: o.TempDir})
	return &pageWriter[T]{w: w, o: o, keyOf: keyOf, sorter: sorter}
}

// write adds the rows of one page, encoded by encode.
func (w *pageWriter[T]) write(rows []T, encode func([]byte, []T) []byte) error {
	if len(rows) == 0 {
		return nil
	}
	surt, timestamp := w.keyOf(&rows[0])
	t, err := parseTime(timestamp)
	if err != nil {
		return err
	}
	w.key = appendKey(w.key[:0], surt, t)
	w.record = encode(w.record[:0], rows)
	if err := w.sorter.Add(w.key, w.record); err != nil {
		return fmt.Errorf("parquetfile: %w", err)
	}
	return nil
}

// finishPages writes the sorted rows by e.
func finishPages[T, R any](w *pageWriter[T], e *rowEncoder[R], parse func([]byte, func(R) error) error) error {
	err := w.sorter.Merge(func(_, record []byte) error { return parse(record, e.add) })
	if err == nil {
		err = errors.Join(e.flush(), e.out.Close())
	}
	if err != nil {
		return fmt.Errorf("parquetfile: %w", err)
	}
	return nil
}

func (w *pageWriter[T]) abort() error {
	if err := w.sorter.Close(); err != nil {
		return fmt.Errorf("parquetfile: %w", err)
	}
	return nil
}

// rowEncoder writes rows in batches and row groups.
type rowEncoder[R any] struct {
	out       *parquet.GenericWriter[R]
	o         Options
	batch     *batch
	rows      []R          // of the batch
	runs      []int        // fields in which parquet-go looks for runs: optional texts
	size      func(*R) int // of a row's texts
	groupRows int          // of the current row group
	groupSize int          // of its texts, in bytes
}

func newRowEncoder[R any](
	w io.Writer, o Options, form string, size func(*R) int, more ...parquet.WriterOption,
) (*rowEncoder[R], error) {
	compression, err := newCodec()
	if err != nil {
		return nil, err
	}
	options := append([]parquet.WriterOption{
		parquet.CreatedBy("gleaner", form, "parquetfile"),
		parquet.KeyValueMetadata("gleaner.schema_version", schemas.Version),
		parquet.Compression(compression),
		parquet.DataPageStatistics(true),
		parquet.ColumnIndexSizeLimit(func([]string) int { return boundBytes }),
		parquet.SortingWriterConfig(parquet.SortingColumns(
			parquet.NullsFirst(parquet.Ascending("surt")), parquet.NullsFirst(parquet.Ascending("timestamp")))),
	}, more...)
	e := &rowEncoder[R]{out: parquet.NewGenericWriter[R](w, options...), o: o, size: size}
	for f := range reflect.TypeFor[R]().Fields() {
		if f.Type.Kind() == reflect.String && strings.Contains(f.Tag.Get("parquet"), ",optional") {
			e.runs = append(e.runs, f.Index[0])
		}
	}
	e.batch = newBatch(len(e.runs))
	return e, nil
}

func (e *rowEncoder[R]) add(r R) error {
	v := reflect.ValueOf(&r).Elem()
	isNull := func(i int) bool { return v.Field(e.runs[i]).IsZero() }
	if !e.batch.takes(isNull) {
		if err := e.flush(); err != nil {
			return err
		}
		e.batch.takes(isNull)
	}
	e.rows = append(e.rows, r)
	e.groupRows++
	e.groupSize += e.size(&r)
	if e.groupRows >= e.o.RowGroupRows || e.groupSize >= e.o.RowGroupBytes {
		e.groupRows, e.groupSize = 0, 0
		return errors.Join(e.flush(), e.out.Flush())
	}
	return nil
}

// flush writes the rows of the batch.
func (e *rowEncoder[R]) flush() error {
	_, err := e.out.Write(e.rows)
	clear(e.rows)
	e.rows = e.rows[:0]
	e.batch.end()
	return err
}

// readRows yields the rows of a file as convert makes them, in the file's order. It ends after an error.
func readRows[R, T any](r io.ReaderAt, size int64, convert func(*R) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		in, err := openRows[R](r, size)
		if err != nil {
			yield(none, err)
			return
		}
		rows := make([]R, batchRows)
		for {
			n, err := nextRows(in, rows)
			for i := range rows[:n] {
				if !yield(convert(&rows[i]), nil) {
					return
				}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(none, fmt.Errorf("parquetfile: %w", err))
				}
				return
			}
		}
	}
}

func openRows[R any](r io.ReaderAt, size int64) (in *parquet.GenericReader[R], err error) {
	defer recoverTo(&err)
	f, err := parquet.OpenFile(r, size)
	if err != nil {
		return nil, fmt.Errorf("parquetfile: %w", err)
	}
	return parquet.NewGenericReader[R](f), nil
}

func nextRows[R any](in *parquet.GenericReader[R], rows []R) (n int, err error) {
	defer recoverTo(&err)
	return in.Read(rows)
}

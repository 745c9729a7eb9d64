package parquetfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
)

// Options limit a writer; the zero value takes the defaults.
type Options struct {
	TempDir       string // for documents beyond MemoryBytes; the system's
	MemoryBytes   int    // memory for sorting documents; 32 MiB
	RowGroupRows  int    // maximum in a row group; 65,536
	RowGroupBytes int    // uncompressed size after which a row group ends; 32 MiB
}

func (o Options) withDefaults() Options {
	o.MemoryBytes = cmp.Or(o.MemoryBytes, 32<<20)
	o.RowGroupRows = cmp.Or(o.RowGroupRows, 1<<16)
	o.RowGroupBytes = cmp.Or(o.RowGroupBytes, 32<<20)
	return o
}

// boundBytes is the length to which page indexes cut values, in bytes: it tells SURTs of one site apart.
const boundBytes = 64

// bloomBits is the bloom filter's size in bits for each URL of a row group: one lookup in a hundred is a false
// positive.
const bloomBits = 10

// Writer writes one Parquet file. It is not safe for concurrent use.
type Writer struct {
	w      io.Writer
	o      Options
	sorter *extsort.Sorter
	key    []byte
	record []byte
}

// NewWriter returns a writer to w. The caller must call Close or Abort, or temporary files remain.
func NewWriter(w io.Writer, o Options) *Writer {
	o = o.withDefaults()
	sorter := extsort.New(extsort.Options{MemoryBytes: o.MemoryBytes, TempDir: o.TempDir})
	return &Writer{w: w, o: o, sorter: sorter}
}

// Write adds a document and keeps nothing of it. A timestamp that is not RFC 3339, or a number that is not finite, is
// an error and leaves the writer unchanged.
func (w *Writer) Write(d *schemas.Document) error {
	t, err := parseTime(d.Timestamp)
	if err != nil {
		return err
	}
	w.key = appendKey(w.key[:0], d.SURT, t)
	record, err := appendRecord(w.record[:0], d)
	if err != nil {
		return err
	}
	w.record = record
	if err := w.sorter.Add(w.key, w.record); err != nil {
		return fmt.Errorf("parquetfile: %w", err)
	}
	return nil
}

// Close writes the file and removes temporary files. It does not close the underlying writer. After Abort it returns an
// error and writes nothing.
func (w *Writer) Close() error {
	e, err := newEncoder(w.w, w.o, OrderSURT, documents())
	if err == nil {
		err = w.sorter.Merge(func(_, record []byte) error { return e.add(record) })
	}
	if err == nil {
		err = e.close()
	}
	if err != nil {
		return fmt.Errorf("parquetfile: %w", err)
	}
	return nil
}

// Abort drops the documents and removes temporary files. After Close it does nothing, so that it can be deferred.
func (w *Writer) Abort() error {
	if err := w.sorter.Close(); err != nil {
		return fmt.Errorf("parquetfile: %w", err)
	}
	return nil
}

type encoder struct {
	out   *parquet.GenericWriter[any]
	o     Options
	sheet *sheet
	rows  int // of the current row group
	bytes int // of the current row group
}

func newEncoder(w io.Writer, o Options, order Order, f *form) (*encoder, error) {
	compression, err := newCodec()
	if err != nil {
		return nil, err
	}
	var sorting []parquet.SortingColumn
	for _, name := range order.columns() {
		sorting = append(sorting, parquet.NullsFirst(parquet.Ascending(name)))
	}
	options := []parquet.WriterOption{
		f.schema,
		parquet.CreatedBy("gleaner", Form, "parquetfile"),
		parquet.KeyValueMetadata("gleaner.schema_version", schemas.Version),
		parquet.Compression(compression),
		parquet.DataPageStatistics(true),
		parquet.BloomFilters(parquet.SplitBlockFilter(bloomBits, "url")),
		parquet.ColumnIndexSizeLimit(func([]string) int { return boundBytes }),
		parquet.SortingWriterConfig(parquet.SortingColumns(sorting...)),
	}
	// Bounds of long texts are useless and would repeat whole texts in the footer.
	for _, path := range f.long {
		options = append(options, parquet.SkipPageBounds(path...))
	}
	out := parquet.NewGenericWriter[any](w, options...)
	return &encoder{out: out, o: o, sheet: newSheet(f, out)}, nil
}

// add writes the document of a record.
func (e *encoder) add(record []byte) error {
	d, err := parseRecord(record)
	if err != nil {
		return err
	}
	t, err := parseTime(d.Timestamp)
	if err != nil {
		return err
	}
	if e.rows > 0 && (e.rows == e.o.RowGroupRows || e.bytes+len(record) > e.o.RowGroupBytes) {
		if err := e.endGroup(); err != nil {
			return err
		}
	}
	e.rows++
	e.bytes += len(record)
	SettleTimes(d)
	if t.IsZero() { // which year 1 is as well
		d.Timestamp = ""
	}
	return e.sheet.add(reflect.ValueOf(d).Elem())
}

func (e *encoder) endGroup() error {
	e.rows, e.bytes = 0, 0
	return errors.Join(e.sheet.flush(), e.out.Flush())
}

func (e *encoder) close() error {
	if err := e.sheet.flush(); err != nil {
		return err
	}
	return e.out.Close()
}

package parquetfile

import (
	"io"
	"iter"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
)

// ReadData yields the rows of a file that a DataWriter wrote, as ReadLinks does.
func ReadData(r io.ReaderAt, size int64) iter.Seq2[schemas.Datum, error] {
	return readRows(r, size, func(row *datumRow) schemas.Datum { return row.datum() })
}

// DataWriter writes one Parquet file of structured data, sorted by (surt, timestamp) of their pages. Rows of one page
// keep their order. It is not safe for concurrent use.
type DataWriter struct{ pages *pageWriter[schemas.Datum] }

// NewDataWriter returns a writer to w. The caller must call Close or Abort, or temporary files remain.
func NewDataWriter(w io.Writer, o Options) *DataWriter {
	return &DataWriter{newPageWriter(w, o, func(d *schemas.Datum) (surt, timestamp string) { return d.SURT, d.Timestamp })}
}

// Write adds the rows of one page, which have its five fields in common. A timestamp that is not RFC 3339 is an error
// and leaves the writer unchanged.
func (w *DataWriter) Write(rows []schemas.Datum) error { return w.pages.write(rows, appendData) }

// Close writes the file and removes temporary files. It does not close the underlying writer. After Abort it returns an
// error and writes nothing.
func (w *DataWriter) Close() error {
	e, err := newRowEncoder(w.pages.w, w.pages.o, DataForm,
		func(r *datumRow) int { return len(r.Value) + len(r.ID) + len(r.Property) },
		// For queries for items of a type.
		parquet.BloomFilters(parquet.SplitBlockFilter(bloomBits, "type")),
		// Values are not sorted, so their bounds are useless.
		parquet.SkipPageBounds("value"))
	if err != nil {
		return err
	}
	return finishPages(w.pages, e, parseData)
}

// Abort drops the rows and removes temporary files. After Close it does nothing, so that it can be deferred.
func (w *DataWriter) Abort() error { return w.pages.abort() }

package arrowstream

import (
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/schemas"
)

// A batch ends at either bound. So it takes little memory, and readers get the first documents early.
const (
	batchRows  = 1024
	batchBytes = 4 << 20
)

// Writer writes documents in batches. It is not safe for concurrent use.
type Writer struct {
	columns []column
	places  []int // in Document
	builder *array.RecordBuilder
	out     *ipc.Writer
	rows    int
	bytes   int // of long texts in the batch
}

// NewWriter returns a writer to w. names are the columns of documents to write, in this order, by their names in JSON;
// nil means all. Unknown names are an error.
func NewWriter(w io.Writer, names []string) (*Writer, error) {
	all := schemas.Columns()
	if names == nil {
		for _, of := range all {
			names = append(names, of.Name)
		}
	}
	var fields []arrow.Field
	a := &Writer{}
	for _, name := range names {
		i := slices.IndexFunc(all, func(of schemas.Column) bool { return of.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("arrowstream: documents have no column %q", name)
		}
		for _, c := range columnsOf(all[i]) {
			a.columns, a.places, fields = append(a.columns, c), append(a.places, all[i].Place), append(fields, c.Field)
		}
	}
	meta := arrow.NewMetadata([]string{"gleaner.schema_version"}, []string{fmt.Sprint(schemas.Version)})
	schema := arrow.NewSchema(fields, &meta)
	a.builder = array.NewRecordBuilder(memory.DefaultAllocator, schema)
	a.out = ipc.NewWriter(w, ipc.WithSchema(schema))
	return a, nil
}

// Write adds a document and keeps nothing of it.
func (a *Writer) Write(d *schemas.Document) error {
	settled := *d
	parquetfile.SettleTimes(&settled)
	row := reflect.ValueOf(&settled).Elem()
	for i, c := range a.columns {
		c.put(a.builder.Field(i), row.Field(a.places[i]))
	}
	a.rows++
	a.bytes += len(d.Text) + len(d.MainHTML)
	if a.rows < batchRows && a.bytes < batchBytes {
		return nil
	}
	return a.Flush()
}

// Flush writes the documents that wait for their batch.
func (a *Writer) Flush() error {
	if a.rows == 0 {
		return nil
	}
	batch := a.builder.NewRecordBatch()
	defer batch.Release()
	a.rows, a.bytes = 0, 0
	if err := a.out.Write(batch); err != nil {
		return fmt.Errorf("arrowstream: %w", err)
	}
	return nil
}

// Close writes the rest and the end of the stream. It does not close the underlying writer. A stream without documents
// still has its schema.
func (a *Writer) Close() error {
	if err := a.Flush(); err != nil {
		return err
	}
	if err := a.out.Close(); err != nil {
		return fmt.Errorf("arrowstream: %w", err)
	}
	return nil
}

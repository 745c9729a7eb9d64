package parquetfile

import (
	"fmt"
	"io"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// Order is the sort order of a file's rows. Bounds of pages and row groups prune well by the first columns of the
// order, so it decides which queries are cheap without an index.
type Order string

// The orders. A unit's shard is always in OrderSURT; shared shards are in the order of their compaction.
const (
	OrderSURT     Order = "url"      // (surt, timestamp): versions of a page, and pages of a host, are adjacent
	OrderFeatures Order = "features" // (language, mime_detected, surt, timestamp): "all French PDFs"
	OrderNone     Order = "none"     // unknown: the file states no order
)

// columns returns the column names of an order, the most significant first.
func (o Order) columns() []string {
	switch o {
	case OrderNone:
		return nil
	case OrderFeatures:
		return []string{"language", "mime_detected", "surt", "timestamp"}
	}
	return []string{"surt", "timestamp"}
}

// AppendKey appends the sort key of a document: keys compared bytewise are in the order o. A timestamp that is not RFC
// 3339 is an error.
func AppendKey(b []byte, d *schemas.Document, o Order) ([]byte, error) {
	t, err := parseTime(d.Timestamp)
	if err != nil {
		return nil, err
	}
	if o == OrderFeatures {
		b = appendText(appendText(b, d.Language), d.MIMEDetected)
	}
	return appendKey(b, d.SURT, t), nil
}

// AppendRecord appends the form that OrderedWriter.Add takes. It is for use within one process: the form may change
// with the version.
func AppendRecord(b []byte, d *schemas.Document) ([]byte, error) { return appendRecord(b, d) }

// OrderedWriter writes one Parquet file of documents that are already sorted, for example one of several files of a
// single sort. Writer sorts by itself. It is not safe for concurrent use.
type OrderedWriter struct{ e *encoder }

// NewOrderedWriter returns a writer to w whose file states that it is sorted by o. The caller ensures the order.
func NewOrderedWriter(w io.Writer, o Order, limits Options) (*OrderedWriter, error) {
	return newWriter(w, o, limits, documents())
}

// NewColumnsWriter returns a writer to w of documents with only these columns, in this order. The rows are in any
// order.
func NewColumnsWriter(w io.Writer, names []string, limits Options) (*OrderedWriter, error) {
	var columns []schemas.Column
	for _, name := range names {
		i := slices.IndexFunc(schemas.Columns(), func(c schemas.Column) bool { return c.Name == name })
		if i < 0 || slices.ContainsFunc(columns, func(c schemas.Column) bool { return c.Name == name }) {
			return nil, fmt.Errorf("parquetfile: a document has no column %q, or it is named twice", name)
		}
		columns = append(columns, schemas.Columns()[i])
	}
	return newWriter(w, OrderNone, limits, newForm(columns))
}

func newWriter(w io.Writer, o Order, limits Options, f *form) (*OrderedWriter, error) {
	e, err := newEncoder(w, limits.withDefaults(), o, f)
	if err != nil {
		return nil, fmt.Errorf("parquetfile: %w", err)
	}
	return &OrderedWriter{e}, nil
}

// Add writes the document of a record from AppendRecord. It keeps nothing of record.
func (w *OrderedWriter) Add(record []byte) error {
	if err := w.e.add(record); err != nil {
		return fmt.Errorf("parquetfile: %w", err)
	}
	return nil
}

// Close ends the file. It does not close the underlying writer.
func (w *OrderedWriter) Close() error {
	if err := w.e.close(); err != nil {
		return fmt.Errorf("parquetfile: %w", err)
	}
	return nil
}

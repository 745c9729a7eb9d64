package parquetfile

import (
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/schemas"
)

// Order is what the rows of a file are sorted by. Bounds of pages and row groups prune well by the columns that come
// first, so the order decides which questions are cheap on a file that no index is beside.
type Order string

// The orders. A unit's shard is always in OrderSURT; shards of many units are in the one that was asked for.
const (
	OrderSURT     Order = "url"      // (surt, timestamp): all versions of a page, all pages of a host side by side
	OrderFeatures Order = "features" // (language, mime_detected, surt, timestamp): "all French PDFs"
	OrderNone     Order = "none"     // whatever it is: the file says nothing of it
)

// columns are the names of the columns of an order, the first of them first.
func (o Order) columns() []string {
	switch o {
	case OrderNone:
		return nil
	case OrderFeatures:
		return []string{"language", "mime_detected", "surt", "timestamp"}
	}
	return []string{"surt", "timestamp"}
}

// AppendKey appends the key of a document by which extsort brings documents into the order: compared byte by byte, it
// is as the columns of the order compared one after the other. A timestamp that is not RFC 3339 is an error.
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

// AppendRecord appends the form in which a document waits to be sorted: what OrderedWriter.Add takes. It is for the
// time of one process; the form may change with the version.
func AppendRecord(b []byte, d *schemas.Document) ([]byte, error) { return appendRecord(b, d) }

// OrderedWriter writes one Parquet file of documents that come in its order already, where Writer sorts: of many files
// that are made of one sort, each gets its stretch. It is not safe for concurrent use.
type OrderedWriter struct{ e *encoder }

// NewOrderedWriter returns a writer to w whose file says that it is sorted by o. That it is, is up to the caller.
func NewOrderedWriter(w io.Writer, o Order, limits Options) (*OrderedWriter, error) {
	e, err := newEncoder(w, limits.withDefaults(), o)
	if err != nil {
		return nil, fmt.Errorf("parquetfile: %w", err)
	}
	return &OrderedWriter{e}, nil
}

// Add writes the document that AppendRecord made record of. It keeps nothing of record.
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

package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/collection/arrowstream"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// The formats of captures.
const (
	FormatTable   = "table" // for a terminal
	FormatJSONL   = "jsonl"
	FormatCSV     = "csv"
	FormatCSVBOM  = "csv-bom" // for spreadsheets, which read other tables in the character set of their country
	FormatParquet = "parquet"
	FormatArrow   = "arrow" // an IPC stream
	FormatWARC    = "warc"
	FormatWACZ    = "wacz"
	FormatWET     = "wet"
	FormatURLs    = "urls"
)

// Writer writes captures in sequence. Its Columns are asked for first, so that others are not read.
type Writer interface {
	Columns() []string // of the documents; nil for all
	Write(d *schemas.Document) error
	Close() error // ends the format; the output stays open
}

// loser is a Writer that may miss records; Close has logged which.
type loser interface{ Lost() bool }

// Lost reports whether a writer has missed records. Its Close has logged them.
func Lost(w Writer) bool {
	l, is := w.(loser)
	return is && l.Lost()
}

// Copy writes all captures and returns their number.
func Copy(docs iter.Seq2[*schemas.Document, error], w Writer) (n int64, err error) {
	for d, err := range docs {
		if err == nil {
			err = w.Write(d)
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// NewWriter returns the writer for e.Format, or one of JSON lines if unknown.
func (e Exporter) NewWriter(ctx context.Context, out io.Writer) (Writer, error) {
	switch e.Format {
	case FormatTable:
		return NewTable(out, orDefault(e.Columns, tableColumns)), nil
	case FormatCSV:
		return NewCSV(out, orDefault(e.Columns, csvColumns))
	case FormatCSVBOM:
		return NewCSVBOM(out, orDefault(e.Columns, csvColumns))
	case FormatURLs:
		return urlWriter{out}, nil
	case FormatParquet:
		w, err := e.newParquet(out)
		return &parquetWriter{w: w, fields: e.Columns}, err
	case FormatArrow:
		w, err := arrowstream.NewWriter(out, e.Columns)
		return arrowWriter{w, e.Columns}, err
	case FormatRecheck:
		return newRechecker(ctx, e, out)
	case FormatRecords:
		return newRecordWriter(ctx, e, out), nil
	case FormatWET:
		return &wetWriter{out: out}, nil
	case FormatWARC, FormatWACZ:
		return newCutter(ctx, e, out), nil
	}
	w, err := jsonl.NewWriter(out, jsonl.None)
	return &lineWriter{w: w, fields: e.Columns}, err
}

// newParquet returns a writer of the chosen columns, or of all. The order of the answers is kept.
func (e Exporter) newParquet(out io.Writer) (*parquetfile.OrderedWriter, error) {
	if e.Columns != nil {
		return parquetfile.NewColumnsWriter(out, e.Columns, parquetfile.Options{})
	}
	return parquetfile.NewOrderedWriter(out, parquetfile.OrderNone, parquetfile.Options{})
}

func orDefault(columns, standard []string) []string {
	if columns == nil {
		return standard
	}
	return columns
}

// The default columns of tables and CSV.
var (
	tableColumns = []string{"timestamp", "status", "mime_detected", "language", "title", "url"}
	csvColumns   = []string{
		"url", "timestamp", "status", "mime_detected", "language", "title", "host", "filename", "offset", "length",
	}
)

// lineWriter writes JSON lines: whole documents, or the chosen fields in order.
type lineWriter struct {
	w      *jsonl.Writer
	fields []string
}

func (w *lineWriter) Columns() []string { return w.fields }
func (w *lineWriter) Close() error      { return w.w.Close() }

func (w *lineWriter) Write(d *schemas.Document) error {
	if w.fields == nil {
		return w.w.Write(d)
	}
	values, err := valuesOf(d)
	if err != nil {
		return err
	}
	// A map would be sorted by name, but the fields have an order.
	line := []byte("{")
	for _, name := range w.fields {
		value, there := values[name]
		if !there {
			continue // unknown values are left out, as in documents
		}
		if len(line) > 1 {
			line = append(line, ',')
		}
		line = append(append(strconv.AppendQuote(line, name), ':'), value...)
	}
	return w.w.Write(json.RawMessage(append(line, '}')))
}

// valuesOf returns the JSON values of a document by name.
func valuesOf(d *schemas.Document) (values map[string]json.RawMessage, err error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // keep & readable in URLs
	if err := e.Encode(d); err != nil {
		return nil, err
	}
	return values, json.Unmarshal(b.Bytes(), &values)
}

// cellOf formats a value as text. Values other than strings stay JSON.
func cellOf(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	return string(value)
}

// Cells formats the values of a document's fields as text, with "" for missing ones.
func Cells(d *schemas.Document, fields []string) ([]string, error) { return cells(d, fields) }

// cells formats the values of fields as text, with "" for missing ones.
func cells(d *schemas.Document, fields []string) ([]string, error) {
	values, err := valuesOf(d)
	if err != nil {
		return nil, err
	}
	list := make([]string, len(fields))
	for i, name := range fields {
		if v, there := values[name]; there {
			list[i] = cellOf(v)
		}
	}
	return list, nil
}

// CSV writes comma-separated values (RFC 4180) with a line of names.
type CSV struct {
	w      *csv.Writer
	fields []string
}

// NewCSV returns a writer for documents, or for cells by Row, and writes the names.
func NewCSV(out io.Writer, fields []string) (*CSV, error) {
	w := csv.NewWriter(out)
	w.UseCRLF = true // section 2.1 of RFC 4180
	return &CSV{w, fields}, w.Write(fields)
}

// NewCSVBOM is NewCSV with a byte order mark at the beginning.
func NewCSVBOM(out io.Writer, fields []string) (*CSV, error) {
	if _, err := io.WriteString(out, "\ufeff"); err != nil {
		return nil, err
	}
	return NewCSV(out, fields)
}

// Columns returns the fields.
func (w *CSV) Columns() []string { return w.fields }

// Write writes the fields of a document.
func (w *CSV) Write(d *schemas.Document) error {
	list, err := cells(d, w.fields)
	if err != nil {
		return err
	}
	return w.Row(list)
}

// Row writes a line of cells. It changes list.
func (w *CSV) Row(list []string) error {
	for i, cell := range list {
		// All columns, since those with values from pages may change.
		list[i] = cli.Cell(cell)
	}
	return w.w.Write(list)
}

// Close flushes the buffer. It returns the first error of the writer.
func (w *CSV) Close() error {
	w.w.Flush()
	return w.w.Error()
}

// urlWriter writes a URL per line.
type urlWriter struct{ out io.Writer }

func (urlWriter) Columns() []string { return []string{"url"} }
func (urlWriter) Close() error      { return nil }

func (w urlWriter) Write(d *schemas.Document) error {
	_, err := fmt.Fprintln(w.out, urlkey.Line(d.URL))
	return err
}

type parquetWriter struct {
	w      *parquetfile.OrderedWriter
	fields []string
	record []byte
}

func (w *parquetWriter) Columns() []string { return w.fields }
func (w *parquetWriter) Close() error      { return w.w.Close() }

func (w *parquetWriter) Write(d *schemas.Document) (err error) {
	// Add does not keep the record, so its memory is reused.
	if w.record, err = parquetfile.AppendRecord(w.record[:0], d); err != nil {
		return err
	}
	return w.w.Add(w.record)
}

type arrowWriter struct {
	*arrowstream.Writer
	fields []string
}

func (w arrowWriter) Columns() []string { return w.fields }

// wetWriter writes texts as WARC conversion records, as in Common Crawl's WET files. Captures without text are left
// out.
type wetWriter struct {
	out io.Writer
	w   *warc.WETWriter // begins with the first text, which tells the file from others
}

func (*wetWriter) Columns() []string {
	return nil // record heads need most of a document
}

func (w *wetWriter) begin(parts ...any) {
	if w.w == nil {
		w.w = warc.NewWETFile(w.out, fmt.Sprintf("query %q", parts), dump.WriteOptions{})
	}
}

func (w *wetWriter) Close() error {
	w.begin()
	return w.w.Close()
}

func (w *wetWriter) Write(d *schemas.Document) error {
	// The writer would refuse it and so end the answer.
	if d.Text == "" || d.URL == "" {
		return nil
	}
	w.begin(d.URL, d.Timestamp, d.RecordID, d.Filename, d.Offset, d.Sequence)
	return w.w.Write(d)
}

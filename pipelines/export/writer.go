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
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// The forms that captures are written in.
const (
	FormatTable   = "table" // for a terminal
	FormatJSONL   = "jsonl"
	FormatCSV     = "csv"
	FormatParquet = "parquet"
	FormatWARC    = "warc"
	FormatWACZ    = "wacz"
	FormatWET     = "wet"
	FormatURLs    = "urls"
)

// Writer writes captures, one after the other. Columns is asked before the collection is: other columns are not read.
type Writer interface {
	Columns() []string // of documents that it needs; nil for all
	Write(d *schemas.Document) error
	Close() error // ends the form; the output stays open
}

// loser is a Writer that may miss some of what it was asked for, and has logged what.
type loser interface{ Lost() bool }

// Lost reports whether a writer could not have all that it was asked for. Its Close has logged what is missing.
func Lost(w Writer) bool {
	l, is := w.(loser)
	return is && l.Lost()
}

// Copy writes all captures, and returns how many there were.
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

// NewWriter returns the writer of e.Format; of an unknown one that of JSON lines.
func (e Exporter) NewWriter(ctx context.Context, out io.Writer) (Writer, error) {
	switch e.Format {
	case FormatTable:
		return NewTable(out, orDefault(e.Columns, tableColumns)), nil
	case FormatCSV:
		return NewCSV(out, orDefault(e.Columns, csvColumns))
	case FormatURLs:
		return urlWriter{out}, nil
	case FormatParquet:
		// OrderNone: rows stay in the order of the answers.
		w, err := parquetfile.NewOrderedWriter(out, parquetfile.OrderNone, parquetfile.Options{})
		return &parquetWriter{w: w, fields: e.Columns}, err
	case FormatWET:
		return wetWriter{warc.NewWETFile(out, "query", dump.WriteOptions{})}, nil
	case FormatWARC, FormatWACZ:
		return newCutter(ctx, e, out), nil
	}
	w, err := jsonl.NewWriter(out, jsonl.None)
	return &lineWriter{w: w, fields: e.Columns}, err
}

func orDefault(columns, standard []string) []string {
	if columns == nil {
		return standard
	}
	return columns
}

// The columns of tables and CSV when none are asked for.
var (
	tableColumns = []string{"timestamp", "status", "mime_detected", "language", "title", "url"}
	csvColumns   = []string{
		"url", "timestamp", "status", "mime_detected", "language", "title", "host", "filename", "offset", "length",
	}
)

// lineWriter writes JSON lines: whole documents as ingest writes them, or the fields that are asked for, in that order.
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
	// Written by hand: a map would come sorted by name, and the fields were asked for in an order.
	line := []byte("{")
	for _, name := range w.fields {
		value, there := values[name]
		if !there {
			continue // as in documents: what is not known is not there
		}
		if len(line) > 1 {
			line = append(line, ',')
		}
		line = append(append(strconv.AppendQuote(line, name), ':'), value...)
	}
	return w.w.Write(json.RawMessage(append(line, '}')))
}

// valuesOf are the JSON values of a document, by name.
func valuesOf(d *schemas.Document) (values map[string]json.RawMessage, err error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // & is & in a URL
	if err := e.Encode(d); err != nil {
		return nil, err
	}
	return values, json.Unmarshal(b.Bytes(), &values)
}

// cellOf is a value as text: texts as they are, what has parts as JSON.
// A number or a bool is its own JSON.
func cellOf(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	return string(value)
}

// cells are the values of fields as text, "" for what is not there.
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

// NewCSV returns a writer of documents, or by Row of any cells, and writes the line of names.
func NewCSV(out io.Writer, fields []string) (*CSV, error) {
	w := csv.NewWriter(out)
	w.UseCRLF = true // section 2.1 of RFC 4180
	return &CSV{w, fields}, w.Write(fields)
}

// Columns are the fields.
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
		// Also of columns that no page decides: which those are may change.
		list[i] = cli.Cell(cell)
	}
	return w.w.Write(list)
}

// Close writes what is buffered. A csv.Writer keeps its first error, which is returned here.
func (w *CSV) Close() error {
	w.w.Flush()
	return w.w.Error()
}

// urlWriter writes URLs, one a line.
type urlWriter struct{ out io.Writer }

func (urlWriter) Columns() []string { return []string{"url"} }
func (urlWriter) Close() error      { return nil }

func (w urlWriter) Write(d *schemas.Document) error {
	_, err := fmt.Fprintln(w.out, urlkey.Line(d.URL))
	return err
}

// parquetWriter writes Parquet in the order of the answers.
type parquetWriter struct {
	w      *parquetfile.OrderedWriter
	fields []string
	record []byte
}

func (w *parquetWriter) Columns() []string { return w.fields }
func (w *parquetWriter) Close() error      { return w.w.Close() }

func (w *parquetWriter) Write(d *schemas.Document) (err error) {
	// The record's memory is used again: Add does not keep it.
	if w.record, err = parquetfile.AppendRecord(w.record[:0], d); err != nil {
		return err
	}
	return w.w.Add(w.record)
}

// wetWriter writes the texts as WARC conversion records, as Common Crawl's WET files have them. Captures without a text
// are left out.
type wetWriter struct{ w *warc.WETWriter }

func (wetWriter) Columns() []string {
	return nil // its heads have most of a document
}

func (w wetWriter) Close() error { return w.w.Close() }

func (w wetWriter) Write(d *schemas.Document) error {
	// The writer would refuse it, which would end the answer.
	if d.Text == "" || d.URL == "" {
		return nil
	}
	return w.w.Write(d)
}

package query

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/gleaner-web/gleaner/io/archive/shape"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// The forms of an answer.
const (
	formatTable   = "table"
	formatJSONL   = "jsonl"
	formatCSV     = "csv"
	formatParquet = "parquet"
	formatWARC    = "warc"
	formatWACZ    = "wacz"
	formatWET     = "wet"
	formatURLs    = "urls"
	formatCount   = "count"
	formatFacets  = "facets"
)

var formats = []string{
	formatTable, formatJSONL, formatCSV, formatParquet, formatWARC, formatWACZ, formatWET, formatURLs, formatCount,
	formatFacets,
}

// binary are the forms that are not for a terminal.
var binary = []string{formatParquet, formatWARC, formatWACZ, formatWET}

// noFields are the forms that are what they are, so that no fields can be chosen.
var noFields = []string{formatWARC, formatWACZ, formatWET, formatURLs, formatCount, formatFacets}

// writer writes answers, one after the other.
// The columns are asked for before the question is: what no writer needs is not read.
type writer interface {
	columns() []string // of documents that it needs; nil for all
	write(d *schemas.Document) error
	close() error
}

// loser is a writer that may not get at all that was asked for, and has said what.
type loser interface{ lost() bool }

func newWriter(ctx context.Context, c config, db *contentdb.DB, store *blob.Store, out io.Writer) (writer, error) {
	switch c.format {
	case formatTable:
		return &tableWriter{out: out, fields: orDefault(c.columns, tableColumns)}, nil
	case formatCSV:
		return newCSV(out, orDefault(c.columns, csvColumns))
	case formatURLs:
		return urlWriter{out}, nil
	case formatParquet:
		// OrderNone: rows stay in the order of the answers.
		w, err := parquetfile.NewOrderedWriter(out, parquetfile.OrderNone, parquetfile.Options{})
		return &parquetWriter{w: w, fields: c.columns}, err
	case formatWET:
		return wetWriter{warc.NewWETFile(out, "query", shape.WriteOptions{})}, nil
	case formatWARC, formatWACZ:
		return newCutter(ctx, c, db, store, out), nil
	}
	w, err := jsonl.NewWriter(out, jsonl.None)
	return &lineWriter{w: w, fields: c.columns}, err
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

func (w *lineWriter) columns() []string { return w.fields }
func (w *lineWriter) close() error      { return w.w.Close() }

func (w *lineWriter) write(d *schemas.Document) error {
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

// csvWriter writes comma-separated values (RFC 4180) with a line of names.
type csvWriter struct {
	w      *csv.Writer
	fields []string
}

func newCSV(out io.Writer, fields []string) (*csvWriter, error) {
	w := csv.NewWriter(out)
	w.UseCRLF = true // section 2.1 of RFC 4180
	return &csvWriter{w, fields}, w.Write(fields)
}

func (w *csvWriter) columns() []string { return w.fields }

func (w *csvWriter) write(d *schemas.Document) error {
	list, err := cells(d, w.fields)
	if err != nil {
		return err
	}
	return w.row(list)
}

func (w *csvWriter) row(list []string) error {
	for i, cell := range list {
		// Also of columns that no page decides: which those are may change.
		list[i] = cli.Cell(cell)
	}
	return w.w.Write(list)
}

// A csv.Writer keeps its first error; it is told here.
func (w *csvWriter) close() error {
	w.w.Flush()
	return w.w.Error()
}

// urlWriter writes URLs, one a line.
type urlWriter struct{ out io.Writer }

func (urlWriter) columns() []string { return []string{"url"} }
func (urlWriter) close() error      { return nil }

func (w urlWriter) write(d *schemas.Document) error {
	_, err := fmt.Fprintln(w.out, urlkey.Line(d.URL))
	return err
}

// parquetWriter writes Parquet in the order of the answers.
type parquetWriter struct {
	w      *parquetfile.OrderedWriter
	fields []string
	record []byte
}

func (w *parquetWriter) columns() []string { return w.fields }
func (w *parquetWriter) close() error      { return w.w.Close() }

func (w *parquetWriter) write(d *schemas.Document) (err error) {
	// The record's memory is used again: Add does not keep it.
	if w.record, err = parquetfile.AppendRecord(w.record[:0], d); err != nil {
		return err
	}
	return w.w.Add(w.record)
}

// wetWriter writes the texts as WARC conversion records, as Common Crawl's WET files have them. Captures without a text
// are left out.
type wetWriter struct{ w *warc.WETWriter }

func (wetWriter) columns() []string {
	return nil // its heads have most of a document
}

func (w wetWriter) close() error { return w.w.Close() }

func (w wetWriter) write(d *schemas.Document) error {
	// The writer would refuse it, which would end the answer.
	if d.Text == "" || d.URL == "" {
		return nil
	}
	return w.w.Write(d)
}

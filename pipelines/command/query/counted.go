package query

import (
	"bufio"
	"io"
	"reflect"
	"slices"
	"strconv"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// counted is a table of values with their counts.
type counted struct {
	names  []string
	kinds  []query.Kind
	rows   [][]string
	counts int // the number of columns of counts, which are the last ones
}

// write writes the table in the chosen format.
func (t counted) write(out io.Writer, c config) error {
	switch c.format {
	case formatCSV, formatCSVBOM:
		w, err := newCSV(c.format, out, t.names)
		for i := 0; err == nil && i < len(t.rows); i++ {
			err = w.Row(t.rows[i])
		}
		if err != nil {
			return err
		}
		return w.Close()
	case formatJSONL:
		w := &rowLines{bufio.NewWriter(out), t.names}
		for _, row := range t.rows {
			if err := w.write(t.typed(row)); err != nil {
				return err
			}
		}
		return w.close()
	case formatParquet:
		return t.writeParquet(out)
	}
	return t.print(out, c)
}

// newCSV returns a writer of cells, with a byte order mark if the format has one.
func newCSV(format string, out io.Writer, names []string) (*export.CSV, error) {
	if format == formatCSVBOM {
		return export.NewCSVBOM(out, names)
	}
	return export.NewCSV(out, names)
}

// print writes the table for people.
func (t counted) print(out io.Writer, c config) error {
	g := export.NewGrid(t.names)
	first := len(t.names) - t.counts
	for _, row := range t.rows {
		row = slices.Clone(row)
		for i := first; i < len(row); i++ {
			if n, err := strconv.ParseInt(row[i], 10, 64); err == nil {
				row[i] = cli.FormatCount(n)
			}
		}
		g.Add(row)
	}
	// Numbers are right-aligned.
	g.Right = first
	width := 0
	if c.output == "" {
		width = export.TerminalWidth()
	}
	return g.Print(out, width)
}

func (t counted) writeParquet(out io.Writer) error {
	columns := make([]parquetfile.Column, len(t.names))
	for i, name := range t.names {
		columns[i] = parquetfile.Column{Name: name, Kind: goKind(t.kinds[i])}
	}
	w, err := parquetfile.NewTableWriter(out, columns)
	for i := 0; err == nil && i < len(t.rows); i++ {
		err = w.Write(t.typed(t.rows[i])...)
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// typed returns a row with nil for missing values.
func (t counted) typed(texts []string) []any {
	row := make([]any, len(texts))
	for i, text := range texts {
		row[i] = typed(text, t.kinds[i])
	}
	return row
}

// goKind returns the kind of the values that typed makes.
func goKind(k query.Kind) reflect.Kind {
	switch k {
	case query.Integer:
		return reflect.Int64
	case query.Real:
		return reflect.Float64
	case query.Boolean:
		return reflect.Bool
	}
	return reflect.String
}

// typed returns a value, or nil if it is missing.
func typed(text string, k query.Kind) any {
	var v any
	var err error
	switch k {
	case query.Integer:
		v, err = strconv.ParseInt(text, 10, 64)
	case query.Real:
		v, err = strconv.ParseFloat(text, 64)
	case query.Boolean:
		v, err = strconv.ParseBool(text)
	default:
		v = text
	}
	if text == "" || err != nil {
		return nil
	}
	return v
}

package query

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/export"
)

// rowWriter writes the rows of a statement.
type rowWriter interface {
	write(values []any) error
	close() error // completes the answer
	discard()     // frees what an incomplete answer holds; after close it does nothing
}

func newRowWriter(format string, names []string, out io.Writer) (rowWriter, error) {
	switch format {
	case formatTable:
		return rowTable{export.NewTable(out, names)}, nil
	case formatCSV, formatCSVBOM:
		w, err := newCSV(format, out, names)
		return rowCSV{w}, err
	case formatArrays:
		w := rowArrays{bufio.NewWriter(out)}
		values := make([]any, len(names))
		for i, name := range names {
			values[i] = name
		}
		return w, w.write(values)
	}
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			return nil, cli.Usagef("--sql: two columns are called %q: give one another name by AS, or take --format=csv", name)
		}
		seen[name] = true
	}
	if format == formatParquet {
		return newRowParquet(out, names)
	}
	return &rowLines{bufio.NewWriter(out), names}, nil
}

type rowTable struct{ w *export.Table }

func (w rowTable) write(values []any) error { return w.w.Add(texts(values)) }
func (w rowTable) close() error             { return w.w.Close() }
func (rowTable) discard()                   {}

// rowCSV writes comma-separated values; NULL is empty.
type rowCSV struct{ w *export.CSV }

func (w rowCSV) write(values []any) error { return w.w.Row(texts(values)) }
func (w rowCSV) close() error             { return w.w.Close() }
func (rowCSV) discard()                   {}

type rowLines struct {
	w     *bufio.Writer
	names []string
}

func (w *rowLines) close() error { return w.w.Flush() }
func (*rowLines) discard()       {}

func (w *rowLines) write(values []any) error {
	line := []byte("{")
	for i, v := range values {
		if i > 0 {
			line = append(line, ',')
		}
		name, err := jsonOf(w.names[i])
		if err != nil {
			return err
		}
		value, err := jsonOf(v)
		if err != nil {
			return err
		}
		line = append(append(append(line, name...), ':'), value...)
	}
	_, err := w.w.Write(append(line, '}', '\n'))
	return err
}

// rowArrays writes a JSON array a row, which keeps columns of one name apart.
type rowArrays struct{ w *bufio.Writer }

func (w rowArrays) close() error { return w.w.Flush() }
func (rowArrays) discard()       {}

func (w rowArrays) write(values []any) error {
	line, err := appendArray(nil, values)
	if err == nil {
		_, err = w.w.Write(append(line, '\n'))
	}
	return err
}

// appendArray appends the values as a JSON array.
func appendArray(line []byte, values []any) ([]byte, error) {
	line = append(line, '[')
	for i, v := range values {
		if i > 0 {
			line = append(line, ',')
		}
		value, err := jsonOf(v)
		if err != nil {
			return nil, err
		}
		line = append(line, value...)
	}
	return append(line, ']'), nil
}

// jsonOf encodes a value as SQLite's own JSON functions do, with 9e999 for infinity. They refuse bytes, which become
// hexadecimal digits.
func jsonOf(v any) ([]byte, error) {
	switch v := v.(type) {
	case float64:
		if math.IsInf(v, 0) {
			return []byte(map[bool]string{true: "9e999", false: "-9e999"}[v > 0]), nil
		}
	case []byte:
		return json.Marshal(hex.EncodeToString(v))
	}
	// strconv would quote as Go does.
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // keep & readable in URLs
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// texts formats values as cells.
func texts(values []any) []string {
	list := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case nil:
		case float64:
			list[i] = strconv.FormatFloat(v, 'g', -1, 64)
		case []byte:
			list[i] = hex.EncodeToString(v)
		default:
			list[i] = fmt.Sprint(v)
		}
	}
	return list
}

package query

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
)

// rowParquet writes Parquet. In SQLite each value has its own type, so the types of the columns are known only after
// the last row. Until then the rows are in a temporary file.
type rowParquet struct {
	out   io.Writer
	names []string
	kinds []reflect.Kind // of the values so far; Invalid if all are NULL
	file  *os.File       // JSON arrays
	w     *bufio.Writer
	line  []byte
}

func newRowParquet(out io.Writer, names []string) (*rowParquet, error) {
	f, err := os.CreateTemp("", "gleaner-rows")
	if err != nil {
		return nil, err
	}
	return &rowParquet{
		out: out, names: names, kinds: make([]reflect.Kind, len(names)), file: f, w: bufio.NewWriter(f),
	}, nil
}

func (w *rowParquet) discard() {
	if w.file == nil {
		return
	}
	_ = w.file.Close() // nobody reads it
	_ = os.Remove(w.file.Name())
	w.file = nil
}

func (w *rowParquet) write(values []any) (err error) {
	for i, v := range values {
		w.kinds[i] = wider(w.kinds[i], v)
	}
	if w.line, err = appendArray(w.line[:0], values); err != nil {
		return err
	}
	_, err = w.w.Write(w.line)
	return err
}

// wider returns the kind that holds a value, and the values of kind k.
func wider(k reflect.Kind, value any) reflect.Kind {
	of := reflect.String
	switch value.(type) {
	case nil:
		return k
	case int64:
		of = reflect.Int64
	case float64:
		of = reflect.Float64
	}
	switch {
	case k == reflect.Invalid || k == of:
		return of
	case k != reflect.String && of != reflect.String:
		return reflect.Float64
	}
	return reflect.String
}

func (w *rowParquet) close() error {
	defer w.discard()
	if err := w.w.Flush(); err != nil {
		return err
	}
	if _, err := w.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	columns := make([]parquetfile.Column, len(w.names))
	for i, name := range w.names {
		columns[i] = parquetfile.Column{Name: name, Kind: w.kinds[i]}
		if w.kinds[i] == reflect.Invalid {
			columns[i].Kind = reflect.String
		}
	}
	t, err := parquetfile.NewTableWriter(w.out, columns)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bufio.NewReader(w.file))
	d.UseNumber()
	for {
		row := make([]any, 0, len(columns))
		if err := d.Decode(&row); errors.Is(err, io.EOF) {
			return t.Close()
		} else if err != nil {
			return err
		}
		for i, v := range row {
			if row[i], err = asKind(v, columns[i].Kind); err != nil {
				return err
			}
		}
		if err := t.Write(row...); err != nil {
			return err
		}
	}
}

// asKind returns a value of JSON as one of the kind.
func asKind(v any, k reflect.Kind) (any, error) {
	number, is := v.(json.Number)
	switch {
	case !is:
		return v, nil // text or null
	case k == reflect.Int64:
		return number.Int64()
	case k == reflect.Float64:
		f, err := strconv.ParseFloat(string(number), 64)
		if errors.Is(err, strconv.ErrRange) { // infinity: see jsonOf
			err = nil
		}
		return f, err
	}
	return fmt.Sprint(number), nil
}

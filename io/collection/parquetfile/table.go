package parquetfile

import (
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// Column is a column of a table that does not hold documents.
type Column struct {
	Name string
	Kind reflect.Kind // of values: String, Int64, Float64 or Bool
}

// TableWriter writes rows of a table whose columns are only known at run time, for example counts. It is not safe for
// concurrent use.
type TableWriter struct {
	w       *parquet.GenericWriter[any]
	columns []Column
	row     parquet.Row
}

// NewTableWriter returns a writer to w. All columns are nullable.
func NewTableWriter(w io.Writer, columns []Column) (*TableWriter, error) {
	compression, err := newCodec()
	if err != nil {
		return nil, err
	}
	root := table{Group: parquet.Group{}}
	for _, c := range columns {
		leaf := map[reflect.Kind]parquet.Node{
			reflect.String: parquet.String(), reflect.Int64: parquet.Int(64), reflect.Bool: parquet.Leaf(parquet.BooleanType),
			reflect.Float64: parquet.Leaf(parquet.DoubleType),
		}[c.Kind]
		if leaf == nil || root.Group[c.Name] != nil {
			return nil, fmt.Errorf("parquetfile: a column %q of the kind %v cannot be written, or is there twice", c.Name,
				c.Kind)
		}
		leaf = parquet.Optional(leaf)
		root.Group[c.Name] = leaf
		root.fields = append(root.fields, tableField{leaf, c.Name})
	}
	return &TableWriter{columns: columns, w: parquet.NewGenericWriter[any](w, parquet.NewSchema("table", root),
		parquet.CreatedBy("gleaner", Form, "parquetfile"), parquet.Compression(compression))}, nil
}

// Write writes a row: for each column a value of its kind, or nil for null.
func (t *TableWriter) Write(values ...any) error {
	t.row = t.row[:0]
	for i, v := range values {
		value, defined := parquet.NullValue(), 0
		if v != nil {
			if k := reflect.TypeOf(v).Kind(); k != t.columns[i].Kind {
				return fmt.Errorf("parquetfile: a %v for the column %q", k, t.columns[i].Name)
			}
			value, defined = parquet.ValueOf(v), 1
		}
		t.row = append(t.row, value.Level(0, defined, i))
	}
	_, err := t.w.WriteRows([]parquet.Row{t.row})
	return err
}

// Close writes the footer. It does not close the underlying writer.
func (t *TableWriter) Close() error { return t.w.Close() }

// table is a group whose fields keep their order; parquet.Group sorts them.
type table struct {
	parquet.Group
	fields []parquet.Field
}

func (t table) Fields() []parquet.Field { return t.fields }

// tableField is a column of a table.
type tableField struct {
	parquet.Node
	name string
}

func (f tableField) Name() string { return f.name }

// Value is only called for rows that are structs; these are not.
func (f tableField) Value(v reflect.Value) reflect.Value { return v.MapIndex(reflect.ValueOf(f.name)) }

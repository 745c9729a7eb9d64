package lake

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/apache/iceberg-go"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
)

// ErrSchema is a shard whose columns cannot be those of the table.
var ErrSchema = errors.New("lake: the columns do not fit the table's")

// reservedIDs are the field ids that are ours to give away: a column that somebody adds to the table gets a greater
// one.
const reservedIDs = 10_000

// today is the schema of the shards that this version writes.
func today() (*iceberg.Schema, error) {
	var empty bytes.Buffer
	// By way of an empty file, so that there is one place that knows the columns and their ids: the writer
	// of shards.
	w := parquetfile.NewWriter(&empty, parquetfile.Options{TempDir: os.TempDir()})
	if err := w.Close(); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(bytes.NewReader(empty.Bytes()), int64(empty.Len()))
	if err != nil {
		return nil, err
	}
	return schemaOf(f)
}

// schemaOf is the schema of a file by its columns' own ids.
func schemaOf(f *parquet.File) (*iceberg.Schema, error) {
	fields, err := fieldsOf(f.Root())
	if err != nil {
		return nil, err
	}
	return iceberg.NewSchema(0, fields...), nil
}

// fieldsOf are the fields of a struct.
func fieldsOf(c *parquet.Column) ([]iceberg.NestedField, error) {
	var fields []iceberg.NestedField
	for _, inner := range c.Columns() {
		t, err := typeOf(inner)
		if err != nil {
			return nil, err
		}
		// Iceberg knows columns by their ids alone, never by name; shards without them are of a version
		// before the table.
		if inner.ID() == 0 {
			return nil, fmt.Errorf("%w: %v has no field id", ErrOlder, inner.Path())
		}
		fields = append(fields, iceberg.NestedField{
			ID: inner.ID(), Name: inner.Name(), Type: t, Required: inner.Required(),
		})
	}
	return fields, nil
}

// typeOf is the type of a column; Parquet's annotations of groups are those of its LogicalTypes.md.
func typeOf(c *parquet.Column) (iceberg.Type, error) {
	if c.Leaf() {
		return leafType(c)
	}
	switch logicalOf(c).(type) {
	case *format.ListType:
		return listType(c)
	case *format.MapType:
		return mapType(c)
	}
	fields, err := fieldsOf(c)
	return &iceberg.StructType{FieldList: fields}, err
}

// listType is the type of a group with a repeated group, which has the element.
func listType(c *parquet.Column) (iceberg.Type, error) {
	if len(c.Columns()) != 1 || len(c.Columns()[0].Columns()) != 1 {
		return nil, fmt.Errorf("%w: %v is a list of another form", ErrSchema, c.Path())
	}
	element := c.Columns()[0].Columns()[0]
	t, err := typeOf(element)
	return &iceberg.ListType{ElementID: element.ID(), Element: t, ElementRequired: element.Required()}, err
}

// mapType is the type of a group with a repeated group, which has key and value.
func mapType(c *parquet.Column) (iceberg.Type, error) {
	if len(c.Columns()) != 1 || len(c.Columns()[0].Columns()) != 2 {
		return nil, fmt.Errorf("%w: %v is a map of another form", ErrSchema, c.Path())
	}
	key, value := c.Columns()[0].Columns()[0], c.Columns()[0].Columns()[1]
	k, err := typeOf(key)
	if err != nil {
		return nil, err
	}
	v, err := typeOf(value)
	return &iceberg.MapType{
		KeyID: key.ID(), KeyType: k, ValueID: value.ID(), ValueType: v, ValueRequired: value.Required(),
	}, err
}

// logicalOf is the annotation of a column, nil for none.
func logicalOf(c *parquet.Column) format.LogicalTypeValue {
	if t := c.Type().LogicalType(); t != nil {
		return t.Value
	}
	return nil
}

// leafType is the type of a column of values.
func leafType(c *parquet.Column) (iceberg.Type, error) {
	kind := c.Type().Kind()
	switch logical := logicalOf(c).(type) {
	case *format.StringType:
		if kind == parquet.ByteArray {
			return iceberg.StringType{}, nil
		}
	// Iceberg has microseconds only; what is in milliseconds would be read as moments of January 1970.
	case *format.TimestampType:
		if _, micros := logical.Unit.Value.(*format.MicroSeconds); !micros {
			return nil, fmt.Errorf("%w: the timestamps of %v are not in microseconds", ErrOlder, c.Path())
		}
		return iceberg.TimestampTzType{}, nil
	case nil, *format.IntType:
		switch kind {
		case parquet.Boolean:
			return iceberg.BooleanType{}, nil
		case parquet.Double:
			return iceberg.Float64Type{}, nil
		case parquet.Int64:
			return iceberg.Int64Type{}, nil
		}
	}
	return nil, fmt.Errorf("%w: %v is %v", ErrSchema, c.Path(), c.Type())
}

// union is a schema with the columns of both, by their ids: those of now, in their order and by the names that they
// have by now, and after them those that it lacks. It reports whether there are such. An id of two columns is
// ErrSchema.
func union(now, more *iceberg.Schema) (*iceberg.Schema, bool, error) {
	fields, changed, err := unionFields(now.Fields(), more.Fields())
	if err != nil || !changed {
		return now, false, err
	}
	return iceberg.NewSchemaWithIdentifiers(now.ID+1, now.IdentifierFieldIDs, fields...), true, nil
}

func unionFields(now, more []iceberg.NestedField) (fields []iceberg.NestedField, changed bool, err error) {
	// The caller's schema is the table's own, which others read.
	fields = slices.Clone(now)
	for _, m := range more {
		// By id, since somebody may have renamed the column in the table.
		i := slices.IndexFunc(fields, func(f iceberg.NestedField) bool { return f.ID == m.ID })
		if i < 0 {
			m.Required = false // rows that are there do not have it
			if slices.ContainsFunc(fields, func(f iceberg.NestedField) bool { return f.Name == m.Name }) {
				return nil, false, fmt.Errorf("%w: there is another column %s", ErrSchema, m.Name)
			}
			fields, changed = append(fields, m), true
			continue
		}
		t, grown, err := unionType(fields[i].Type, m.Type)
		if err != nil {
			return nil, false, fmt.Errorf("%w: %s (id %d)", err, m.Name, m.ID)
		}
		fields[i].Type = t
		changed = changed || grown
	}
	return fields, changed, nil
}

// unionType is a type with the fields of both.
func unionType(now, more iceberg.Type) (iceberg.Type, bool, error) {
	switch n := now.(type) {
	case *iceberg.StructType:
		if m, ok := more.(*iceberg.StructType); ok {
			fields, changed, err := unionFields(n.FieldList, m.FieldList)
			return &iceberg.StructType{FieldList: fields}, changed, err
		}
	case *iceberg.ListType:
		if m, ok := more.(*iceberg.ListType); ok && n.ElementID == m.ElementID {
			t, changed, err := unionType(n.Element, m.Element)
			return &iceberg.ListType{ElementID: n.ElementID, Element: t, ElementRequired: n.ElementRequired}, changed, err
		}
	case *iceberg.MapType:
		if m, ok := more.(*iceberg.MapType); ok && n.KeyID == m.KeyID && n.ValueID == m.ValueID {
			t, changed, err := unionType(n.ValueType, m.ValueType)
			// A copy for the same reason.
			grown := *n
			grown.ValueType = t
			return &grown, changed, err
		}
	// Promotions, as from int to long, are not made: our columns have kept their types.
	default:
		if now.Equals(more) {
			return now, false, nil
		}
	}
	return nil, false, fmt.Errorf("%w: %v in the table and %v in the shard", ErrSchema, now, more)
}

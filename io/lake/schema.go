//go:build !noiceberg && !local

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

// ErrSchema means that the columns of a shard do not fit the table.
var ErrSchema = errors.New("lake: the columns do not fit the table's")

// reservedIDs is the number of field ids reserved for our columns. A column that somebody adds to the table gets a
// greater id.
const reservedIDs = 10_000

// today returns the schema of the shards that this version writes.
func today() (*iceberg.Schema, error) {
	var empty bytes.Buffer
	// The schema comes from an empty file, so that only the writer of shards knows the columns and their ids.
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

// schemaOf returns the schema of a file with the ids of its columns.
func schemaOf(f *parquet.File) (*iceberg.Schema, error) {
	fields, err := fieldsOf(f.Root())
	if err != nil {
		return nil, err
	}
	return iceberg.NewSchema(0, fields...), nil
}

// fieldsOf returns the fields of a struct.
func fieldsOf(c *parquet.Column) ([]iceberg.NestedField, error) {
	var fields []iceberg.NestedField
	for _, inner := range c.Columns() {
		t, err := typeOf(inner)
		if err != nil {
			return nil, err
		}
		// Iceberg identifies columns by id, never by name. Shards without ids come from a version before the table.
		if inner.ID() == 0 {
			return nil, fmt.Errorf("%w: %v has no field id", ErrOlder, inner.Path())
		}
		fields = append(fields, iceberg.NestedField{
			ID: inner.ID(), Name: inner.Name(), Type: t, Required: inner.Required(),
		})
	}
	return fields, nil
}

// typeOf returns the type of a column. Parquet's LogicalTypes.md defines the annotations of groups.
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

// listType returns the type of a group that holds a repeated group with the element.
func listType(c *parquet.Column) (iceberg.Type, error) {
	if len(c.Columns()) != 1 || len(c.Columns()[0].Columns()) != 1 {
		return nil, fmt.Errorf("%w: %v is a list of another form", ErrSchema, c.Path())
	}
	element := c.Columns()[0].Columns()[0]
	t, err := typeOf(element)
	return &iceberg.ListType{ElementID: element.ID(), Element: t, ElementRequired: element.Required()}, err
}

// mapType returns the type of a group that holds a repeated group with key and value.
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

// logicalOf returns the annotation of a column, or nil.
func logicalOf(c *parquet.Column) format.LogicalTypeValue {
	if t := c.Type().LogicalType(); t != nil {
		return t.Value
	}
	return nil
}

// leafType returns the type of a column of values.
func leafType(c *parquet.Column) (iceberg.Type, error) {
	kind := c.Type().Kind()
	switch logical := logicalOf(c).(type) {
	case *format.StringType:
		if kind == parquet.ByteArray {
			return iceberg.StringType{}, nil
		}
	// Iceberg only has microseconds. Milliseconds would read as moments in January 1970.
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

// union returns a schema with the columns of both, matched by id. The columns of now come first, in their order and
// with their current names; the columns that it lacks follow. It reports whether there are any. Two columns with one id
// give ErrSchema.
func union(now, more *iceberg.Schema) (*iceberg.Schema, bool, error) {
	fields, changed, err := unionFields(now.Fields(), more.Fields())
	if err != nil || !changed {
		return now, false, err
	}
	return iceberg.NewSchemaWithIdentifiers(now.ID+1, now.IdentifierFieldIDs, fields...), true, nil
}

func unionFields(now, more []iceberg.NestedField) (fields []iceberg.NestedField, changed bool, err error) {
	// The caller's schema belongs to the table, and others read it.
	fields = slices.Clone(now)
	for _, m := range more {
		// Columns are matched by id, since somebody may have renamed the column in the table.
		i := slices.IndexFunc(fields, func(f iceberg.NestedField) bool { return f.ID == m.ID })
		if i < 0 {
			m.Required = false // existing rows lack it
			if m, err = aside(fields, m); err != nil {
				return nil, false, err
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

// aside returns m with a name that no field has. Later forms of Parquet have a list of pairs of the
// same name instead of a map. The map is then called name_map, so that rows of both forms keep their values: a type of
// Iceberg cannot change into the other.
func aside(fields []iceberg.NestedField, m iceberg.NestedField) (iceberg.NestedField, error) {
	i := slices.IndexFunc(fields, func(f iceberg.NestedField) bool { return f.Name == m.Name })
	if i < 0 {
		return m, nil
	}
	older, newer := &fields[i], &m
	if _, is := m.Type.(*iceberg.MapType); is {
		older, newer = newer, older
	}
	_, isMap := older.Type.(*iceberg.MapType)
	_, isList := newer.Type.(*iceberg.ListType)
	name := m.Name + "_map"
	taken := slices.ContainsFunc(fields, func(f iceberg.NestedField) bool { return f.Name == name })
	if taken || !isMap || !isList {
		return m, fmt.Errorf("%w: there is another column %s", ErrSchema, m.Name)
	}
	older.Name = name
	return m, nil
}

// unionType returns a type with the fields of both.
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
			// Copied because others read the table's schema.
			grown := *n
			grown.ValueType = t
			return &grown, changed, err
		}
	// Types are not promoted, for example from int to long: our columns have kept their types.
	default:
		if now.Equals(more) {
			return now, false, nil
		}
	}
	return nil, false, fmt.Errorf("%w: %v in the table and %v in the shard", ErrSchema, now, more)
}

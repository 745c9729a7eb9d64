package arrowstream

import (
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/schemas"
)

// column is a column of the stream, or of a struct in it. put appends the value of a field.
type column struct {
	arrow.Field
	put func(to array.Builder, v reflect.Value)
}

// element is the type of values without their nulls.
type element struct {
	arrow.DataType
	put func(to array.Builder, v reflect.Value)
}

var moment = &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}

// columnsOf returns the columns of a field: one, or two for a date that a page states.
func columnsOf(of schemas.Column) []column {
	if of.Time == schemas.Stated {
		return []column{
			{arrow.Field{Name: of.Name, Type: moment, Nullable: true}, putDate},
			{arrow.Field{Name: of.Name + "_text", Type: arrow.BinaryTypes.String, Nullable: true}, putDateText},
		}
	}
	e := elementOf(of.Type, of)
	c := column{arrow.Field{Name: of.Name, Type: e.DataType, Nullable: of.Optional}, e.put}
	if of.Optional {
		c.put = func(to array.Builder, v reflect.Value) {
			k := v.Kind()
			switch {
			case v.IsZero() || (k == reflect.Slice || k == reflect.Map) && v.Len() == 0:
				to.AppendNull()
			case k == reflect.Pointer:
				e.put(to, v.Elem())
			default:
				e.put(to, v)
			}
		}
	}
	return []column{c}
}

// elementOf returns the form of values of type t, which is the field's type or a type inside it.
func elementOf(t reflect.Type, of schemas.Column) element {
	switch t.Kind() {
	case reflect.Pointer:
		return elementOf(t.Elem(), of)
	case reflect.Struct:
		return structOf(of.Columns)
	case reflect.Slice:
		e := elementOf(t.Elem(), of)
		return element{arrow.ListOfNonNullable(e.DataType), func(to array.Builder, v reflect.Value) {
			b := to.(*array.ListBuilder)
			b.Append(true)
			for i := range v.Len() {
				e.put(b.ValueBuilder(), v.Index(i))
			}
		}}
	case reflect.Map:
		return mapOf(elementOf(t.Elem(), of))
	}
	return scalarOf(t, of)
}

func structOf(columns []schemas.Column) element {
	var list []column
	var places []int
	var fields []arrow.Field
	for _, of := range columns {
		for _, c := range columnsOf(of) {
			list, places, fields = append(list, c), append(places, of.Place), append(fields, c.Field)
		}
	}
	return element{arrow.StructOf(fields...), func(to array.Builder, v reflect.Value) {
		b := to.(*array.StructBuilder)
		b.Append(true)
		for i, c := range list {
			c.put(b.FieldBuilder(i), v.Field(places[i]))
		}
	}}
}

// mapOf returns a list of structs with key and value, sorted by key, as in Parquet.
func mapOf(e element) element {
	key := arrow.Field{Name: "key", Type: arrow.BinaryTypes.String}
	pair := arrow.StructOf(key, arrow.Field{Name: "value", Type: e.DataType})
	return element{arrow.ListOfNonNullable(pair), func(to array.Builder, v reflect.Value) {
		list := to.(*array.ListBuilder)
		list.Append(true)
		b := list.ValueBuilder().(*array.StructBuilder)
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			b.Append(true)
			b.FieldBuilder(0).(*array.StringBuilder).Append(text(key.String()))
			e.put(b.FieldBuilder(1), v.MapIndex(key))
		}
	}}
}

func scalarOf(t reflect.Type, of schemas.Column) element {
	switch {
	case of.Time == schemas.Moment:
		return element{moment, putMoment}
	case t.Kind() == reflect.Bool:
		return element{arrow.FixedWidthTypes.Boolean, func(to array.Builder, v reflect.Value) {
			to.(*array.BooleanBuilder).Append(v.Bool())
		}}
	case t.Kind() == reflect.Float64:
		return element{arrow.PrimitiveTypes.Float64, func(to array.Builder, v reflect.Value) {
			to.(*array.Float64Builder).Append(v.Float())
		}}
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64:
		return element{arrow.PrimitiveTypes.Int64, func(to array.Builder, v reflect.Value) {
			to.(*array.Int64Builder).Append(v.Int())
		}}
	}
	return element{arrow.BinaryTypes.String, func(to array.Builder, v reflect.Value) {
		to.(*array.StringBuilder).Append(text(v.String()))
	}}
}

// text replaces bytes that are not UTF-8, as JSON and Parquet do.
func text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// putMoment appends a time. One that cannot be read is null.
func putMoment(to array.Builder, v reflect.Value) {
	if t, err := time.Parse(time.RFC3339, v.String()); err == nil && !t.IsZero() {
		to.(*array.TimestampBuilder).Append(arrow.Timestamp(t.UnixMicro()))
		return
	}
	to.AppendNull()
}

func putDate(to array.Builder, v reflect.Value) {
	if t, _ := parquetfile.SplitDate(v.String()); !t.IsZero() {
		to.(*array.TimestampBuilder).Append(arrow.Timestamp(t.UnixMicro()))
		return
	}
	to.AppendNull()
}

func putDateText(to array.Builder, v reflect.Value) {
	if _, s := parquetfile.SplitDate(v.String()); s != "" {
		to.(*array.StringBuilder).Append(text(s))
		return
	}
	to.AppendNull()
}

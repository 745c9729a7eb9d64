package parquetfile

import (
	"reflect"
	"slices"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
)

// form is how a struct is a row.
type form struct {
	schema *parquet.Schema
	cells  group
	width  int        // how many columns there are
	long   [][]string // paths of columns without bounds
	runs   []int      // columns whose runs of values end a batch: see batch
}

// documents is the form of documents. Version 4 and those before it wrote dates that pages state as texts, under the
// names that the moments have now: files of these have the form textDates.
var (
	documents = newForm(schemas.Columns())
	textDates = newForm(withoutDates(schemas.Columns()))
)

func withoutDates(columns []schemas.Column) []schemas.Column {
	columns = slices.Clone(columns)
	for i := range columns {
		if columns[i].Time == schemas.Stated {
			columns[i].Time = schemas.NoTime
		}
	}
	return columns
}

// newForm makes the form of the struct that columns are of.
func newForm(columns []schemas.Column) *form {
	b := builder{form: &form{}}
	var root parquet.Node
	root, b.cells = b.group(columns, nil)
	b.schema = parquet.NewSchema("row", root)
	return b.form
}

// set sets the fields of a struct, which is zero, to the values of a row.
func (f *form) set(v reflect.Value, row parquet.Row) {
	values := make([][]parquet.Value, f.width)
	for c, column := range row.Range {
		values[c] = column
	}
	f.cells.read(values, v, levels{})
}

// builder makes a form. Ids and columns are given in the order of the fields.
type builder struct {
	*form
	id int // that the next column has
}

func (b *builder) next() int {
	b.id++
	return b.id - 1
}

// leaf is the next column.
func (b *builder) leaf() span {
	b.width++
	return span{b.width - 1, b.width}
}

// group are columns of a struct. A column with an id of its own takes none of those that follow.
func (b *builder) group(columns []schemas.Column, path []string) (node table, c group) {
	for _, of := range columns {
		following := b.id
		if of.ID != 0 {
			b.id = of.ID
		}
		path := append(slices.Clone(path), of.Name)
		if of.Long {
			b.long = append(b.long, path)
		}
		fields, inner := b.field(of, path)
		node.fields = append(node.fields, fields...)
		c.fields, c.places = append(c.fields, inner), append(c.places, of.Place)
		if of.ID != 0 && len(path) > 1 {
			b.id = following
		}
	}
	return node, c
}

// field is a column of a struct; a date that a page states is two.
func (b *builder) field(of schemas.Column, path []string) ([]parquet.Field, cells) {
	from, id := b.width, b.next()
	if of.Time == schemas.Stated {
		c := date{b.leaf(), b.leaf()}
		b.runs = append(b.runs, c.text.from)
		return []parquet.Field{
			tableField{parquet.FieldID(parquet.Optional(parquet.Timestamp(parquet.Microsecond)), id), of.Name},
			tableField{parquet.FieldID(parquet.Optional(parquet.String()), b.next()), of.Name + "_text"},
		}, c
	}
	node, c := b.value(of.Type, of, path)
	if of.Repeats {
		node = parquet.Encoded(node, &parquet.RLEDictionary)
	}
	if of.Optional {
		node, c = parquet.Optional(node), optional{span{from, b.width}, c}
		// Lists, pointers and times are written one by one.
		k := of.Type.Kind()
		one := k == reflect.Slice || k == reflect.Pointer || k == reflect.String && of.Time == schemas.Moment
		if len(path) == 1 && !one {
			b.runs = append(b.runs, from)
		}
	}
	return []parquet.Field{tableField{parquet.FieldID(node, id), of.Name}}, c
}

// value is a value of type t, which is that of the field or of something in it.
func (b *builder) value(t reflect.Type, of schemas.Column, path []string) (parquet.Node, cells) {
	from := b.width
	switch t.Kind() {
	case reflect.Pointer:
		return b.value(t.Elem(), of, path)
	case reflect.Struct:
		return b.group(of.Columns, path)
	case reflect.Slice:
		id := b.next()
		node, c := b.value(t.Elem(), of, path)
		return parquet.List(parquet.FieldID(node, id)), list{span{from, b.width}, c}
	case reflect.Map:
		key, id := parquet.FieldID(parquet.String(), b.next()), b.next()
		first := leaf{b.leaf().from, asText, setText}
		node, c := b.value(t.Elem(), of, path)
		return parquet.Map(key, parquet.FieldID(node, id)), pairs{span{from, b.width}, first, c}
	}
	return b.scalar(t, of)
}

// scalar is one column.
func (b *builder) scalar(t reflect.Type, of schemas.Column) (parquet.Node, cells) {
	c := leaf{b.leaf().from, asText, setText}
	switch {
	case of.Time == schemas.Moment:
		c.value, c.set = asMoment, setMoment
		node := parquet.Timestamp(parquet.Microsecond)
		if t == of.Type {
			return node, c
		}
		// Lists of moments are lists of structs: the struct tags that once made them could not say microseconds otherwise.
		inner := tableField{parquet.FieldID(node, b.next()), "time"}
		return table{fields: []parquet.Field{inner}}, c
	case t.Kind() == reflect.Bool:
		c.value = func(v reflect.Value) parquet.Value { return parquet.BooleanValue(v.Bool()) }
		c.set = func(v reflect.Value, p parquet.Value) { v.SetBool(p.Boolean()) }
		return parquet.Leaf(parquet.BooleanType), c
	case t.Kind() == reflect.Float64:
		c.value = func(v reflect.Value) parquet.Value { return parquet.DoubleValue(v.Float()) }
		c.set = func(v reflect.Value, p parquet.Value) { v.SetFloat(p.Double()) }
		return parquet.Leaf(parquet.DoubleType), c
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64:
		c.value = func(v reflect.Value) parquet.Value { return parquet.Int64Value(v.Int()) }
		c.set = func(v reflect.Value, p parquet.Value) { v.SetInt(p.Int64()) }
		return parquet.Int(64), c
	}
	return parquet.String(), c
}

func asText(v reflect.Value) parquet.Value     { return parquet.ValueOf(v.String()) }
func setText(v reflect.Value, p parquet.Value) { v.SetString(string(p.ByteArray())) }

// asMoment takes a time that was checked before.
func asMoment(v reflect.Value) parquet.Value {
	t, _ := parseTime(v.String())
	return parquet.Int64Value(t.UnixMicro())
}

func setMoment(v reflect.Value, p parquet.Value) {
	v.SetString(time.UnixMicro(p.Int64()).UTC().Format(time.RFC3339Nano))
}

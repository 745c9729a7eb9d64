package parquetfile

import (
	"cmp"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
)

// form is the form of a struct as a row.
type form struct {
	schema *parquet.Schema
	cells  group
	width  int        // how many columns there are
	long   [][]string // paths of columns without bounds
	runs   []int      // columns whose runs of values end batches: see batch
}

// documents returns the form of documents, made once. Files before form 8 have the form keyed, with maps of Parquet.
// Files of version 4 and before have the form textDates: they also hold dates of pages as texts, under the names of the
// moments.
var (
	documents = sync.OnceValue(func() *form { return newForm(schemas.Columns(), false) })
	keyed     = sync.OnceValue(func() *form { return newForm(schemas.Columns(), true) })
	textDates = sync.OnceValue(func() *form { return newForm(withoutDates(schemas.Columns()), true) })
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

// newForm makes the form of a struct with these columns; see builder for keyed.
func newForm(columns []schemas.Column, keyed bool) *form {
	b := builder{form: &form{}, keyed: keyed}
	var root parquet.Node
	root, b.cells = b.group(columns, nil)
	b.schema = parquet.NewSchema("row", root)
	return b.form
}

// set sets the fields of v, a zero struct, to the values of a row.
func (f *form) set(v reflect.Value, row parquet.Row) {
	values := make([][]parquet.Value, f.width)
	for c, column := range row.Range {
		values[c] = column
	}
	f.cells.read(values, v, levels{})
}

// builder makes a form. It numbers ids and columns in the order of the fields.
type builder struct {
	*form
	id    int  // of the next column
	keyed bool // maps are maps, as before form 8, instead of lists of key and value
}

func (b *builder) next() int {
	b.id++
	return b.id - 1
}

// leaf adds a column.
func (b *builder) leaf() span {
	b.width++
	return span{b.width - 1, b.width}
}

// group adds the columns of a struct.
func (b *builder) group(columns []schemas.Column, path []string) (node table, c group) {
	for _, of := range columns {
		id := b.id
		b.id = cmp.Or(of.ID, id)
		path := append(slices.Clone(path), of.Name)
		if of.Long {
			b.long = append(b.long, path)
		}
		fields, inner := b.field(of, path)
		node.fields = append(node.fields, fields...)
		c.fields, c.places = append(c.fields, inner), append(c.places, of.Place)
		if of.ID != 0 {
			b.id = id // an id of its own takes none from the others
		}
	}
	return node, c
}

// field adds a column of a struct, or the two columns of a date that a page states.
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
		// parquet-go writes lists, pointers and times one by one.
		k := of.Type.Kind()
		one := k == reflect.Slice || k == reflect.Pointer || k == reflect.String && of.Time == schemas.Moment
		if len(path) == 1 && !one {
			b.runs = append(b.runs, from)
		}
	}
	return []parquet.Field{tableField{parquet.FieldID(node, id), of.Name}}, c
}

// value adds the columns of a value of type t, which is the field's type or a type inside it.
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
		return b.pairs(t, of, path)
	}
	return b.scalar(t, of)
}

// pairs adds the columns of a map: a list of structs with key and value, which more programs read than maps. Levels
// are the same in both forms, since elements are required.
func (b *builder) pairs(t reflect.Type, of schemas.Column, path []string) (parquet.Node, cells) {
	from, element := b.width, 0
	if !b.keyed {
		element = b.next()
	}
	key, id := parquet.FieldID(parquet.String(), b.next()), b.next()
	first := leaf{b.leaf().from, asText, setText}
	value, c := b.value(t.Elem(), of, path)
	value = parquet.FieldID(value, id)
	inner := pairs{span{from, b.width}, first, c}
	if b.keyed {
		return parquet.Map(key, value), inner
	}
	pair := table{fields: []parquet.Field{tableField{key, "key"}, tableField{value, "value"}}}
	return parquet.List(parquet.FieldID(pair, element)), inner
}

// scalar adds one column.
func (b *builder) scalar(t reflect.Type, of schemas.Column) (parquet.Node, cells) {
	c := leaf{b.leaf().from, asText, setText}
	switch {
	case of.Time == schemas.Moment:
		c.value, c.set = asMoment, setMoment
		node := parquet.Timestamp(parquet.Microsecond)
		if t == of.Type || !b.keyed {
			return node, c
		}
		// Moments in lists were in structs, as the tags of parquet-go required when the first files were written.
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

// asMoment converts a valid time.
func asMoment(v reflect.Value) parquet.Value {
	t, _ := parseTime(v.String())
	return parquet.Int64Value(t.UnixMicro())
}

func setMoment(v reflect.Value, p parquet.Value) {
	v.SetString(time.UnixMicro(p.Int64()).UTC().Format(time.RFC3339Nano))
}

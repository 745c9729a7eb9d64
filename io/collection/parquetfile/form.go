package parquetfile

import (
	"cmp"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/gleaner-web/gleaner/schemas"
)

// form is the form of a struct as a row.
type form struct {
	schema *parquet.Schema
	cells  group
	width  int        // how many columns there are
	long   [][]string // paths of columns without bounds
	runs   []int      // columns whose runs of values end batches: see batch
	err    error      // the first of a column or value that is not read
}

// documents returns the form of documents that are written, made once.
var documents = sync.OnceValue(func() *form { return newForm(schemas.Columns()) })

// newForm makes the form of a struct with these columns.
func newForm(columns []schemas.Column) *form {
	b := builder{form: &form{}}
	b.build(columns)
	return b.form
}

// formOf makes the form of the documents in a file, without the columns that the file lacks. If they were in it,
// parquet-go would take their levels from other columns, and they would not be missing.
func formOf(file *parquet.Column) (*form, error) {
	b := builder{form: &form{}, in: file}
	b.build(schemas.Columns())
	return b.form, b.err
}

// set sets the fields of v, a zero struct, to the values of a row.
func (f *form) set(v reflect.Value, row parquet.Row) error {
	values := make([][]parquet.Value, f.width)
	for c, column := range row.Range {
		values[c] = column
	}
	f.cells.read(values, v, levels{})
	return f.err
}

// builder makes a form. It numbers ids and columns in the order of the fields.
type builder struct {
	*form
	id int             // of the next column
	in *parquet.Column // the file's column that is being built; nil for a file to be written
}

func (b *builder) build(columns []schemas.Column) {
	var root parquet.Node
	root, b.cells = b.group(columns, nil)
	b.schema = parquet.NewSchema("row", root)
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
	parent := b.in
	for _, of := range columns {
		id, from := b.id, b.width
		if !b.enter(&of, parent) {
			continue
		}
		b.id = cmp.Or(of.ID, id)
		path := append(slices.Clone(path), of.Name)
		if of.Long {
			b.long = append(b.long, path)
		}
		fields, inner := b.field(of, path)
		if b.width == from {
			continue // a group without any of our columns
		}
		node.fields = append(node.fields, fields...)
		c.fields, c.places = append(c.fields, inner), append(c.places, of.Place)
		if of.ID != 0 {
			b.id = id // an id of its own takes none from the others
		}
	}
	b.in = parent
	return node, c
}

// enter goes to the column of a field in a file, and reports whether it is there. Files of version 4 and before, and of
// other programs, have dates of pages as texts, under the names of the moments.
func (b *builder) enter(of *schemas.Column, parent *parquet.Column) bool {
	if parent == nil {
		return true
	}
	b.in = filled(parent.Column(of.Name))
	if b.in != nil && b.in.Repeated() {
		b.refuse(b.in, "a column or a list")
	}
	if of.Time != schemas.Stated {
		return b.in != nil
	}
	text := filled(parent.Column(of.Name + "_text"))
	if text != nil && (text.Repeated() || !isText(text)) {
		b.refuse(text, "a text")
	}
	if b.in != nil && isText(b.in) {
		of.Time = schemas.NoTime
	}
	return b.in != nil || text != nil
}

// listed makes a list of the node that element makes. Programs name its columns differently.
func (b *builder) listed(element func() parquet.Node) parquet.Node {
	list := b.in
	if list == nil {
		return parquet.List(element())
	}
	defer func() { b.in = list }()
	outer := only(list)
	if outer == nil || !outer.Repeated() {
		b.refuse(list, "a list of two or three levels")
		return parquet.List(element())
	}
	if isElement(outer) {
		b.in = outer
		return parquet.Group{outer.Name(): parquet.Repeated(element())}
	}
	b.in = only(outer)
	inner := b.in.Name()
	return parquet.Group{outer.Name(): parquet.Repeated(parquet.Group{inner: element()})}
}

// field adds a column of a struct, or the two columns of a date that a page states.
func (b *builder) field(of schemas.Column, path []string) ([]parquet.Field, cells) {
	from, id := b.width, b.next()
	if of.Time == schemas.Stated {
		node, moment := b.moment(leaf{column: b.leaf().from})
		c := date{span{from, from + 1}, b.leaf(), moment.set}
		b.runs = append(b.runs, c.text.from)
		return []parquet.Field{
			tableField{parquet.FieldID(parquet.Optional(node), id), of.Name},
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
		if b.in != nil && b.in.Leaf() {
			b.refuse(b.in, "a group")
		}
		return b.group(of.Columns, path)
	case reflect.Slice:
		id := b.next()
		if b.in != nil && b.in.Leaf() && len(of.Columns) == 0 {
			node, c := b.value(t.Elem(), of, path)
			return node, single{c}
		}
		var c cells
		node := b.listed(func() (node parquet.Node) {
			isOptional := b.isOptional()
			if node, c = b.value(t.Elem(), of, path); isOptional {
				node, c = parquet.Optional(node), optional{span{from, b.width}, c}
			}
			return parquet.FieldID(node, id)
		})
		return node, list{span{from, b.width}, c}
	case reflect.Map:
		return b.pairs(t, of, path)
	}
	return b.scalar(t, of)
}

// pairs adds the columns of a map: a list of structs with key and value, which more programs read than maps. Files
// before form 8, and of other programs, have maps.
func (b *builder) pairs(t reflect.Type, of schemas.Column, path []string) (parquet.Node, cells) {
	from, column := b.width, b.in
	var inner pairs
	pair := func() parquet.Node {
		element, entry := b.next(), b.in
		b.enterPair(entry, "key")
		first := leaf{b.leaf().from, asText, b.texts()}
		key, id := parquet.FieldID(b.own(parquet.String()), b.next()), b.next()
		b.enterPair(entry, "value")
		isOptional := b.isOptional()
		value, c := b.value(t.Elem(), of, path)
		if _, is := c.(single); is || isOptional {
			value, c = parquet.Optional(value), optional{span{first.column + 1, b.width}, c}
		}
		inner = pairs{span{from, b.width}, first, c}
		value = parquet.FieldID(value, id)
		pair := table{fields: []parquet.Field{tableField{key, "key"}, tableField{value, "value"}}}
		return parquet.FieldID(pair, element)
	}
	if entry := only(column); entry != nil && entry.Repeated() && entry.Column("key") != nil {
		b.in = entry
		node := parquet.Group{entry.Name(): parquet.Repeated(pair())}
		b.in = column
		return node, inner
	}
	node := b.listed(pair)
	return node, inner
}

// enterPair goes from the entry of a map in a file to its key or value.
func (b *builder) enterPair(entry *parquet.Column, name string) {
	if entry == nil {
		return
	}
	key, value := entry.Column("key"), entry.Column("value")
	if key == nil || !key.Leaf() || key.Repeated() || value == nil || value.Repeated() {
		b.refuse(entry, "a key and a value")
	}
	b.in = entry.Column(name)
}

// isOptional reports whether the column in the file may be null.
func (b *builder) isOptional() bool { return b.in != nil && b.in.Optional() }

// scalar adds one column.
func (b *builder) scalar(t reflect.Type, of schemas.Column) (parquet.Node, cells) {
	node, c := parquet.String(), leaf{b.leaf().from, asText, nil}
	k := t.Kind()
	switch {
	case of.Time == schemas.Moment:
		if b.in == nil || b.in.Column("time") == nil {
			return b.moment(c)
		}
		// Moments in lists were in structs, as the tags of parquet-go required when the first files were written.
		b.in = b.in.Column("time")
		node, c := b.moment(c)
		inner := tableField{parquet.FieldID(node, b.next()), "time"}
		return table{fields: []parquet.Field{inner}}, c
	case b.in != nil && !b.in.Leaf():
		b.refuse(b.in, "one value")
	case k == reflect.Bool:
		node, c.set = parquet.Leaf(parquet.BooleanType), b.numbers(k)
		c.value = func(v reflect.Value) parquet.Value { return parquet.BooleanValue(v.Bool()) }
	case k == reflect.Float64:
		node, c.set = parquet.Leaf(parquet.DoubleType), b.numbers(k)
		c.value = func(v reflect.Value) parquet.Value { return parquet.DoubleValue(v.Float()) }
	case k == reflect.Int, k == reflect.Int64:
		node, c.set = parquet.Int(64), b.numbers(k)
		c.value = func(v reflect.Value) parquet.Value { return parquet.Int64Value(v.Int()) }
	default:
		c.set = b.texts()
	}
	return b.own(node), c
}

// moment returns the column of a moment. A number alone could be seconds or milliseconds.
func (b *builder) moment(c leaf) (parquet.Node, leaf) {
	c.value = asMoment
	node := parquet.Timestamp(parquet.Microsecond)
	if b.in == nil {
		return node, c
	}
	isTime := b.in.Leaf() && b.in.Type().Kind() == parquet.Int96
	switch logical(b.in).(type) {
	case *format.TimestampType, *format.DateType:
		isTime = true
	}
	if !isTime && !isText(b.in) {
		b.refuse(b.in, "a timestamp, a date or a text")
		return node, c
	}
	column := b.in
	c.set = func(v reflect.Value, p parquet.Value) bool {
		v.SetString(textOf(column, p))
		return true
	}
	if isTime {
		c.set = func(v reflect.Value, p parquet.Value) bool {
			v.SetString(momentOf(column, p).Format(time.RFC3339Nano))
			return true
		}
	}
	return b.own(node), c
}

func asText(v reflect.Value) parquet.Value { return parquet.ValueOf(v.String()) }

// asMoment converts a valid time.
func asMoment(v reflect.Value) parquet.Value {
	t, _ := parseTime(v.String())
	return parquet.Int64Value(t.UnixMicro())
}

package parquetfile

import (
	"reflect"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Documents are divided into columns and assembled again as in Dremel (Melnik et al. 2010, section 4). parquet-go
// instead needs a second struct with the types of its columns.

// cells are the columns of one value in a document. out and in have lists of values by column.
type cells interface {
	write(out [][]parquet.Value, v reflect.Value, l levels)
	// read sets v, a zero value, and removes its values from in. It reports whether there was a value.
	read(in [][]parquet.Value, v reflect.Value, l levels) bool
}

// levels are the repetition level and definition level of a value, and the number of lists around it.
type levels struct{ repeated, defined, depth int }

// next returns the levels of element i of a list or map.
func (l levels) next(i int) levels {
	l.depth++
	l.defined++
	if i > 0 {
		l.repeated = l.depth
	}
	return l
}

// span is a range of columns; to is excluded.
type span struct{ from, to int }

// null writes null to all columns.
func (s span) null(out [][]parquet.Value, l levels) {
	for c := s.from; c < s.to; c++ {
		out[c] = append(out[c], parquet.NullValue().Level(l.repeated, l.defined, c))
	}
}

// isNull reports whether the columns are null beyond l. It then removes their nulls.
func (s span) isNull(in [][]parquet.Value, l levels) bool {
	if in[s.from][0].DefinitionLevel() > l.defined {
		return false
	}
	for c := s.from; c < s.to; c++ {
		in[c] = in[c][1:]
	}
	return true
}

// count returns the number of elements of a list at l, which is not empty.
func (s span) count(in [][]parquet.Value, l levels) int {
	n := 1
	for _, v := range in[s.from][1:] {
		if v.RepetitionLevel() <= l.depth {
			break
		}
		if v.RepetitionLevel() == l.depth+1 {
			n++
		}
	}
	return n
}

// leaf is one column.
type leaf struct {
	column int
	value  func(reflect.Value) parquet.Value
	set    func(reflect.Value, parquet.Value) bool // reports whether there is a value; nil for a file to be written
}

func (c leaf) write(out [][]parquet.Value, v reflect.Value, l levels) {
	out[c.column] = append(out[c.column], c.value(v).Level(l.repeated, l.defined, c.column))
}

func (c leaf) read(in [][]parquet.Value, v reflect.Value, _ levels) bool {
	p := in[c.column][0]
	in[c.column] = in[c.column][1:]
	return !isMissing(p) && c.set(v, p)
}

// optional are columns that are null where JSON leaves out the field.
type optional struct {
	span
	cells
}

func (c optional) write(out [][]parquet.Value, v reflect.Value, l levels) {
	k := v.Kind()
	if v.IsZero() || (k == reflect.Slice || k == reflect.Map) && v.Len() == 0 {
		c.null(out, l)
		return
	}
	if k == reflect.Pointer {
		v = v.Elem()
	}
	l.defined++
	c.cells.write(out, v, l)
}

func (c optional) read(in [][]parquet.Value, v reflect.Value, l levels) bool {
	if c.isNull(in, l) {
		return false
	}
	l.defined++
	if v.Kind() != reflect.Pointer {
		return c.cells.read(in, v, l)
	}
	to := reflect.New(v.Type().Elem())
	is := c.cells.read(in, to.Elem(), l)
	if is {
		v.Set(to)
	}
	return is
}

// group are the fields of a struct.
type group struct {
	fields []cells
	places []int // in the struct
}

func (c group) write(out [][]parquet.Value, v reflect.Value, l levels) {
	for i, f := range c.fields {
		f.write(out, v.Field(c.places[i]), l)
	}
}

func (c group) read(in [][]parquet.Value, v reflect.Value, l levels) bool {
	for i, f := range c.fields {
		f.read(in, v.Field(c.places[i]), l)
	}
	return true
}

// list are the elements of a slice.
type list struct {
	span
	element cells
}

func (c list) write(out [][]parquet.Value, v reflect.Value, l levels) {
	if v.Len() == 0 {
		c.null(out, l)
	}
	for i := range v.Len() {
		c.element.write(out, v.Index(i), l.next(i))
	}
}

func (c list) read(in [][]parquet.Value, v reflect.Value, l levels) bool {
	n, is := 0, 0
	if !c.isNull(in, l) {
		n = c.count(in, l)
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		if c.element.read(in, v.Index(is), l.next(i)) {
			is++
		}
	}
	v.SetLen(is)
	return true
}

// single is a list of one element, for a column of a file that is not a list. It is only read.
type single struct{ cells }

func (c single) read(in [][]parquet.Value, v reflect.Value, l levels) bool {
	one := reflect.MakeSlice(v.Type(), 1, 1)
	is := c.cells.read(in, one.Index(0), l)
	if is {
		v.Set(one)
	}
	return is
}

// pairs are the keys and the values of a map. Keys are texts, and sorted.
type pairs struct {
	span
	key   leaf
	value cells
}

func (c pairs) write(out [][]parquet.Value, v reflect.Value, l levels) {
	if v.Len() == 0 {
		c.null(out, l)
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for i, key := range keys {
		c.key.write(out, key, l.next(i))
		c.value.write(out, v.MapIndex(key), l.next(i))
	}
}

func (c pairs) read(in [][]parquet.Value, v reflect.Value, l levels) bool {
	v.Set(reflect.MakeMap(v.Type()))
	if c.isNull(in, l) {
		return false
	}
	for i := range c.count(in, l) {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		named, is := c.key.read(in, key, l.next(i)), c.value.read(in, value, l.next(i))
		// No values are an empty list.
		if named && (is || value.Kind() == reflect.Slice) {
			v.SetMapIndex(key, value)
		}
	}
	return true
}

// date are the two columns of a date that a page states: see SplitDate.
type date struct {
	moment, text span
	set          func(reflect.Value, parquet.Value) bool // from the moment
}

func (c date) write(out [][]parquet.Value, v reflect.Value, l levels) {
	t, text := SplitDate(v.String())
	put := func(s span, empty bool, v parquet.Value) {
		if empty {
			s.null(out, l)
		} else {
			out[s.from] = append(out[s.from], v.Level(l.repeated, l.defined+1, s.from))
		}
	}
	put(c.moment, t.IsZero(), parquet.Int64Value(t.UnixMicro()))
	put(c.text, text == "", parquet.ValueOf(text))
}

func (c date) read(in [][]parquet.Value, v reflect.Value, _ levels) bool {
	moment, text := in[c.moment.from][0], in[c.text.from][0]
	for _, s := range []span{c.moment, c.text} {
		in[s.from] = in[s.from][1:]
	}
	if len(text.ByteArray()) > 0 {
		v.SetString(string(text.ByteArray()))
		return true
	}
	return !moment.IsNull() && c.set(v, moment)
}

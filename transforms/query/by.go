package query

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// By counts captures by the values of fields. Make it with NewBy.
//
// A capture counts once for each value of a list, and for the empty value if it has none. For several fields it counts
// for each combination of their values. Fields of one list of objects, such as entities.type and entities.text, take
// the values of one element at a time.
type By struct{ parts []byPart }

// byPart is one of the fields.
type byPart struct {
	field  Field
	key    string // key of a map; "" for the keys themselves
	digits int    // length of the prefix of a time that counts; 0 for all
}

// maxCombinations bounds the groups for which one capture counts: it may have thousands of values in each of several
// lists.
const maxCombinations = 100_000

// ErrCombinations means that a capture exceeds maxCombinations.
var ErrCombinations = fmt.Errorf("a capture has more than %d combinations of values: count by fewer lists at a time",
	maxCombinations)

// NewBy looks up the names by which captures are counted: fields, their short names, or year, month or day of the
// capture.
func NewBy(names []string) (*By, error) {
	b := &By{}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("%q is named twice", clip(name))
		}
		p, err := newByPart(name)
		if err != nil {
			return nil, err
		}
		b.parts = append(b.parts, p)
	}
	return b, nil
}

func newByPart(name string) (p byPart, err error) {
	if n, is := map[string]int{"year": len("2026"), "month": len("2026-03"), "day": len("2026-03-04")}[name]; is {
		name, p.digits = "timestamp", n
	}
	if p.field, p.key, err = Lookup(name); err != nil {
		return p, err
	}
	if p.field.Kind != Message {
		return p, nil
	}
	for _, f := range Fields() {
		if strings.HasPrefix(f.Name, p.field.Name+".") && f.Kind != Message {
			return p, fmt.Errorf("captures cannot be counted by %s, which has parts: name one, as %s", name, example(f))
		}
	}
	return p, fmt.Errorf("captures cannot be counted by %s", name)
}

// example returns the most useful part of an object, or its first.
func example(first Field) string {
	text := first.Column() + ".text"
	if _, _, err := Lookup(text); err == nil {
		return text
	}
	return first.Name
}

// Columns returns the top-level columns that Each reads.
func (b *By) Columns() []string {
	set := map[string]bool{}
	for _, p := range b.parts {
		addColumn(set, p.field)
	}
	list := slices.AppendSeq([]string{}, maps.Keys(set)) // not nil, which means all
	slices.Sort(list)
	return list
}

// Kinds returns the kinds of the values. Times and keys of maps are texts. Parameter types has the types of custom
// columns, which the map custom has as texts.
func (b *By) Kinds(types map[string]schemas.ValueType) []Kind {
	kinds := make([]Kind, len(b.parts))
	for i, p := range b.parts {
		kinds[i] = p.field.Kind
		if kinds[i] == Time || p.field.Map && p.key == "" {
			kinds[i] = String
		}
		if of, is := customKinds[types[p.key]]; is && p.field.Name == customText && p.key != "" {
			kinds[i] = of
		}
	}
	return kinds
}

// Each calls yield with each distinct combination of values of a document, until it fails. It reuses the slice.
func (b *By) Each(d *schemas.Document, yield func(values []string) error) error {
	v := reflect.ValueOf(d).Elem()
	rows := [][]string{make([]string, len(b.parts))}
	for i, p := range b.parts {
		// The first part of a list of objects handles all parts of that list.
		if slices.ContainsFunc(b.parts[:i], p.beside) {
			continue
		}
		tuples, err := b.tuples(v, i)
		if err == nil {
			rows, err = product(rows, tuples)
		}
		if err != nil {
			return err
		}
	}
	for _, row := range rows {
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}

// beside reports whether two parts belong to one list of objects.
func (p byPart) beside(o byPart) bool {
	return p.field.path[0] == o.field.path[0] && p.inList() && o.inList()
}

func (p byPart) inList() bool { return p.field.Repeated && !p.field.Map && len(p.field.path) > 1 }

// tuples returns the values of a part, together with those of other parts of the same list of objects. Each value is
// at the index of its part; other places are empty.
func (b *By) tuples(doc reflect.Value, first int) (list [][]string, err error) {
	p := b.parts[first]
	if IsCustom(p.field.Name) {
		return b.placed(map[int][]string{first: p.custom(doc)})
	}
	if !p.inList() {
		return b.placed(map[int][]string{first: p.values(doc, p.field.path)})
	}
	elements := doc.Field(p.field.path[0])
	for i := range elements.Len() {
		values := map[int][]string{}
		for j, o := range b.parts {
			if j == first || p.beside(o) {
				values[j] = o.values(elements.Index(i), o.field.path[1:])
			}
		}
		some, err := b.placed(values)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	if len(list) == 0 {
		list = [][]string{make([]string, len(b.parts))}
	}
	list = distinct(list)
	// Beside others, an element without values does not count. It is the first, because the list is sorted.
	if len(list) > 1 && !slices.ContainsFunc(list[0], func(text string) bool { return text != "" }) {
		list = list[1:]
	}
	return list, nil
}

// placed returns the combinations of values of some parts.
func (b *By) placed(values map[int][]string) ([][]string, error) {
	list := [][]string{make([]string, len(b.parts))}
	for _, i := range slices.Sorted(maps.Keys(values)) {
		var some [][]string
		for _, text := range values[i] {
			row := make([]string, len(b.parts))
			row[i] = text
			some = append(some, row)
		}
		var err error
		if list, err = product(list, some); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// product combines each row of one list with each of the other. A place takes its value from the row that has one.
func product(a, b [][]string) ([][]string, error) {
	if len(a)*len(b) > maxCombinations {
		return nil, ErrCombinations
	}
	var list [][]string
	for _, x := range a {
		for _, y := range b {
			row := slices.Clone(x)
			for i, text := range y {
				if text != "" {
					row[i] = text
				}
			}
			list = append(list, row)
		}
	}
	return list, nil
}

// distinct sorts a list and removes duplicates.
func distinct(list [][]string) [][]string {
	slices.SortFunc(list, slices.Compare)
	return slices.CompactFunc(list, slices.Equal)
}

// values returns the distinct values of a part in v, or only "" if there is none.
func (p byPart) values(v reflect.Value, path []int) []string {
	if p.field.Map && p.key == "" {
		return orNone(p.keys(v, path))
	}
	var list []string
	anyValue(v, path, p.key, func(v reflect.Value) bool {
		if text := p.text(v); text != "" {
			list = append(list, text)
		}
		return false // continue to collect all
	})
	return orNone(list)
}

// custom returns the values of a custom column, or the names of the existing columns if there is no key.
func (p byPart) custom(doc reflect.Value) []string {
	d, is := doc.Addr().Interface().(*schemas.Document)
	switch {
	case !is: // never happens
		return orNone(nil)
	case p.key == "" && p.field.Name == customText:
		return orNone(d.CustomColumns())
	case p.key == "":
		return orNone(p.keys(doc, p.field.path))
	}
	// For a column with a type, these are only its values, with the texts of older documents.
	v := customValues(d, p.field, p.key)
	if p.field.Name != customText {
		return p.values(reflect.ValueOf(v).Elem(), p.field.path)
	}
	return orNone(slices.DeleteFunc(v.CustomTexts(p.key), func(s string) bool { return s == "" }))
}

// keys returns the keys of a map.
func (p byPart) keys(v reflect.Value, path []int) (list []string) {
	anyValue(v, path, "", func(v reflect.Value) bool {
		for _, key := range v.MapKeys() {
			list = append(list, key.String())
		}
		return false
	})
	return list
}

func orNone(list []string) []string {
	if len(list) == 0 {
		return []string{""}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// text returns a value as people write it, or "" for none.
func (p byPart) text(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		if p.field.Name == "timestamp" {
			return p.moment(v.String())
		}
		return v.String()
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Float64:
		if v.Float() == 0 && !p.field.Has0() {
			return ""
		}
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Int, reflect.Int64:
		if v.Int() == 0 && !p.field.Has0() {
			return "" // the JSON omits it
		}
		return strconv.FormatInt(v.Int(), 10)
	}
	return ""
}

// moment returns a capture's time in UTC, or its year, month or day. The index has the same of each time, and none of
// other texts.
func (p byPart) moment(s string) string {
	t, ok := ParseTime(s)
	if !ok {
		return ""
	}
	// The text begins with the digits of the year, month and day.
	s = t.Format(time.RFC3339Nano)
	if p.digits > 0 {
		s = s[:p.digits]
	}
	return s
}

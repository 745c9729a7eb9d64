package contentdb

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// keyColumns are the columns of a query.Key.
var keyColumns = []string{"filename", "offset", "sequence", "surt", "timestamp"}

// keyed adds the columns that an order needs beside keyColumns.
func keyed(columns []string, o query.Order) []string {
	if columns == nil || o != query.Length {
		return columns
	}
	return union(columns, []string{"length"})
}

// fieldOf maps the JSON names of a document's fields to their indexes for package reflect.
var fieldOf = func() map[string]int {
	places := map[string]int{}
	for _, c := range schemas.Columns() {
		places[c.Name] = c.Place
	}
	return places
}()

// Columns returns the names of all columns, in the order of schemas.Document.
func Columns() (names []string) {
	for _, c := range schemas.Columns() {
		names = append(names, c.Name)
	}
	return names
}

// CheckColumns returns an error if a column does not exist. A name with a dot, such as quality.words, asks for one
// field of a column: its other fields may be missing.
func CheckColumns(columns []string) error {
	for _, c := range columns {
		if _, ok := fieldOf[top(c)]; !ok {
			return fmt.Errorf("contentdb: a document has no field %q", c)
		}
	}
	return nil
}

// ChosenColumns returns the columns that a user has named, which may be short names. It refuses parts of columns, which
// some formats could not hold.
func ChosenColumns(names []string) ([]string, error) {
	columns := make([]string, len(names))
	for i, name := range names {
		name = strings.TrimSpace(name)
		f, key, err := query.Lookup(name)
		if err != nil {
			return nil, err
		}
		columns[i] = f.Column()
		switch {
		case key != "" && query.IsCustom(columns[i]):
			return nil, fmt.Errorf("%q is a part of a column: name custom for texts, or the column of its type, such as "+
				"%s", name, query.CustomPlace(schemas.TypeInteger))
		case key != "" || f.Name != columns[i]:
			return nil, fmt.Errorf("%q is a part of a column: name the whole of it, %s", name, columns[i])
		}
	}
	return columns, nil
}

// top returns the column of a name that may be one of its fields.
func top(column string) string {
	name, _, _ := strings.Cut(column, ".")
	return name
}

// projection copies some columns of documents, to reduce the size of sorting. It holds indexes of fields, because it is
// applied to each row; nil means all columns.
type projection []int

func newProjection(columns []string) projection {
	if columns == nil {
		return nil
	}
	p := projection{}
	for _, c := range union(columns, keyColumns) {
		p = append(p, fieldOf[top(c)])
	}
	return p
}

// of returns a document with only the columns of the projection. It shares their values with d.
func (p projection) of(d *schemas.Document) *schemas.Document {
	if p == nil {
		return d
	}
	out := &schemas.Document{}
	p.copy(out, d)
	return out
}

// copy copies the columns of the projection from d to out, which then share their values.
func (p projection) copy(out, d *schemas.Document) {
	from, to := reflect.ValueOf(d).Elem(), reflect.ValueOf(out).Elem()
	for _, i := range p {
		to.Field(i).Set(from.Field(i))
	}
}

// union returns the sorted union of lists of columns, or nil, which means all, if one of them is nil.
func union(lists ...[]string) []string {
	all := []string{}
	for _, l := range lists {
		if l == nil {
			return nil
		}
		all = append(all, l...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

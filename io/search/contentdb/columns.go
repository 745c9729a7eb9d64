package contentdb

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// keyColumns are those that a query.Key is made of.
var keyColumns = []string{"filename", "offset", "sequence", "surt", "timestamp"}

// keyed are columns with what an order looks at beside keyColumns.
func keyed(columns []string, o query.Order) []string {
	if columns == nil || o != query.Length {
		return columns
	}
	return union(columns, []string{"length"})
}

// fieldOf are the places of the fields of a document, by their JSON names.
// A place is the index of a field for package reflect.
var fieldOf = func() map[string]int {
	places := map[string]int{}
	for _, c := range schemas.Columns() {
		places[c.Name] = c.Place
	}
	return places
}()

// Columns are the names of all columns, in the order of schemas.Document.
func Columns() (names []string) {
	for _, c := range schemas.Columns() {
		names = append(names, c.Name)
	}
	return names
}

// CheckColumns tells which of the columns does not exist. A name with a dot, as quality.words, asks for one field of a
// column: of others of it nothing is promised.
func CheckColumns(columns []string) error {
	for _, c := range columns {
		if _, ok := fieldOf[top(c)]; !ok {
			return fmt.Errorf("contentdb: a document has no field %q", c)
		}
	}
	return nil
}

// top is the column of a name that may be of one of its fields.
func top(column string) string {
	name, _, _ := strings.Cut(column, ".")
	return name
}

// projection copies documents with some of their columns alone: what waits to be sorted should be small.
// It is a list of places and not of names, since it is used for each row.
type projection []int // places of fields; nil for all

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

// of is the document with the columns of the projection. It shares their values with d.
// With nil, all columns, it is d itself.
func (p projection) of(d *schemas.Document) *schemas.Document {
	if p == nil {
		return d
	}
	// A new document: d stays whole for who still needs it.
	out := &schemas.Document{}
	p.copy(out, d)
	return out
}

// copy sets the columns of the projection in a document to those of another one, whose values it shares.
func (p projection) copy(out, d *schemas.Document) {
	// By reflection, since the columns are the caller's choice.
	from, to := reflect.ValueOf(d).Elem(), reflect.ValueOf(out).Elem()
	for _, i := range p {
		to.Field(i).Set(from.Field(i))
	}
}

// union is the sorted union of lists of columns; nil, which stands for all, when one of them is nil.
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

package parquetscan

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Cells is the result of CheckCells.
type Cells struct {
	Checked int64            // number of cells examined
	Empty   map[string]int64 // by column: cells with "", 0, false or an empty list or map instead of null
}

// Columns lists the columns with such cells, and their numbers.
func (c Cells) Columns() string {
	var list []string
	for name, n := range c.Empty {
		list = append(list, fmt.Sprintf("%s (%d)", name, n))
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// CheckCells reads the columns of a file of documents or links by Gleaner, and counts cells that hold a value instead
// of null. Versions before form 7 of parquetfile wrote such cells. The file must be by Gleaner: other programs may mean
// an empty text.
func CheckCells[T schemas.Document | schemas.Link | schemas.Datum](ctx context.Context, f *File) (Cells, error) {
	found := Cells{Empty: map[string]int64{}}
	for _, c := range cellsOf(f.root, "", reflect.TypeFor[T](), false) {
		for i := range f.groups {
			if err := ctx.Err(); err != nil {
				return found, err
			}
			if err := f.checkCells(&f.groups[i], c, &found); err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

// cells are the cells of one column: of a leaf, or of a list or map, whose first leaf shows whether it is empty.
type cells struct {
	leaf  *leaf
	name  string
	empty uint8 // definition level of an empty list or map; 0 for a leaf
}

// cellsOf returns the columns at and below n whose empty values must be null. The Go type shows which: fields with
// omitempty, except for pointers.
func cellsOf(n *node, name string, t reflect.Type, omitted bool) (list []cells) {
	if n == nil || n.repetition == repeated {
		return nil
	}
	omitted = omitted && n.repetition == optional
	switch t.Kind() {
	case reflect.Pointer:
		return cellsOf(n, name, t.Elem(), false)
	case reflect.Struct:
		for f := range t.Fields() {
			column, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			inner := strings.TrimPrefix(name+"."+column, ".")
			list = append(list, cellsOf(n.child(column), inner, f.Type, options == "omitempty")...)
			if name == "" && stated[column] {
				list = append(list, cellsOf(n.child(column+"_text"), inner+"_text", f.Type, true)...)
			}
		}
		return list
	case reflect.Slice, reflect.Map:
		if first := n.first(); omitted && first != nil && first.def > n.def {
			list = append(list, cells{first, name, n.def})
		}
		if t.Kind() == reflect.Slice {
			return append(list, cellsOf(n.element(), name+".element", t.Elem(), false)...)
		}
		return list
	}
	// A moment of 0 is valid: the beginning of 1970.
	if l := n.leaf; omitted && l != nil && l.unit == noTime {
		list = append(list, cells{leaf: l, name: name})
	}
	return list
}

// first returns the first leaf at or below n, or nil.
func (n *node) first() *leaf {
	for n.leaf == nil {
		if len(n.inner) == 0 {
			return nil
		}
		n = n.inner[0]
	}
	return n.leaf
}

// checkCells adds the cells of a column in a row group.
func (f *File) checkCells(g *group, c cells, found *Cells) error {
	part, err := f.chunk(g, c.leaf)
	if err != nil {
		return err
	}
	r, err := f.open(part, allRows(g.rows))
	if err != nil {
		return err
	}
	defer r.close()
	n := 0
	err = r.each(func() {
		found.Checked += int64(r.page.entries)
		if c.empty > 0 {
			n += count(r.page.def, c.empty)
			return
		}
		for i := range c.leaf.values(&r.page) {
			v := &r.page.values
			if r.indexed {
				v, i = r.dict, int(r.page.index[i])
			}
			if c.leaf.zero(v, i) {
				n++
			}
		}
	})
	if n > 0 {
		found.Empty[c.name] += int64(n)
	}
	return err
}

// zero reports whether the i-th value is "", 0 or false.
func (l *leaf) zero(v *values, i int) bool {
	switch l.kind {
	case kindBytes, kindFixed:
		return v.offsets[i] == v.offsets[i+1]
	case kindFloat, kindDouble:
		return v.reals[i] == 0
	}
	return v.ints[i] == 0
}

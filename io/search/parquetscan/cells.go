package parquetscan

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Cells is what CheckCells found in a file.
type Cells struct {
	Checked int64            // cells that were looked at
	Empty   map[string]int64 // by column: cells with "", 0, false or an empty list or map in place of null
}

// Columns names the columns with such cells, and how many each has.
func (c Cells) Columns() string {
	var list []string
	for name, n := range c.Empty {
		list = append(list, fmt.Sprintf("%s (%d)", name, n))
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// CheckCells reads the columns of a file of documents or links that Gleaner wrote, and counts the cells that hold a
// value where it writes null. Files that a version before form 7 of parquetfile wrote have such cells. Other programs
// may mean an empty text by one, so that the file has to be ours.
func CheckCells[T schemas.Document | schemas.Link](ctx context.Context, f *File) (Cells, error) {
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

// cells are those of one column: of a leaf, or of a list or map, whose first leaf tells when it is empty.
type cells struct {
	leaf  *leaf
	name  string
	empty uint8 // definition level of an empty list or map; 0 for a leaf
}

// cellsOf lists the columns at n and beneath whose empty values are null. The Go type that the column is written from
// tells which these are: fields that JSON leaves out when they are empty, except for pointers.
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
	// A moment of 0 is the first of 1970.
	if l := n.leaf; omitted && l != nil && l.unit == noTime {
		list = append(list, cells{leaf: l, name: name})
	}
	return list
}

// first is the first leaf at n or beneath, nil without one.
func (n *node) first() *leaf {
	for n.leaf == nil {
		if len(n.inner) == 0 {
			return nil
		}
		n = n.inner[0]
	}
	return n.leaf
}

// checkCells adds what a row group has of a column to what was found.
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

// zero reports whether the i-th of the values is "", 0 or false.
func (l *leaf) zero(v *values, i int) bool {
	switch l.kind {
	case kindBytes, kindFixed:
		return v.offsets[i] == v.offsets[i+1]
	case kindFloat, kindDouble:
		return v.reals[i] == 0
	}
	return v.ints[i] == 0
}

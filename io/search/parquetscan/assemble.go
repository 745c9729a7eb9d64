package parquetscan

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Documents are assembled from columns as in Dremel (Melnik et al. 2010, section 4.3). The definition level of an entry
// says how much of its path exists, and the repetition level in which list it continues.

// slot reads one field of a document.
type slot interface {
	// read consumes the entries of one value, and sets v, which is zero.
	read(v reflect.Value) error
}

// assembler makes documents from columns. It is for one goroutine.
type assembler struct {
	f       *File
	slots   []slot
	fields  [][]int  // indexes of the field that slots[i] sets, for reflect's FieldByIndex
	inner   []string // wanted fields of the next column; nil for all
	leaves  []*leaf
	cursors []*cursor
}

// assembler returns an assembler for columns, which are named as fields of schemas.Document; nil means all. A name with
// a dot, such as quality.words, is one field of a column. Columns that the file lacks are omitted.
func (f *File) assembler(columns []string) (*assembler, error) {
	a := &assembler{f: f}
	// The struct is the schema, so new fields of schemas.Document need no code here.
	document := reflect.TypeFor[schemas.Document]()
	wanted := map[string][]string{} // by column, the wanted fields; "" means all
	for _, c := range columns {
		name, inner, _ := strings.Cut(c, ".")
		wanted[name] = append(wanted[name], inner)
	}
	for i := range document.NumField() {
		field := document.Field(i)
		name := jsonName(field)
		inner, is := wanted[name]
		if columns != nil && !is {
			continue
		}
		// Names that remain match no field.
		delete(wanted, name)
		if slices.Contains(inner, "") {
			inner = nil
		}
		a.inner = inner
		s, err := a.column(name, field.Type)
		if err != nil {
			return nil, err
		}
		// Files of earlier versions lack some columns: their fields stay zero.
		if a.inner != nil && s != nil {
			return nil, fmt.Errorf("parquetscan: column %q has no fields", name)
		}
		if s != nil {
			a.slots, a.fields = append(a.slots, s), append(a.fields, field.Index)
		}
	}
	for name := range wanted {
		return nil, fmt.Errorf("parquetscan: no column %q", name)
	}
	return a, nil
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// column returns the slot of a top-level column.
func (a *assembler) column(name string, t reflect.Type) (slot, error) {
	n := a.f.root.child(name)
	if !stated[name] {
		return a.slot(n, t)
	}
	moment, err := a.slot(n, t)
	if err != nil {
		return nil, err
	}
	// Two columns make one field: a moment, and the text of dates that are not moments, such as "2024-05".
	text, err := a.slot(a.f.root.child(name+"_text"), t)
	if err != nil || text == nil {
		return moment, err
	}
	if moment == nil {
		return text, nil
	}
	return &dateSlot{moment, text}, nil
}

// slot returns the slot of a column for a Go type, or nil if the file has no such column.
func (a *assembler) slot(n *node, t reflect.Type) (slot, error) {
	if n == nil {
		return nil, nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		// A pointer is Go's way to make a column optional; the node is the same.
		inner, err := a.slot(n, t.Elem())
		if inner == nil || err != nil {
			return nil, err
		}
		return &pointerSlot{inner, n, a.under(n)}, nil
	case reflect.Struct:
		return a.structSlot(n, t)
	case reflect.Slice:
		return a.listSlot(n, t)
	case reflect.Map:
		return a.mapSlot(n, t)
	}
	// Times of custom columns are structs of one field: see parquetfile.
	if t.Kind() == reflect.String && n.leaf == nil && len(n.inner) == 1 && n.inner[0].repetition != repeated {
		return a.slot(n.inner[0], t)
	}
	// Checked once for each file, so that leafSlot need not check.
	if n.leaf == nil || !n.leaf.sets(t.Kind()) {
		return nil, fmt.Errorf("%w: column %s is of another type", ErrUnsupported, n.name)
	}
	// The slots keep this pointer for all row groups; rows replaces its content.
	c := &cursor{leaf: n.leaf}
	// Cursors are in the order of slots, so that those below a node are adjacent and begin with its first leaf.
	a.leaves, a.cursors = append(a.leaves, n.leaf), append(a.cursors, c)
	return &leafSlot{c}, nil
}

// under returns the cursors of the leaves below a column.
func (a *assembler) under(n *node) (list []*cursor) {
	for _, c := range a.cursors {
		if n.holds(c.leaf) {
			list = append(list, c)
		}
	}
	return list
}

// holds reports whether l is a leaf of n.
func (n *node) holds(l *leaf) bool {
	if n.leaf != nil {
		return n.leaf == l
	}
	for _, inner := range n.inner {
		if inner.holds(l) {
			return true
		}
	}
	return false
}

func (a *assembler) structSlot(n *node, t reflect.Type) (slot, error) {
	// Fields that the file lacks are omitted, like top-level columns.
	s, wanted := &structSlot{node: n}, a.inner
	// It is only for the outermost struct.
	a.inner = nil
	for _, name := range wanted {
		if !slices.ContainsFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool { return jsonName(f) == name }) {
			return nil, fmt.Errorf("parquetscan: no field %q in column %q", name, n.name)
		}
	}
	for i := range t.NumField() {
		if wanted != nil && !slices.Contains(wanted, jsonName(t.Field(i))) {
			continue
		}
		inner, err := a.slot(n.child(jsonName(t.Field(i))), t.Field(i).Type)
		if err != nil {
			return nil, err
		}
		if inner != nil {
			s.slots, s.fields = append(s.slots, inner), append(s.fields, i)
		}
	}
	// Only now, because under searches the existing cursors.
	if s.cursors = a.under(n); len(s.slots) == 0 {
		return nil, nil
	}
	return s, nil
}

func (a *assembler) listSlot(n *node, t reflect.Type) (slot, error) {
	e := n.element()
	if e == nil {
		return nil, fmt.Errorf("%w: column %s is no list", ErrUnsupported, n.name)
	}
	inner, err := a.slot(e, t.Elem())
	if inner == nil || err != nil {
		return nil, err
	}
	// Entries count by the repeated node: the list itself in the oldest form, otherwise the group inside it.
	list := n
	if n.repetition != repeated {
		list = n.inner[0]
	}
	return &listSlot{inner, list, a.under(n)}, nil
}

// mapSlot returns the slot of a map: a LIST of structs, or a MAP, which is a group with one repeated group.
func (a *assembler) mapSlot(n *node, t reflect.Type) (slot, error) {
	if len(n.inner) != 1 || n.inner[0].repetition != repeated {
		return nil, fmt.Errorf("%w: column %s is no map", ErrUnsupported, n.name)
	}
	pairs := n.inner[0]
	pair := pairs
	if len(pair.inner) == 1 {
		pair = pair.inner[0]
	}
	if len(pair.inner) != 2 {
		return nil, fmt.Errorf("%w: column %s is no map", ErrUnsupported, n.name)
	}
	// By position, because writers have used other names than key and value.
	key, err := a.slot(pair.inner[0], t.Key())
	if err != nil {
		return nil, err
	}
	value, err := a.slot(pair.inner[1], t.Elem())
	if key == nil || value == nil || err != nil {
		return nil, err
	}
	return &mapSlot{key, value, pairs, a.under(n), t}, nil
}

// rows yields documents of the rows of sel; more reports whether the caller wants more.
func (a *assembler) rows(
	ctx context.Context, g *group, sel rowSet, yield func(Row, error) bool,
) (more bool, err error) {
	defer a.close()
	for i, l := range a.leaves {
		c, err := a.f.chunk(g, l)
		if err != nil {
			return true, err
		}
		// Each reader knows all wanted rows, so that it can plan its reads.
		r, err := a.f.open(c, sel)
		if err != nil {
			return true, err
		}
		r.only = true
		// Into the old cursor, to which the slots point.
		*a.cursors[i] = cursor{r: r, leaf: l}
	}
	if err := cmp.Or(ctx.Err(), a.ahead(sel.next(0))); err != nil {
		return true, err
	}
	for row := sel.next(0); row >= 0; row = sel.next(row + 1) {
		// Checked for each row: its columns may take many requests to a bucket.
		if err := ctx.Err(); err != nil {
			return true, err
		}
		// A new document for each row, because it belongs to the caller. Its texts are copies, because pages are
		// reused.
		d := &schemas.Document{}
		if err := a.document(row, d); err != nil {
			return true, err
		}
		if !yield(Row{g.first + int64(row), d}, nil) {
			return false, nil
		}
	}
	return true, nil
}

// close ends the reading of a row group.
func (a *assembler) close() {
	for _, c := range a.cursors {
		// rows may have failed before it opened all readers.
		if c.r != nil {
			c.r.close()
			c.r = nil
		}
	}
}

// document sets the columns of a row.
func (a *assembler) document(row int, d *schemas.Document) error {
	for _, c := range a.cursors {
		if err := c.to(row); err != nil {
			return err
		}
	}
	// Each cursor is at the first entry of the row, and each slot consumes exactly its entries.
	v := reflect.ValueOf(d).Elem()
	for i, s := range a.slots {
		if err := s.read(v.FieldByIndex(a.fields[i])); err != nil {
			return err
		}
	}
	return nil
}

// absent reports whether n is missing in the next entries, and consumes them if so.
func absent(n *node, cursors []*cursor) (bool, error) {
	// Any leaf below n shows it: all of them have one entry with the same low level.
	def, err := cursors[0].def()
	if err != nil || def >= n.def {
		return false, err
	}
	for _, c := range cursors {
		// The entry is consumed in each column, to keep the cursors together.
		if _, _, err := c.take(); err != nil {
			return true, err
		}
	}
	return true, nil
}

// leafSlot sets a value.
type leafSlot struct{ c *cursor }

func (s *leafSlot) read(v reflect.Value) error {
	// For a null i is -1, and v stays zero.
	from, i, err := s.c.take()
	if err != nil || i < 0 {
		return err
	}
	l := s.c.leaf
	switch v.Kind() {
	case reflect.String:
		// string copies the bytes from the page.
		if l.kind == kindBytes || l.kind == kindFixed {
			v.SetString(string(from.text(i)))
		} else {
			// As in JSON, a moment in a text field is RFC 3339 in UTC.
			v.SetString(l.time(from.ints[i]).Format(time.RFC3339Nano))
		}
	case reflect.Bool:
		v.SetBool(from.ints[i] != 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(from.ints[i])
	default:
		v.SetFloat(from.reals[i])
	}
	return nil
}

// sets reports whether a leaf's values fit a Go kind.
func (l *leaf) sets(k reflect.Kind) bool {
	// Numbers of 32 bits are widened when decoded, see values.plain.
	number := l.kind == kindInt32 || l.kind == kindInt64
	switch k {
	case reflect.String:
		return l.kind == kindBytes || l.kind == kindFixed || number && l.unit != noTime || l.kind == kindInt96
	case reflect.Bool:
		return l.kind == kindBoolean
	case reflect.Int, reflect.Int64:
		return number
	}
	return k == reflect.Float64 && (l.kind == kindFloat || l.kind == kindDouble)
}

// dateSlot sets a date that a page states: its text or, without a text, the moment. See package parquetfile.
type dateSlot struct{ moment, text slot }

func (s *dateSlot) read(v reflect.Value) error {
	if err := s.moment.read(v); err != nil {
		return err
	}
	// Always read, because its entry must be consumed.
	var text string
	if err := s.text.read(reflect.ValueOf(&text).Elem()); err != nil {
		return err
	}
	if text != "" {
		v.SetString(text)
	}
	return nil
}

// pointerSlot sets a pointer, unless the value is missing.
type pointerSlot struct {
	inner   slot
	node    *node
	cursors []*cursor
}

func (s *pointerSlot) read(v reflect.Value) error {
	if gone, err := absent(s.node, s.cursors); gone || err != nil {
		return err
	}
	// Only now: an allocated pointer would be an empty object in JSON.
	v.Set(reflect.New(v.Type().Elem()))
	return s.inner.read(v.Elem())
}

type structSlot struct {
	node    *node
	slots   []slot
	fields  []int
	cursors []*cursor
}

func (s *structSlot) read(v reflect.Value) error {
	if gone, err := absent(s.node, s.cursors); gone || err != nil {
		return err
	}
	for i, inner := range s.slots {
		if err := inner.read(v.Field(s.fields[i])); err != nil {
			return err
		}
	}
	return nil
}

// listSlot sets a slice; an empty list is nil.
type listSlot struct {
	inner   slot
	node    *node // the repeated node
	cursors []*cursor
}

func (s *listSlot) read(v reflect.Value) error {
	return each(s.node, s.cursors, func() error {
		// Only the levels show the number of elements. Grow doubles the capacity.
		v.Grow(1)
		v.SetLen(v.Len() + 1)
		return s.inner.read(v.Index(v.Len() - 1))
	})
}

// each calls do for each element of a list or map.
func each(n *node, cursors []*cursor, do func() error) error {
	if gone, err := absent(n, cursors); gone || err != nil {
		return err
	}
	for {
		if err := do(); err != nil {
			return err
		}
		// All leaves of an element continue together, so the first suffices. Inner lists have consumed higher levels.
		if more, err := cursors[0].repeats(n.rep); !more || err != nil {
			return err
		}
	}
}

// mapSlot sets a map; an empty map is nil.
type mapSlot struct {
	key, value slot
	node       *node
	cursors    []*cursor
	t          reflect.Type
}

func (s *mapSlot) read(v reflect.Value) error {
	return each(s.node, s.cursors, func() error {
		// Created with the first pair, so that an empty map stays nil and JSON omits it.
		if v.IsNil() {
			v.Set(reflect.MakeMap(s.t))
		}
		key, value := reflect.New(s.t.Key()).Elem(), reflect.New(s.t.Elem()).Elem()
		if err := s.key.read(key); err != nil {
			return err
		}
		if err := s.value.read(value); err != nil {
			return err
		}
		// As in JSON, the last value of a repeated key counts.
		v.SetMapIndex(key, value)
		return nil
	})
}

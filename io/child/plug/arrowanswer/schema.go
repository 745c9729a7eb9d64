package arrowanswer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// The types of Arrow that are read, as Schema.fbs numbers them.
const (
	typeNull      = 1
	typeInt       = 2
	typeFloat     = 3
	typeText      = 5
	typeBool      = 6
	typeDate      = 8
	typeTimestamp = 10
	typeList      = 12
	typeLongText  = 20
	typeLongList  = 21
)

// fits are the types of Arrow for the values of a type.
var fits = map[schemas.ValueType][]byte{
	schemas.TypeText:    {typeText, typeLongText},
	schemas.TypeInteger: {typeInt},
	schemas.TypeFloat:   {typeFloat, typeInt},
	schemas.TypeBoolean: {typeBool},
	schemas.TypeTime:    {typeTimestamp, typeDate},
}

// names are the names of types for messages.
var names = map[byte]string{
	typeNull: "null", typeInt: "int", typeFloat: "float", 4: "binary", typeText: "string", typeBool: "bool", 7: "decimal",
	typeDate: "date", 9: "time of day", typeTimestamp: "timestamp", typeList: "list", 13: "struct", 17: "map",
	typeLongText: "large_string", typeLongList: "large_list", 24: "string_view",
}

// column is a column of the stream.
type column struct {
	name string
	form
	item *form // of a list
}

// form is a type of Arrow.
type form struct {
	kind   byte
	bits   int // of a number, or of the offsets of texts and lists
	signed bool
	unit   int64 // of a time, in nanoseconds; 0 for days
}

// columnsOf reads a schema. It must have the column Row and may have the others.
func columnsOf(schema table, typed map[string]schemas.ValueType) (list []column, err error) {
	fields := schema.vector(1, 4)
	switch {
	case *schema.bad:
		return nil, errDamaged
	case schema.int16(0, 0) != 0:
		return nil, errors.New("the Arrow stream is big-endian; that is not read")
	case fields.n > len(typed)+2:
		return nil, fmt.Errorf("the Arrow stream has %d columns, more than its plug has declared", fields.n)
	}
	hasRow := false
	for i := range fields.n {
		c, err := columnOf(fields.item(i), typed)
		if *schema.bad {
			return nil, errDamaged
		}
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(o column) bool { return o.name == c.name }) {
			return nil, fmt.Errorf("the Arrow stream has two columns %q", c.name)
		}
		hasRow = hasRow || c.name == Row
		list = append(list, c)
	}
	if !hasRow {
		return nil, fmt.Errorf("the Arrow stream has no column %q, which repeats that of the documents", Row)
	}
	return list, nil
}

// columnOf reads a field of a schema.
func columnOf(field table, typed map[string]schemas.ValueType) (c column, err error) {
	c.name = field.text(0)
	may := fits[typed[c.name]]
	switch c.name {
	case Row:
		may = fits[schemas.TypeInteger]
	case Error:
		may = fits[schemas.TypeText]
	}
	if may == nil {
		return c, fmt.Errorf("%q is none of its columns, %s", c.name,
			strings.Join(slices.Sorted(maps.Keys(typed)), ", "))
	}
	c.form, err = formOf(field)
	item, isList := c.form, c.kind == typeList || c.kind == typeLongList
	if isList && err == nil {
		children := field.vector(5, 4)
		if children.n != 1 {
			return c, errDamaged
		}
		item, err = formOf(children.item(0))
		c.item = &item
	}
	isOwn := c.name == Row || c.name == Error
	if err != nil || item.kind != typeNull && !slices.Contains(may, item.kind) || isOwn && (isList || c.kind == typeNull) {
		return c, fmt.Errorf("%s: Arrow's type %s is not that of the column", c.name, item.name(err))
	}
	return c, nil
}

// name returns the name of a type for messages.
func (f form) name(err error) string {
	if err != nil {
		return err.Error()
	}
	return names[f.kind]
}

// formOf reads the type of a field. The error is the name of one that is not read.
func formOf(field table) (f form, err error) {
	f.kind = field.byte(2)
	if field.has(4) {
		return f, errors.New("dictionary")
	}
	of := field.table(3)
	switch f.kind {
	case typeNull, typeBool:
	case typeInt:
		f.bits, f.signed = int(of.int32(0)), of.byte(1) != 0
		if !slices.Contains([]int{8, 16, 32, 64}, f.bits) {
			return f, errDamaged
		}
	case typeFloat:
		switch of.int16(0, 0) {
		case 1:
			f.bits = 32
		case 2:
			f.bits = 64
		default:
			return f, errors.New("halffloat")
		}
	case typeText, typeList:
		f.bits = 32
	case typeLongText, typeLongList:
		f.bits = 64
	case typeDate:
		f.bits = 32
		if of.int16(0, 1) != 0 {
			f.bits, f.unit = 64, 1e6
		}
	case typeTimestamp:
		units := []int64{1e9, 1e6, 1e3, 1}
		unit := of.int16(0, 0)
		if unit < 0 || int(unit) >= len(units) {
			return f, errDamaged
		}
		f.bits, f.unit = 64, units[unit]
	default:
		if name := names[f.kind]; name != "" {
			return f, errors.New(name)
		}
		return f, fmt.Errorf("number %d", f.kind)
	}
	return f, nil
}

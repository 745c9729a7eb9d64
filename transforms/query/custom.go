package query

import (
	"reflect"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// customText is the map of custom columns with texts.
const customText = "custom"

// customColumns are the maps of custom columns, by the types of their values.
var customColumns = map[schemas.ValueType]string{
	schemas.TypeText: customText, schemas.TypeInteger: "custom_integers", schemas.TypeFloat: "custom_floats",
	schemas.TypeBoolean: "custom_booleans", schemas.TypeTime: "custom_times",
}

// customKinds are the kinds of values of custom columns that are not texts.
var customKinds = map[schemas.ValueType]Kind{
	schemas.TypeInteger: Integer, schemas.TypeFloat: Real, schemas.TypeBoolean: Boolean,
}

// CustomPlace returns the column of documents with the values of custom columns of a type.
func CustomPlace(t schemas.ValueType) string { return customColumns[t] }

// IsCustom reports whether a column holds values of custom columns.
func IsCustom(column string) bool {
	for _, name := range customColumns {
		if name == column {
			return true
		}
	}
	return false
}

// customValues returns a document with the values of a custom column for a field. For custom itself these are the
// values of all types. For the others they include the texts of older documents that can be converted to the type.
func customValues(d *schemas.Document, f Field, key string) *schemas.Document {
	if f.Name == customText {
		return d
	}
	t, typed := schemas.TypeText, &schemas.Document{}
	for of, name := range customColumns {
		if name == f.Name {
			t = of
		}
	}
	switch {
	case t == schemas.TypeInteger && d.CustomIntegers[key] != nil, t == schemas.TypeFloat && d.CustomFloats[key] != nil,
		t == schemas.TypeBoolean && d.CustomBooleans[key] != nil, t == schemas.TypeTime && d.CustomTimes[key] != nil:
		return d
	}
	// An extractor without types made these values.
	list := slices.DeleteFunc(slices.Clone(d.Custom[key]), func(s string) bool {
		return new(schemas.Document).SetCustom(key, t, []string{s}) != nil
	})
	if typed.SetCustom(key, t, list) != nil {
		return d // each was tried before
	}
	return typed
}

// compileCustom is compile for a custom column.
func (c *Compare) compileCustom(f Field, key string) func(*schemas.Document) bool {
	negated := c.Op == NotEqual
	tests := c.customTests(f, key)
	return func(d *schemas.Document) bool {
		v := reflect.ValueOf(customValues(d, f, key)).Elem()
		for _, t := range tests {
			if anyValue(v, t.field.path, key, t.passes) {
				return !negated
			}
		}
		return negated
	}
}

// customTest tests the values of one type.
type customTest struct {
	field Field
	test  *Test
}

func (t customTest) passes(v reflect.Value) bool {
	if t.test.c.Value.Any {
		return true // false and the empty text are values as well
	}
	return t.test.value(t.field, v)
}

// customTests returns tests of values, one for each type that the comparison fits.
func (c *Compare) customTests(f Field, key string) (list []customTest) {
	positive := *c
	if positive.Op == NotEqual {
		positive.Op = Equal
	}
	list = append(list, customTest{f, positive.Test()})
	if f.Name != customText {
		return list
	}
	for _, t := range schemas.ValueTypes()[1:] { // without texts
		typed, _, err := Lookup(customColumns[t])
		if err != nil {
			continue // never happens: they are fields of documents
		}
		other := &positive
		if !c.Value.Any {
			l := literal{c.Value.Text, c.Value.Before, c.Value.After}
			if other, err = newCompare(typed.Name+"."+key, positive.Op, l); err != nil {
				continue
			}
		}
		list = append(list, customTest{typed, other.Test()})
	}
	return list
}

// Bind adapts comparisons of custom columns, such as `custom.price > 3`, to their types in a collection. It fails if
// the type of a column does not fit the comparison. Columns that are not in types stay unchanged. Columns in mixed may
// also hold texts, so a comparison that does not fit the type stays unchanged as well.
func Bind(e Expr, types map[string]schemas.ValueType, mixed ...string) (Expr, error) {
	if len(types) == 0 {
		return e, nil
	}
	switch e := e.(type) {
	case *And:
		list, err := bindAll(e.List, types, mixed)
		return &And{list}, err
	case *Or:
		list, err := bindAll(e.List, types, mixed)
		return &Or{list}, err
	case *Not:
		x, err := Bind(e.X, types, mixed...)
		return &Not{x}, err
	case *Compare:
		return e.bind(types, mixed)
	}
	return e, nil
}

func bindAll(list []Expr, types map[string]schemas.ValueType, mixed []string) ([]Expr, error) {
	bound := make([]Expr, len(list))
	for i, e := range list {
		var err error
		if bound[i], err = Bind(e, types, mixed...); err != nil {
			return nil, err
		}
	}
	return bound, nil
}

func (c *Compare) bind(types map[string]schemas.ValueType, mixed []string) (Expr, error) {
	f, key, err := Lookup(c.Field)
	t, known := types[key]
	if err != nil || f.Name != customText || !known || t == schemas.TypeText || c.Value.Any {
		return c, nil
	}
	bound, err := newCompare(customColumns[t]+"."+key, c.Op, literal{c.Value.Text, c.Value.Before, c.Value.After})
	switch {
	case err != nil && slices.Contains(mixed, key):
		return c, nil
	case err != nil:
		return nil, &TypeError{Column: c.Field, Type: t, Err: err}
	}
	return bound, nil
}

// TypeError is a comparison that does not fit the type of a custom column.
type TypeError struct {
	Column string
	Type   schemas.ValueType
	Err    error
}

func (e *TypeError) Error() string {
	return e.Column + " has values of the type " + string(e.Type) + ": " + e.Err.Error()
}

func (e *TypeError) Unwrap() error { return e.Err }

package query

import (
	"reflect"

	"github.com/gleaner-web/gleaner/schemas"
)

// Match reports whether e accepts d. To test many documents, use Compile once.
func Match(e Expr, d *schemas.Document) bool { return Compile(e)(d) }

// Compile returns a function that reports whether a filter accepts a document. The function keeps memory for searches
// between calls, so each goroutine needs its own. Fields are looked up and texts converted to lower case once, before
// the first document.
func Compile(e Expr) func(*schemas.Document) bool {
	switch e := e.(type) {
	case *And:
		return compileAnd(compileAll(e.List))
	case *Or:
		return compileOr(compileAll(e.List))
	case *Not:
		x := Compile(e.X)
		return func(d *schemas.Document) bool { return !x(d) }
	case *Compare:
		return e.compile()
	case *Text:
		return e.compile()
	case *Share:
		return func(d *schemas.Document) bool { return InSample(d.SURT, e.Parts) }
	}
	// nil accepts everything.
	return func(*schemas.Document) bool { return true }
}

func compileAll(list []Expr) []func(*schemas.Document) bool {
	all := make([]func(*schemas.Document) bool, len(list))
	for i, e := range list {
		all[i] = Compile(e)
	}
	return all
}

func compileAnd(list []func(*schemas.Document) bool) func(*schemas.Document) bool {
	return func(d *schemas.Document) bool {
		for _, f := range list {
			if !f(d) {
				return false
			}
		}
		return true
	}
}

func compileOr(list []func(*schemas.Document) bool) func(*schemas.Document) bool {
	return func(d *schemas.Document) bool {
		for _, f := range list {
			if f(d) {
				return true
			}
		}
		return false
	}
}

// compile returns a function for a comparison. For an unknown field, which Parse and NewCompare reject, it accepts
// nothing.
func (c *Compare) compile() func(*schemas.Document) bool {
	f, key, err := Lookup(c.Field)
	if err != nil {
		return func(*schemas.Document) bool { return false }
	}
	switch {
	case IsCustom(f.Name) && key != "":
		return c.compileCustom(f, key)
	case f.Name == customText:
		// A comparison with the map as a whole asks whether there is any value, of any type.
		return func(d *schemas.Document) bool { return d.HasCustom() != (c.Op == NotEqual) }
	}
	// NotEqual negates Equal for the whole list of values. So it is tested as Equal and negated at the end. Tested
	// directly, one different value would be enough.
	negated := c.Op == NotEqual
	positive := *c
	if negated {
		positive.Op = Equal
	}
	test := positive.Test()
	one := func(v reflect.Value) bool { return test.value(f, v) }
	return func(d *schemas.Document) bool {
		return anyValue(reflect.ValueOf(d).Elem(), f.path, key, one) != negated
	}
}

// anyValue reports whether a value at the end of a path passes a test.
func anyValue(v reflect.Value, path []int, key string, test func(reflect.Value) bool) bool {
	for {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() {
				return false
			}
			v = v.Elem()
		case reflect.Struct:
			if len(path) == 0 {
				return test(v)
			}
			v, path = v.Field(path[0]), path[1:]
		case reflect.Map:
			// Without a key the question is whether the map has any entry.
			if key == "" {
				return v.Len() > 0 && test(v)
			}
			if v = v.MapIndex(reflect.ValueOf(key)); !v.IsValid() {
				return false
			}
		case reflect.Slice:
			for i := range v.Len() {
				if anyValue(v.Index(i), path, key, test) {
					return true
				}
			}
			// Lists within lists are read by recursion; schemas.Document bounds the depth.
			return false
		default:
			return test(v)
		}
	}
}

// Values returns the values of a field in d, in their order: texts, int64, float64 or bool. For a map they are those of
// key. A Message has none.
func (f Field) Values(d *schemas.Document, key string) (list []any) {
	if IsCustom(f.Name) {
		d = customValues(d, f, key)
	}
	anyValue(reflect.ValueOf(d).Elem(), f.path, key, func(v reflect.Value) bool {
		switch {
		case f.omitted && !f.Zero && v.IsZero(), v.Kind() == reflect.Map, v.Kind() == reflect.Struct:
		case v.CanInt():
			list = append(list, v.Int())
		case v.CanFloat():
			list = append(list, v.Float())
		case v.Kind() == reflect.Bool:
			list = append(list, v.Bool())
		default:
			list = append(list, v.String())
		}
		return false // continue to collect all
	})
	return list
}

// value tests one value of a document.
func (t *Test) value(f Field, v reflect.Value) bool {
	if v.Kind() == reflect.Map {
		return true // this tests only for existence
	}
	switch f.Kind {
	case String:
		return t.Text(v.String())
	case Integer:
		n := v.Int()
		// A zero that means "no value" never passes.
		return (n != 0 || f.Has0()) && t.Integer(n)
	case Real:
		x := v.Float()
		return (x != 0 || f.Has0()) && t.Real(x)
	case Boolean:
		return t.Boolean(v.Bool())
	case Time:
		at, ok := ParseTime(v.String())
		// A date that cannot be parsed counts as missing.
		return ok && t.Time(at)
	}
	return t.c.Value.Any
}

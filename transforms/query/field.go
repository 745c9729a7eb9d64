package query

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/schemas"
)

// Kind is the kind of a field's values.
type Kind uint8

// The kinds of fields.
const (
	String  Kind = iota + 1 // text, compared byte by byte
	Integer                 // int64
	Real                    // float64
	Boolean                 // true or false; a document without the field has false
	Time                    // a moment, or a date as a page declares it, see ParseTime
	Message                 // an object, a map or a list of these, which can only be tested for existence
)

func (k Kind) String() string {
	return [...]string{
		"nothing", "a text", "a whole number", "a number", "true or false", "a date", "no value but *",
	}[k]
}

// Field describes a field of schemas.Document.
type Field struct {
	Name string // path of JSON names; for values of a map the map's name
	Kind Kind   // kind of its values, or of the elements of its lists
	// Repeated means that a document may have several values: the path goes through a list.
	Repeated bool
	// Map means that the field is a map from names to values of the kind. A comparison names the key after it.
	Map bool
	// Zero means that a document without the field has 0. It is set for counts, whose JSON omits 0. Without it the
	// document has no value.
	Zero bool
	// omitted means that a zero value of Go counts as missing.
	omitted bool
	path    []int // arguments of reflect.Value.Field; lists, maps and pointers in between are followed
}

// Column returns the top-level column of the field.
func (f Field) Column() string {
	column, _, _ := strings.Cut(f.Name, ".")
	return column
}

// Has0 reports whether 0 is a value in a field of numbers. If its JSON omits 0, that holds only for counts.
func (f Field) Has0() bool { return !f.omitted || f.Zero }

// aliases are short names of frequently used fields.
var aliases = map[string]string{
	"lang": "language", "mime": "mime_detected", "source": "source_id", "entity": "entities.text",
}

// fields returns all fields: as a list in the order of schemas.Document, and by name.
var fields = sync.OnceValues(func() ([]Field, map[string]Field) {
	list := fieldsOf(schemas.Columns(), Field{})
	names := make(map[string]Field, len(list))
	for _, f := range list {
		names[f.Name] = f
	}
	return list, names
})

// Fields returns the fields that filters can name, in the order of schemas.Document.
func Fields() []Field {
	list, _ := fields()
	return list
}

// fieldsOf returns the fields of columns of f, or of documents if f has no name.
func fieldsOf(columns []schemas.Column, f Field) (list []Field) {
	for _, c := range columns {
		sub := f
		sub.Name = strings.TrimPrefix(f.Name+"."+c.Name, ".")
		sub.path = append(f.path[:len(f.path):len(f.path)], c.Place)
		sub.omitted, sub.Zero = c.Optional, c.Count
		list = append(append(list, sub.of(c)), fieldsOf(c.Columns, sub.of(c))...)
	}
	return list
}

// of returns the field with the properties of its column's type.
func (f Field) of(c schemas.Column) Field {
	t := c.Type
	for {
		switch t.Kind() {
		case reflect.Pointer:
			f.omitted = f.omitted && t.Elem().Kind() == reflect.Struct // a pointer to 0 is a value
		case reflect.Slice:
			// A value in a list or a map exists even if it is 0.
			f.Repeated, f.omitted = true, false
		case reflect.Map:
			f.Map, f.omitted = true, false
		default:
			f.Kind = kindOf(t)
			if c.Time != schemas.NoTime {
				f.Kind = Time
			}
			return f
		}
		t = t.Elem()
	}
}

func kindOf(t reflect.Type) Kind {
	switch t.Kind() {
	case reflect.Struct:
		return Message
	case reflect.Bool:
		return Boolean
	case reflect.Int, reflect.Int64:
		return Integer
	case reflect.Float64:
		return Real
	case reflect.String:
		return String
	}
	panic("query: no kind for " + t.String())
}

// maxKey bounds the key of a map, in bytes: a list of values repeats it for each.
const maxKey = 256

// Lookup returns the field of a path, which may begin with an alias. For "custom.price" it returns the map custom and
// the key. The error for an unknown name suggests similar ones. Fields have priority: a path with a dot may be a field
// of a list's elements, such as "entities.text".
func Lookup(path string) (f Field, key string, err error) {
	_, names := fields()
	if full, ok := aliases[path]; ok {
		path = full
	}
	if f, ok := names[path]; ok {
		return f, "", nil
	}
	if column, key, ok := strings.Cut(path, "."); ok {
		if f := names[column]; f.Map {
			switch {
			case key == "":
				return Field{}, "", fmt.Errorf("the key of %s is empty", column)
			case len(key) > maxKey:
				return Field{}, "", fmt.Errorf("the key of %s has %d bytes, more than %d", column, len(key), maxKey)
			}
			return f, key, nil
		}
	}
	return Field{}, "", fmt.Errorf("unknown field %q%s", clip(path), suggestion(path))
}

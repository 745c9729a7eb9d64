package jsonl

import (
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// A plan appends the JSON of the value at p, which is of the plan's type. The bytes are those of encoding/json without
// escapes of HTML. An error says only that encoding/json must write the value, which then describes the problem.
type plan func(b []byte, p unsafe.Pointer) ([]byte, error)

// appender is implemented by types with a MarshalJSON that AppendJSON does without memory of its own.
type appender interface {
	AppendJSON(b []byte) ([]byte, error)
}

// plans are the plans by type; nil for types without one.
var plans sync.Map

// appendValue appends the JSON of v, which it can if v is a pointer to a struct of plain fields, such as a document.
func appendValue(b []byte, v any) (line []byte, ok bool) {
	value := reflect.ValueOf(v)
	if value.Kind() != reflect.Pointer || value.IsNil() {
		return nil, false
	}
	t := value.Type().Elem()
	known, found := plans.Load(t)
	if !found {
		known, _ = plans.LoadOrStore(t, planOf(t, nil))
	}
	write := known.(plan)
	if write == nil {
		return nil, false
	}
	line, err := write(b, value.UnsafePointer())
	return line, err == nil
}

// planOf returns the plan of a type inside others, or nil if encoding/json must write it. Such a type is recursive, has
// methods for JSON, or is of a kind that records do not have.
func planOf(t reflect.Type, outer []reflect.Type) plan {
	implements := reflect.PointerTo(t).Implements
	switch {
	case slices.Contains(outer, t):
		return nil
	case implements(reflect.TypeFor[appender]()):
		return func(b []byte, p unsafe.Pointer) ([]byte, error) {
			return reflect.NewAt(t, p).Interface().(appender).AppendJSON(b)
		}
	case implements(reflect.TypeFor[json.Marshaler]()), implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return nil
	}
	outer = append(outer, t)
	switch t.Kind() {
	case reflect.String:
		return func(b []byte, p unsafe.Pointer) ([]byte, error) { return appendText(b, *(*string)(p)), nil }
	case reflect.Bool:
		return func(b []byte, p unsafe.Pointer) ([]byte, error) { return strconv.AppendBool(b, *(*bool)(p)), nil }
	case reflect.Int:
		return func(b []byte, p unsafe.Pointer) ([]byte, error) {
			return strconv.AppendInt(b, int64(*(*int)(p)), 10), nil
		}
	case reflect.Int64:
		return func(b []byte, p unsafe.Pointer) ([]byte, error) { return strconv.AppendInt(b, *(*int64)(p), 10), nil }
	case reflect.Pointer:
		return pointerPlan(planOf(t.Elem(), outer))
	case reflect.Slice:
		return slicePlan(t.Elem(), planOf(t.Elem(), outer))
	case reflect.Map:
		return mapPlan(t, planOf(t.Elem(), outer))
	case reflect.Struct:
		return structPlan(t, outer)
	}
	return nil
}

func pointerPlan(elem plan) plan {
	if elem == nil {
		return nil
	}
	return func(b []byte, p unsafe.Pointer) ([]byte, error) {
		if p = *(*unsafe.Pointer)(p); p == nil {
			return append(b, "null"...), nil
		}
		return elem(b, p)
	}
}

func slicePlan(t reflect.Type, elem plan) plan {
	if elem == nil {
		return nil
	}
	return func(b []byte, p unsafe.Pointer) ([]byte, error) {
		list := *(*[]byte)(p) // all slices begin with the same words; only these two are used
		at, n := unsafe.Pointer(unsafe.SliceData(list)), len(list)
		if list == nil {
			return append(b, "null"...), nil
		}
		start := len(b)
		for i := range n {
			var err error
			if b, err = elem(append(b, ','), unsafe.Add(at, uintptr(i)*t.Size())); err != nil {
				return nil, err
			}
		}
		return enclose(b, start, '[', ']'), nil
	}
}

// mapPlan is for keys that are strings; they are sorted.
func mapPlan(t reflect.Type, elem plan) plan {
	if elem == nil || t.Key() != reflect.TypeFor[string]() {
		return nil
	}
	return func(b []byte, p unsafe.Pointer) ([]byte, error) {
		if *(*unsafe.Pointer)(p) == nil {
			return append(b, "null"...), nil
		}
		start := len(b)
		if t == reflect.TypeFor[map[string]string]() {
			m := *(*map[string]string)(p)
			for _, key := range slices.Sorted(maps.Keys(m)) {
				b = appendText(append(appendText(append(b, ','), key), ':'), m[key])
			}
			return enclose(b, start, '{', '}'), nil
		}
		m, value := reflect.NewAt(t, p).Elem(), reflect.New(t.Elem())
		keys := m.MapKeys()
		slices.SortFunc(keys, func(x, y reflect.Value) int { return strings.Compare(x.String(), y.String()) })
		for _, key := range keys {
			value.Elem().Set(m.MapIndex(key))
			var err error
			if b, err = elem(append(appendText(append(b, ','), key.String()), ':'), value.UnsafePointer()); err != nil {
				return nil, err
			}
		}
		return enclose(b, start, '{', '}'), nil
	}
}

// enclose puts brackets around the parts from start on, which all begin with a comma.
func enclose(b []byte, start int, begin, end byte) []byte {
	if len(b) == start {
		return append(b, begin, end)
	}
	b[start] = begin
	return append(b, end)
}

// field is a field of a struct.
type field struct {
	name   string // as JSON, after a comma and with its colon
	offset uintptr
	write  plan
	empty  func(p unsafe.Pointer) bool // whether an optional field is left out; nil for others
}

func structPlan(t reflect.Type, outer []reflect.Type) plan {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() && !f.Anonymous {
			continue
		}
		one := field{name: `,"` + tag + `":`, offset: f.Offset, write: planOf(f.Type, outer)}
		same := func(o field) bool { return o.name == one.name }
		if f.Anonymous || !plainName(tag) || one.write == nil || slices.ContainsFunc(fields, same) {
			return nil
		}
		switch options {
		case "":
		case "omitempty":
			if one.empty = emptyOf(f.Type); one.empty == nil {
				return nil
			}
		default:
			return nil
		}
		fields = append(fields, one)
	}
	return func(b []byte, p unsafe.Pointer) ([]byte, error) {
		start := len(b)
		for i := range fields {
			f := &fields[i]
			at := unsafe.Add(p, f.offset)
			if f.empty != nil && f.empty(at) {
				continue
			}
			var err error
			if b, err = f.write(append(b, f.name...), at); err != nil {
				return nil, err
			}
		}
		return enclose(b, start, '{', '}'), nil
	}
}

// plainName reports whether a name of a field is written as it is.
func plainName(name string) bool {
	for _, c := range []byte(name) {
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return name != ""
}

// emptyOf returns what reports whether a value of a type is empty, as omitempty has it. It is nil for other kinds.
func emptyOf(t reflect.Type) func(p unsafe.Pointer) bool {
	switch t.Kind() {
	case reflect.String:
		return func(p unsafe.Pointer) bool { return *(*string)(p) == "" }
	case reflect.Bool:
		return func(p unsafe.Pointer) bool { return !*(*bool)(p) }
	case reflect.Int:
		return func(p unsafe.Pointer) bool { return *(*int)(p) == 0 }
	case reflect.Int64:
		return func(p unsafe.Pointer) bool { return *(*int64)(p) == 0 }
	case reflect.Float64:
		return func(p unsafe.Pointer) bool { return *(*float64)(p) == 0 }
	case reflect.Pointer:
		return func(p unsafe.Pointer) bool { return *(*unsafe.Pointer)(p) == nil }
	case reflect.Slice:
		return func(p unsafe.Pointer) bool { return len(*(*[]byte)(p)) == 0 }
	case reflect.Map:
		return func(p unsafe.Pointer) bool { return reflect.NewAt(t, p).Elem().Len() == 0 }
	}
	return nil
}

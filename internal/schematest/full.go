// Package schematest makes documents for tests.
package schematest

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// Full returns a document in which every field is set, the nested ones too, found by reflection.
func Full(t testing.TB) *schemas.Document {
	t.Helper()
	d := &schemas.Document{}
	n := 0
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		n++
		switch v.Kind() {
		case reflect.String:
			v.SetString(fmt.Sprintf("value %d é", n))
		case reflect.Int, reflect.Int64:
			v.SetInt(int64(n))
		case reflect.Float64:
			v.SetFloat(float64(n) / 8)
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem())
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			fill(v.Index(0))
			fill(v.Index(1))
		case reflect.Map:
			v.Set(reflect.MakeMap(v.Type()))
			for _, key := range []string{"b", "a", "c"} {
				value := reflect.New(v.Type().Elem()).Elem()
				fill(value)
				v.SetMapIndex(reflect.ValueOf(key), value)
			}
		case reflect.Struct:
			for _, field := range v.Fields() {
				fill(field)
			}
		default:
			t.Fatalf("a field of kind %v", v.Kind())
		}
	}
	fill(reflect.ValueOf(d).Elem())
	d.Timestamp = "2024-05-17T12:00:00.25Z"
	d.CustomTimes = map[string][]string{"a": {"2024-05-17T12:00:00.25Z", "1969-12-31T23:59:59Z"}}
	return d
}

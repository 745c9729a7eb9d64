package jsonl

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"time"

	mathrand "math/rand"

	"github.com/gleaner-web/gleaner/schemas"
)

// plain returns what encoding/json writes.
func plain(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// sameJSON compares v's line with that of encoding/json.
func sameJSON(t *testing.T, v any) {
	t.Helper()
	got, ok := appendValue([]byte("before"), v)
	if !ok {
		t.Fatalf("%T has no plan", v)
	}
	want, err := plain(v)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != "before"+want {
		t.Errorf("%T:\n got %q\nwant %q", v, got, "before"+want)
	}
}

// TestAppendValue: random records, with and without each field, have the bytes of encoding/json.
func TestAppendValue(t *testing.T) {
	random := mathrand.New(mathrand.NewSource(1))
	for _, v := range []any{schemas.Document{}, schemas.Reject{}, schemas.FeedCapture{}} {
		sameJSON(t, reflect.New(reflect.TypeOf(v)).Interface())
		for range 100 {
			value, ok := quick.Value(reflect.TypeOf(v), random)
			if !ok {
				t.Fatalf("%T cannot be made", v)
			}
			record := reflect.New(value.Type())
			record.Elem().Set(value)
			for i := range value.NumField() { // one in three is empty, and lists may be so without being nil
				switch f := record.Elem().Field(i); {
				case random.Intn(3) > 0:
				case f.Kind() == reflect.Slice && random.Intn(2) > 0:
					f.Set(reflect.MakeSlice(f.Type(), 0, 1))
				case f.Kind() == reflect.Map && random.Intn(2) > 0:
					f.Set(reflect.MakeMap(f.Type()))
				default:
					f.SetZero()
				}
			}
			sameJSON(t, record.Interface())
		}
	}
}

// TestAppendValue_kinds: fields in all forms that have a plan.
func TestAppendValue_kinds(t *testing.T) {
	type inner struct {
		A string   `json:"a,omitempty"`
		B []string `json:"b"`
	}
	type record struct {
		hidden int
		M      map[string]inner   `json:"m"`
		S      map[string]string  `json:"s"`
		P      **inner            `json:"p"`
		L      [][]inner          `json:"l,omitempty"`
		F      *schemas.Float     `json:"f,omitempty"`
		G      schemas.Float      `json:"g,omitempty"`
		E      struct{}           `json:"e"`
		N      []struct{}         `json:"n"`
		O      []*bool            `json:"o"`
		Q      map[string][]int64 `json:"q,omitempty"`
	}
	yes, in, f := true, &inner{}, schemas.Float(math.Copysign(0, -1))
	sameJSON(t, &record{hidden: 1})
	sameJSON(t, &record{
		M: map[string]inner{"b\"": {B: []string{}}, "": {A: "<&>"}, "a": {}},
		S: map[string]string{"z": "", "\u2028": "\xff"},
		P: &in, L: [][]inner{nil, {}, {{}, {A: "x", B: []string{"", "y"}}}}, F: &f, G: f, N: make([]struct{}, 3),
		O: []*bool{nil, &yes}, Q: map[string][]int64{"x": {math.MinInt64}},
	})
}

// TestAppendValue_others: encoding/json writes types without a plan, and describes errors.
func TestAppendValue_others(t *testing.T) {
	type tree struct {
		Next *tree `json:"next"`
	}
	// a struct of a field for each of the types, all with the tag
	record := func(tag string, types ...reflect.Type) any {
		var fields []reflect.StructField
		for i, t := range types {
			name := string(rune('A' + i))
			fields = append(fields, reflect.StructField{Name: name, Type: t, Tag: reflect.StructTag(tag)})
		}
		return reflect.New(reflect.StructOf(fields)).Interface()
	}
	const a = `json:"a"`
	text := reflect.TypeFor[string]()
	if _, ok := appendValue(nil, record(a, text)); !ok {
		t.Error("a text has no plan")
	}
	for name, v := range map[string]any{
		"nil": nil, "value": schemas.Reject{}, "nil pointer": (*schemas.Reject)(nil), "recursive": &tree{Next: &tree{}},
		"embedded": &struct{ schemas.Reject }{}, "bytes": record(a, reflect.TypeFor[[]byte]()),
		"time": record(a, reflect.TypeFor[time.Time]()), "any": record(a, reflect.TypeFor[any]()),
		"number": record(a, reflect.TypeFor[float64]()), "raw": record(a, reflect.TypeFor[json.RawMessage]()),
		"no tag": record("", text), "left out": record(`json:"-"`, text), "quoted": record(`json:"a,string"`, text),
		"odd name": record(`json:"a b"`, text), "twice": record(a, text, text),
		"keys":         record(a, reflect.TypeFor[map[int]string]()),
		"not a number": &schemas.Sentiment{Score: schemas.Float(math.NaN())},
	} {
		if got, ok := appendValue(nil, v); ok {
			t.Errorf("%s: %q has a plan", name, got)
		}
	}
	w, err := NewWriter(&bytes.Buffer{}, None)
	if err != nil {
		t.Fatal(err)
	}
	infinite := &schemas.Sentiment{Score: schemas.Float(math.Inf(1))}
	_, want := plain(infinite)
	if err := w.Write(infinite); err == nil || err.Error() != "jsonl: "+want.Error() {
		t.Errorf("Write = %v, want %v", err, want)
	}
}

// TestAppendText: each byte at each place of a word, and characters that end at its end.
func TestAppendText(t *testing.T) {
	odds := append(bytesOf(), "\u2028", "\u2029", "\u2027", "é", "\U0010ffff", "\xff", "\xe2\x80", "\ufffd")
	for _, odd := range odds {
		for n := range 20 {
			for _, s := range []string{strings.Repeat("a", n) + odd, strings.Repeat("ü", n) + odd + odd + "abcdefghi\"x"} {
				want, err := plain(s)
				if got := string(appendText(nil, s)); err != nil || got != want {
					t.Fatalf("appendText(%q) = %s, want %s", s, got, want)
				}
			}
		}
	}
}

// bytesOf returns all bytes, each as a text.
func bytesOf() (all []string) {
	for c := range 256 {
		all = append(all, string([]byte{byte(c)}))
	}
	return all
}

func FuzzAppendText(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		b := make([]byte, random.IntN(60))
		for i := range b {
			b[i] = "\"\\\n\x00\x7f \xe2\x80\xa8abcdef<>"[random.IntN(17)]
		}
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := plain(s)
		if got := string(appendText(nil, s)); err != nil || got != want {
			t.Errorf("appendText(%q) = %s, want %s", s, got, want)
		}
	})
}

package schemas

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestAttack16_floatsAlwaysHaveAPoint: whole numbers too, or tools that guess a column's type from its first values
// take it for one of integers.
func TestAttack16_floatsAlwaysHaveAPoint(t *testing.T) {
	for in, want := range map[float64]string{
		0: "0.0", math.Copysign(0, -1): "0.0", 1: "1.0", -1: "-1.0", 0.5: "0.5", 4.25: "4.25",
		1e20: "100000000000000000000.0",
		1e21: "1e+21", 1e-7: "1e-07", 1.0 / 3: "0.3333333333333333", math.MaxFloat64: "1.7976931348623157e+308",
	} {
		d := Document{
			Languages: []Language{{Share: Float(in)}}, MetaConfidence: map[string]Float{"title": Float(in)},
			Quality: &Quality{MeanWordLength: Float(in)},
		}
		b, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{`"share":`, `"title":`, `"mean_word_length":`} {
			if !regexp.MustCompile(field + regexp.QuoteMeta(want) + `[,}]`).Match(b) {
				t.Errorf("%v: %s, want %s%s", in, b, field, want)
			}
		}
		var back Document
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, d) {
			t.Errorf("%s comes back as %+v, %v", b, back, err)
		}
	}
	for _, in := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if b, err := json.Marshal(Float(in)); err == nil {
			t.Errorf("%v is written as %s", in, b)
		}
	}
}

// TestAttack16_noFieldIsAPlainFloat: all that is written as JSON writes its floats as Float does.
func TestAttack16_noFieldIsAPlainFloat(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(path string, x reflect.Type)
	walk = func(path string, x reflect.Type) {
		switch x.Kind() {
		case reflect.Float32, reflect.Float64:
			if x != reflect.TypeFor[Float]() {
				t.Errorf("%s is of type %v", path, x)
			}
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(path, x.Elem())
		case reflect.Struct:
			if seen[x] {
				return
			}
			seen[x] = true
			for f := range x.Fields() {
				walk(path+"."+f.Name, f.Type)
			}
		}
	}
	for _, x := range []reflect.Type{
		reflect.TypeFor[Document](), reflect.TypeFor[FeedCapture](), reflect.TypeFor[Reject](),
		reflect.TypeFor[Manifest](),
	} {
		walk(x.Name(), x)
	}
}

// BenchmarkDocument_marshal is what the floats of a page with 60 entities cost.
func BenchmarkDocument_marshal(b *testing.B) {
	d := &Document{Text: strings.Repeat("Words and more words. ", 200), Quality: &Quality{MeanWordLength: 4.25}}
	for i := range 60 {
		d.Entities = append(d.Entities, Entity{
			Type: "person", Text: "Ada Lovelace", Source: "tagger",
			Confidence: Float(i) / 60,
		})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := json.Marshal(d); err != nil {
			b.Fatal(err)
		}
	}
}

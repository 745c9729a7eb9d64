package source

import (
	"math"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// FuzzAppendParts: the output is the same as that of package encoding/json.
func FuzzAppendParts(f *testing.F) {
	f.Add("place", "Paris", 3, 0.125, "2026-03-01T00:00:00Z")
	f.Add("a\"\\\n\x00\x7f", "<b>&\u2028\xff ñ", 0, 1e-9, "")
	f.Add("", "", -1, 1.0, "x")
	f.Fuzz(func(t *testing.T, kind, text string, n int, x float64, next string) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return
		}
		list := []schemas.SourceEntity{{Type: kind, Text: text, Pages: n}, {Type: text, Text: kind}}
		rate := schemas.Float(x)
		refresh := schemas.SourceRefresh{Rate: rate, Interval: -rate, Next: next, Basis: kind, Window: n, Lost: n}
		health := schemas.SourceHealth{State: text, Failures: rate, Last: []int{n, 200}}
		for _, pair := range [][2][]byte{
			{appendEntities(nil, list), appendJSON(nil, list)},
			{appendEntities(nil, list[:0]), appendJSON(nil, list[:0])},
			{appendRefresh(nil, refresh), appendJSON(nil, refresh)},
			{appendHealth(nil, health), appendJSON(nil, health)},
			{appendHealth(nil, schemas.SourceHealth{Last: []int{}}), appendJSON(nil, schemas.SourceHealth{Last: []int{}})},
		} {
			if string(pair[0]) != string(pair[1]) {
				t.Errorf("%s, want %s", pair[0], pair[1])
			}
		}
	})
}

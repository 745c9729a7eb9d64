package schemas

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestDocument_SetCustom(t *testing.T) {
	for _, tt := range []struct {
		of     ValueType
		values string
		want   string // JSON, or a part of the error
	}{
		{TypeText, "a|b", `"custom":{"x":["a","b"]}`},
		{TypeInteger, "3|-9223372036854775808|007", `"custom_integers":{"x":[3,-9223372036854775808,7]}`},
		{TypeInteger, "1.5", "not a whole number"},
		{TypeInteger, "9223372036854775808", "not a whole number"},
		{TypeInteger, "", "not a whole number"},
		{TypeFloat, "1|.5|-1e300", `"custom_floats":{"x":[1.0,0.5,-1e+300]}`},
		{TypeFloat, "NaN", "not a finite number"},
		{TypeFloat, "1e999", "not a finite number"},
		{TypeFloat, "cheap", "not a finite number"},
		{TypeBoolean, "true|false", `"custom_booleans":{"x":[true,false]}`},
		{TypeBoolean, "1", "neither true nor false"},
		{
			TypeTime, "2026-03-04|2026-03-04T10:30:00+01:00|2026-03-04T10:30:00.1234567Z",
			`"custom_times":{"x":["2026-03-04T00:00:00Z",` +
				`"2026-03-04T09:30:00Z","2026-03-04T10:30:00.123456Z"]}`,
		},
		{TypeTime, "yesterday", "not a time"},
		{TypeTime, "0001-01-01", "not a time"},
		{TypeTime, "2262-01-01", "not a time"},
		{"number", "1", `no type "number"`},
	} {
		d := &Document{}
		err := d.SetCustom("x", tt.of, strings.Split(tt.values, "|"))
		b, failed := json.Marshal(d)
		if failed != nil {
			t.Fatal(failed)
		}
		got := string(b)
		if err != nil {
			got = err.Error()
			if d.CustomColumns() != nil {
				t.Errorf("%s %q: columns %q after an error", tt.of, tt.values, d.CustomColumns())
			}
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s %q: %s, want %s", tt.of, tt.values, got, tt.want)
		}
	}
	d := &Document{}
	for of, values := range map[ValueType][]string{
		TypeText: {"a"}, TypeInteger: {"1", "2"}, TypeFloat: nil,
		TypeTime: {"2026-01-01"},
	} {
		if err := d.SetCustom(string(of), of, values); err != nil {
			t.Fatal(err)
		}
	}
	if got := d.CustomColumns(); !slices.Equal(got, []string{"integer", "text", "time"}) {
		t.Errorf("columns %q", got)
	}
	if got := d.CustomTexts("integer"); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("texts %q", got)
	}
}

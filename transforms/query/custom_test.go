package query

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// shopTypes are the types of the columns in TestBind's documents.
var shopTypes = map[string]schemas.ValueType{
	"price": schemas.TypeInteger, "score": schemas.TypeFloat, "sold": schemas.TypeBoolean, "seen": schemas.TypeTime,
	"name": schemas.TypeText,
}

// TestBind: with the types of a collection, a filter matches the same documents from an extractor with types and from
// an earlier one without.
func TestBind(t *testing.T) {
	docs := map[string]string{
		"typed": `{"custom_integers": {"price": [9, 10]}, "custom_floats": {"score": [0.5]}, "custom_booleans": {"sold": [false]},
			"custom_times": {"seen": ["2026-03-04T10:30:00Z"]}, "custom": {"name": ["tea"]}}`,
		"older": `{"custom": {"price": ["9", "10"], "score": [".5"], "sold": ["false"], "seen": ["2026-03-04T11:30:00+01:00"],
			"name": ["tea"]}}`,
		"none":  `{"custom_integers": {"other": [9]}}`,
		"other": `{"custom": {"price": ["cheap"], "score": ["x"], "sold": ["no"], "seen": ["once"], "name": ["4"]}}`,
	}
	for filter, want := range map[string]string{
		"custom.price > 9":                           "typed older",
		"custom.price = 9":                           "typed older",
		"custom.price:10":                            "typed older",
		"custom.price < 9":                           "",
		"custom.price <= 10":                         "typed older",
		"custom.price != 9":                          "none other",
		"custom.price != 11":                         "typed older none other",
		"custom.price:*":                             "typed older other",
		"custom.price != *":                          "none",
		"custom:price":                               "typed older other",
		"custom.score >= .5":                         "typed older",
		"custom.score = 0.50":                        "typed older",
		"custom.sold = false":                        "typed older",
		"custom.sold = true":                         "",
		"custom.sold != false":                       "none other",
		"custom.seen = 2026-03":                      "typed older",
		"custom.seen > 2026-03-04":                   "",
		"custom.name = tea":                          "typed older",
		"custom.name:*":                              "typed older other",
		"NOT (custom.price > 9 OR custom.score > 9)": "none other",
		"custom_integers.price > 9":                  "typed older",
		"custom_integers:*":                          "typed none",
		"custom:*":                                   "typed older none other",
		"custom != *":                                "",
	} {
		e, err := Parse(filter)
		if err == nil {
			e, err = Bind(e, shopTypes)
		}
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		if again, err := Parse(e.String()); err != nil || again.String() != e.String() {
			t.Errorf("%s: as text %s, %v", filter, e, err)
		}
		var got []string
		for name, text := range docs {
			d := &schemas.Document{}
			if err := json.Unmarshal([]byte(text), d); err != nil {
				t.Fatal(err)
			}
			if Match(e, d) {
				got = append(got, name)
			}
		}
		expected := strings.Fields(want)
		slices.Sort(got)
		slices.Sort(expected)
		if !slices.Equal(got, expected) {
			t.Errorf("%s takes %q, want %q", filter, got, expected)
		}
	}
}

// TestBind_refuses: values that do not fit a type are reported, and not compared as texts.
func TestBind_refuses(t *testing.T) {
	for filter, want := range map[string]string{
		"custom.price = cheap":                  "custom.price has values of the type integer",
		"custom.price > 1.5":                    "takes a whole number",
		"custom.price = 1*":                     "a star goes with texts",
		"lang = fr AND NOT custom.score = high": "takes a number",
		"custom.sold > true":                    "= and != go with it",
		"custom.sold = yes":                     "takes true or false",
		"custom.seen < yesterday":               "takes a date",
		"custom_floats.score = high":            "takes a number",
	} {
		e, err := Parse(filter)
		if err == nil {
			_, err = Bind(e, shopTypes)
		}
		var typed *TypeError
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(filter, "custom.") != errors.As(err,
			&typed) {
			t.Errorf("%s: %v, want %q", filter, err, want)
		}
	}
	for _, filter := range []string{"custom.name = 4", "custom.unknown > 3", "custom.price:*", "title = 3"} {
		e, err := Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		if bound, err := Bind(e, shopTypes); err != nil || bound.String() != e.String() {
			t.Errorf("%s: %v, %v, want it as it is", filter, bound, err)
		}
	}
}

// TestBind_mixed: comparisons that do not fit the type of a column stay as they are if it may hold texts, too.
func TestBind_mixed(t *testing.T) {
	for filter, want := range map[string]string{
		"custom.price = cheap":                     "custom.price = cheap",
		"NOT (custom.price = 4 OR custom.price:c)": "NOT (custom_integers.price = 4 OR custom.price:c)",
		"custom.price > 9 custom.price != b*":      "custom_integers.price > 9 custom.price != b*",
		"custom.price = 4.50":                      "custom.price = 4.50",
		"custom.score = high":                      "",
	} {
		e, err := Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		bound, err := Bind(e, shopTypes, "price")
		if want == "" {
			if err == nil {
				t.Errorf("%s: no error", filter)
			}
			continue
		}
		as, parseErr := Parse(want)
		if err != nil || parseErr != nil || bound.String() != as.String() {
			t.Errorf("%s: %v, %v, want %v, %v", filter, bound, err, as, parseErr)
		}
	}
}

// TestCompare_typesUnknown: if no manifest has the types, each value is compared by its own type.
func TestCompare_typesUnknown(t *testing.T) {
	d := &schemas.Document{
		CustomIntegers: map[string][]int64{"price": {10}}, CustomBooleans: map[string][]bool{"sold": {false}},
		CustomTimes:  map[string][]string{"seen": {"2026-03-04T10:30:00Z"}},
		CustomFloats: map[string][]schemas.Float{"score": {.5}},
		Custom:       map[string][]string{"name": {"tea"}},
	}
	for filter, want := range map[string]bool{
		"custom.price > 9": true, "custom.price = 10": true, "custom.price = cheap": false, "custom.price != cheap": true,
		"custom.sold = false": true, "custom.sold:*": true, "custom.seen > 2025": true, "custom.score < 1": true,
		"custom.name = t*": true,
		"custom.none = 1":  false, "custom.none != 1": true,
	} {
		e, err := Parse(filter)
		if err != nil || Match(e, d) != want {
			t.Errorf("%s: %v, %v, want %v", filter, !want, err, want)
		}
	}
}

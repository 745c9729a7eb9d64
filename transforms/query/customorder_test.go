package query

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// byOrder evaluates a comparison like a back end that has the sort values of a document.
func byOrder(r CustomRange, d *schemas.Document) bool {
	some := false
	for column, n := range CustomOrders(d) {
		if column.Key == r.Key && slices.Contains(r.Types, column.Type) && r.First <= n && n <= r.Last {
			some = true
		}
	}
	return some != r.Negated
}

// TestCompare_Custom: with sort values, each comparison matches the same as Match. This is tested at the limits of
// each type and with all operators, for typed values and texts.
func TestCompare_Custom(t *testing.T) {
	var docs []*schemas.Document
	for _, n := range []int64{math.MinInt64, math.MinInt64 + 1, -7, -1, 0, 1, 7, math.MaxInt64 - 1, math.MaxInt64} {
		docs = append(docs, &schemas.Document{CustomIntegers: map[string][]int64{"k": {n}}},
			&schemas.Document{Custom: map[string][]string{"k": {fmt.Sprint(n), "x"}}})
	}
	for _, x := range []float64{
		-math.MaxFloat64, -1.5, -math.SmallestNonzeroFloat64, math.Copysign(0, -1), 0, math.SmallestNonzeroFloat64, .5, 1.5,
		math.MaxFloat64,
	} {
		docs = append(docs, &schemas.Document{CustomFloats: map[string][]schemas.Float{"k": {schemas.Float(x)}}},
			&schemas.Document{Custom: map[string][]string{"k": {fmt.Sprint(x)}}})
	}
	for _, at := range []string{
		"0000-01-01T00:00:00Z", "1678-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00Z", "2026-03-01",
		"2026-03-04T10:30:00Z", "2026-03-04T10:30:00.999999Z", "2026-03-04T10:30:00.9999999Z", "2026-03-04T10:30:01+01:00",
		"2026-04-01T00:00:00Z", "9999-12-31T23:59:59Z", "once",
	} {
		docs = append(docs, &schemas.Document{CustomTimes: map[string][]string{"k": {at}}},
			&schemas.Document{Custom: map[string][]string{"k": {at}}})
	}
	docs = append(docs, &schemas.Document{}, &schemas.Document{CustomIntegers: map[string][]int64{"k": {}, "j": {1}}},
		&schemas.Document{CustomBooleans: map[string][]bool{"k": {false}}, CustomIntegers: map[string][]int64{"k": {3, -3}}},
		&schemas.Document{CustomBooleans: map[string][]bool{"k": {true, false}}, Custom: map[string][]string{"k": {"9"}}},
		&schemas.Document{Custom: map[string][]string{"k": {"true", ""}}},
		&schemas.Document{CustomTimes: map[string][]string{"k": {}}})
	values := map[string][]string{
		"custom_integers": {"-9223372036854775808", "9223372036854775807", "-7", "-1", "0", "1", "3"},
		"custom_floats":   {"-1.5", "-0", "0", "0.5", "1", "-1.7976931348623157e308", "1.7976931348623157e308", "5e-324"},
		"custom_times": {
			"2026", "2026-03", "2026-03-04", "2026-03-04T10:30:00Z", "2026-03-04T10:30:00.999999Z", "1970", "1678", "9999",
		},
		"custom_booleans": {"true", "false"}, "custom": nil,
	}
	tried := 0
	for column, list := range values {
		filters := []string{column + ".k:*", column + ".k != *", column + ":k"}
		for _, v := range list {
			for _, op := range []string{"=", "!=", "<", "<=", ">", ">=", ":"} {
				filters = append(filters, fmt.Sprintf("%s.k %s %q", column, op, v))
			}
		}
		for _, filter := range filters {
			e, err := Parse(filter)
			c, is := e.(*Compare)
			if err != nil || !is {
				continue // true and false have no order for people
			}
			r, ok := c.Custom()
			if !ok {
				t.Errorf("%s is left to the documents", filter)
				continue
			}
			for _, d := range docs {
				tried++
				if got, want := byOrder(r, d), Match(e, d); got != want {
					t.Errorf("%s: %v by order (%+v), want %v for %+v", filter, got, r, want, d)
				}
			}
		}
	}
	if tried < 5000 {
		t.Errorf("only %d were tried", tried)
	}
	for _, filter := range []string{
		"custom.k = 3", "custom.k != tea", "custom_times.k > 2026-03-04T10:30:00.1234567Z", "title = k",
	} {
		e, err := Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := e.(*Compare).Custom(); ok {
			t.Errorf("%s is the range %+v, and only documents tell", filter, r)
		}
	}
}

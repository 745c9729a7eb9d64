package page

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// TestDrawings: years in order are lines, other names bars, and columns of very different sizes are apart.
func TestDrawings(t *testing.T) {
	numbered := func(names ...string) (list []view.SQLColumn) {
		for i, name := range names {
			list = append(list, view.SQLColumn{Name: name, Number: i > 0})
		}
		return list
	}
	n := func(s string) json.Number { return json.Number(s) }
	for _, c := range []struct {
		name string
		sql  view.SQL
		want string
	}{
		{"lines", view.SQL{
			Columns: numbered("year", "a", "b", "c"),
			All:     [][]any{{"2020", n("1"), n("10"), n("900.5")}, {"2021", nil, n("2"), n("1")}},
		}, "lines a, b by year; lines c by year; "},
		{"numbers as years", view.SQL{
			Columns: numbered("year", "a"), All: [][]any{{n("2020"), n("1")}, {n("2021"), n("2")}},
		}, "lines a by year; "},
		{"bars", view.SQL{
			Columns: numbered("host", "a", "b"), All: [][]any{{"y", n("1"), n("4000")}, {nil, n("2.5"), n("0")}},
		}, "bars a y=40.0%:1 –=100.0%:2.5; bars b y=100.0%:4,000 –=0.0%:0; "},
		{"years out of order", view.SQL{
			Columns: numbered("year", "a"), All: [][]any{{"2021", n("1")}, {"2020", n("2")}},
		}, "bars a 2021=50.0%:1 2020=100.0%:2; "},
		{"below 0", view.SQL{Columns: numbered("x", "a"), All: [][]any{{"y", n("-1")}, {"z", n("2")}}}, ""},
		{"infinity", view.SQL{Columns: numbered("x", "a"), All: [][]any{{"y", n("9e999")}, {"z", n("2")}}}, ""},
		{"a row", view.SQL{Columns: numbered("x", "a"), All: [][]any{{"y", n("1")}}}, ""},
		{"a column", view.SQL{Columns: numbered("x"), All: [][]any{{"y"}, {"z"}}}, ""},
		{
			"nothing",
			view.SQL{Columns: numbered("x", "a"), All: [][]any{{"y", n("0")}, {"z", n("0")}}},
			"bars a y=0.0%:0 z=0.0%:0; ",
		},
	} {
		got := ""
		for _, d := range drawings(&c.sql) {
			if d.Lines != nil {
				got += "lines " + d.Lines.Title + "; "
				continue
			}
			got += "bars " + d.Title
			for _, b := range d.Bars {
				got += fmt.Sprintf(" %s=%s:%s", b.Name, b.Width, b.Value)
			}
			got += "; "
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

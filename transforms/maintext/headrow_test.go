package maintext

import (
	"fmt"
	"strings"
	"testing"
)

const story = "<p>The council has decided on Tuesday that the old bridge over the river will be closed for repairs " +
	"until " +
	"the end of the year, which affects about two thousand commuters. It was built in the last century.</p>"

// madeTable makes a table with one of several kinds of head rows, and cells of one kind.
func madeTable(head, kind string, rows int) (table string, names []string) {
	values := map[string][]string{
		"numbers": {"Region", "Budget", "Change", "1,204", "17.5", "-3"},
		"years":   {"Country", "2022", "2023", "11", "12", "13"},
		"names":   {"Name", "City", "Office", "Bernd Maier", "Munich", "mayor"},
		"words":   {"Model", "Material", "Colour", "oak table", "wood", "brown"},
	}[kind]
	cell := "th"
	if head == "td" || head == "bold" {
		cell = "td"
	}
	var b strings.Builder
	for _, n := range values[:3] {
		if head == "bold" {
			n = "<b>" + n + "</b>"
		}
		fmt.Fprintf(&b, "<%s>%s</%s>", cell, n, cell)
	}
	row := "<tr>" + b.String() + "</tr>"
	if head == "thead" {
		row = "<thead>" + row + "</thead>"
	}
	if head == "two rows" {
		row = "<thead><tr><th colspan=3>Figures of all</th></tr>" + row + "</thead>"
		names = append(names, "Figures of all")
	}
	b.Reset()
	for i := range rows {
		fmt.Fprintf(&b, "<tr><td>%s %d</td><td>%s</td><td>%s</td></tr>", values[3], i+1, values[4], values[5])
	}
	return "<table>" + row + "<tbody>" + b.String() + "</tbody></table>", append(names, values[:3]...)
}

// TestExtract_headsOfTables makes 480 pages with a table each: if rows are kept, the head row is. On a third of the
// pages, the table is in a place without main text.
func TestExtract_headsOfTables(t *testing.T) {
	around := map[string]string{
		"in an article":        "<h1>Bridge</h1>" + story + "%s" + story,
		"behind an article":    "<article><h1>Bridge</h1>" + story + story + "</article><div>%s</div>",
		"alone":                "%s",
		"alone with a heading": "<h1>Figures</h1>%s",
		"below a menu":         "<nav><a href=/>Home</a> <a href=/n>News</a></nav><main>%s</main><footer>Imprint</footer>",
		"in a box":             "<h1>Bridge</h1>" + story + "<div class='table-responsive widget'>%s</div>" + story,
	}
	pages, kept := 0, 0
	for place, frame := range around {
		for _, head := range []string{"thead", "th", "td", "bold", "two rows"} {
			for _, kind := range []string{"numbers", "years", "names", "words"} {
				for _, rows := range []int{2, 3, 6, 15} {
					table, names := madeTable(head, kind, rows)
					text := Extract(parse("<!doctype html><title>x</title><body>"+fmt.Sprintf(frame, table)), Options{}).Text
					pages++
					if !strings.Contains(text, " 2\t") {
						continue
					}
					kept++
					for _, n := range names {
						if !strings.Contains(text, n) {
							t.Errorf("%s, %s, %s, %d rows: no %q in %q", place, head, kind, rows, n, text)
							break
						}
					}
				}
			}
		}
	}
	t.Logf("rows are kept on %d of %d pages", kept, pages)
	if kept < pages*2/3 {
		t.Errorf("rows are kept on %d of %d pages only", kept, pages)
	}
}

func TestKeepHeads(t *testing.T) {
	tests := []struct{ name, src, keep, want string }{
		{"a head of two rows", "<table><thead><tr><th>a<tr><th>b<tbody><tr><td>c<td>d</table>", "cd", "abcd"},
		{"rows of th without thead", "<table><tr><th>a<th>b<tr><th>c<th>d<tr><td>e<td>f</table>", "ef", "abcdef"},
		{"a first row", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "cd", "abcd"},
		{"one cell of a row is kept", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "c", "c"},
		{"the second row is not kept", "<table><tr><td>a<td>b<tr><td>c<td>d<tr><td>e<td>f</table>", "ef", "ef"},
		{
			"a marked head, the second row is not kept", "<table><tr><th>a<th>b<tr><td>c<td>d<tr><td>e<td>f</table>", "ef",
			"abef",
		},
		{"a first row of another form", "<table><tr><td colspan=2>a<tr><td>c<td>d</table>", "cd", "cd"},
		{"names of rows", "<table><tr><th>a<td>b<tr><th>c<td>d<tr><th>e<td>f</table>", "ef", "ef"},
		{"a list of rows", "<table><tr><td>a<tr><td>b<tr><td>c</table>", "bc", "bc"},
		{
			"two tables", "<table><tr><th>a<th>b<tr><td>c<td>d</table><table><tr><th>e<th>f<tr><td>g<td>h</table>", "gh",
			"efgh",
		},
		{"a long first row", "<table><tr><td>" + strings.Repeat("x", 81) + "<td>b<tr><td>c<td>d</table>", "cd", "cd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			keep, scores := make([]bool, len(p.Blocks)), make([]float32, len(p.Blocks))
			for i, b := range p.Blocks {
				scores[i] = .1
				keep[i] = strings.Contains(tt.keep, string(p.Text[b.Start:b.End]))
			}
			keepHeads(p, scores, keep)
			got := ""
			for i, b := range p.Blocks {
				if keep[i] {
					got += string(p.Text[b.Start:b.End])
				}
			}
			if got != tt.want {
				t.Errorf("keepHeads(%q) with %s = %s, want %s", tt.src, tt.keep, got, tt.want)
			}
		})
	}
}

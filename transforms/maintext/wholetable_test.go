package maintext

import (
	"slices"
	"strings"
	"testing"
)

// TestCompleteTables: other rows of a data table are added if they look like the kept ones.
func TestCompleteTables(t *testing.T) {
	tests := []struct{ name, src, keep, want string }{
		{
			"the last row", "<table><tr><td>Open<td>nine<tr><td>Close<td>six<tr><td>Rest<td>8</table>", "Open nine Close six",
			"Open nine Close six Rest 8",
		},
		{"with an empty cell", "<table><tr><td>a<td>b<td>c<tr><td>d<td><td>e</table>", "a b c", "a b c d e"},
		{"in sections", "<table><thead><tr><th>a<th>b<tbody><tr><td>c<td>d<tr><td>e<td>f</table>", "a b e f", "a b e f c d"},
		{"a row of one cell", "<table><tr><td>a<td>b<tr><td>to top</table>", "a b", "a b"},
		{"a figure between rows", "<table><tr><td rowspan=2>a<td>b<tr><td>7<tr><td>c<td>d</table>", "a b c d", "a b 7 c d"},
		{"a figure at the end", "<table><tr><td>a<td>b<tr><td>7</table>", "a b", "a b"},
		{"words between rows", "<table><tr><td>a<td>b<tr><td>x y 7<tr><td>c<td>d</table>", "a b c d", "a b c d"},
		{
			"rows that a cell spans", "<table><tr><td rowspan=3>a<td>b<tr><td>c<tr><td>d<tr><td>e<td>f</table>", "a b e f",
			"a b e f c d",
		},
		{"the last rows that a cell spans", "<table><tr><td>a<td rowspan=0>b<tr><td>7<tr><td>c</table>", "a b", "a b 7 c"},
		{"between two that span it", "<table><tr><td rowspan=2>a<td>b<td rowspan=2>c<tr><td>d</table>", "a b c", "a b c d"},
		{"after a span", "<table><tr><td rowspan=2>a<td>b<tr><td>c<tr><td>d</table>", "a b", "a b c"},
		{"empty cells", "<table><tr><td>a<td>b<tr><td>c<td><tr><td><td>d</table>", "a b", "a b c d"},
		{"titles of rows", "<table><tr><td>a<td>b<tr><td colspan=2>c<tr><td>d<td>e</table>", "a b d e", "a b d e c"},
		{
			"the second line of an entry", "<table><tr><td>a<td>b<td>c c<tr><td colspan=2><td>1 point</table>", "a b c",
			"a b c c",
		},
		{
			"less than half below a head", "<table><tr><th>a<th>b<tr><td>c c c c<td>d<tr><td>e<td>f</table>", "a b",
			"a b c c c c d e f",
		},
		{"a title above", "<table><tr><th colspan=2>a<tr><td>c c c c<td>d<tr><td>e<td>f</table>", "a e f", "a e f"},
		{"a wider row", "<table><tr><td>a a<td>b b<tr><td>x<td>y<td>z</table>", "a a b b", "a a b b"},
		{"less than half", "<table><tr><td>a<td>b<tr><td>c c c c<td>d<tr><td>e<td>f</table>", "a b", "a b"},
		{"another table", "<table><tr><td>a<td>b</table><table><tr><td>c<td>d</table>", "a b", "a b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			scores, keep := make([]float32, len(p.Blocks)), make([]bool, len(p.Blocks))
			for i := range p.Blocks {
				b := &p.Blocks[i]
				scores[i] = 0.1
				keep[i] = slices.Contains(strings.Fields(tt.keep), strings.Fields(string(p.Text[b.Start:b.End]))[0])
			}
			completeTables(p, scores, keep)
			var got []string
			for i, k := range keep {
				if b := &p.Blocks[i]; k {
					got = append(got, strings.Fields(string(p.Text[b.Start:b.End]))...)
				}
			}
			want := strings.Fields(tt.want)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("kept %q, want %q", got, want)
			}
		})
	}
}

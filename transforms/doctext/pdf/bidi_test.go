package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// The rightmost column of a table in Hebrew is its first, and its cells are read from the right.
func TestRead_rightToLeftTables(t *testing.T) {
	const rules = "70 612 m 400 612 l S\n70 598 m 400 598 l S\n70 565 m 400 565 l S\n"
	tests := []struct {
		name, content string
		want          []string
	}{
		{
			"three columns",
			cells(72, 600, 80, []string{"c", "b", "a"}, []string{"9", "fe 42 cba", ".ed"}, []string{"8", "g", "h"}),
			[]string{"א\tב\tג\n", "דה.\tאבג 42 הו\t9\n", "ח\tז\t8\n"},
		},
		{
			"between rules", rules + cells(72, 602, 80, []string{"dc", "ba"}, []string{"3.50", "fe"}, []string{"12%", "hg"}),
			[]string{"אב\tגד\n", "הו\t3.50\n", "זח\t12%\n"},
		},
		{
			"a last cell is empty",
			cells(72, 600, 80, []string{"c", "b", "a"}, []string{"", "2", "d"}, []string{"8", "g", "h"},
				[]string{"7", "f", "e"}),
			[]string{"א\tב\tג\n", "ד\t2\n", "ח\tז\t8\n"},
		},
		{
			"a cell in Latin letters",
			cells(72, 600, 80, []string{"c", "b", "a"}, []string{"9", "", "fed"}, []string{"8", "g", "hgf"}) +
				at("F2", 10, 152, 588, "Ada."),
			[]string{"דהו\tAda.\t9\n"},
		},
		{
			"mostly Latin letters",
			at("F2", 10, 72, 614, "Ada") + at("F2", 10, 152, 614, "Lyon") + at("F2", 10, 232, 614, "Year") +
				cells(72, 602, 80, []string{"1", "ba", "3"}, []string{"4", "5", "6"}),
			[]string{"Ada\tLyon\tYear\n1\tאב\t3\n"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			n := b.Stream("", hebrew)
			b.Resources = fmt.Sprintf("<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode %d 0 R>>"+
				"/F2<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>>>", n)
			b.Page(tt.content)
			doc := read(t, b.Bytes())
			for _, want := range tt.want {
				if !strings.Contains(doc.Text, want) {
					t.Errorf("text %q lacks %q", doc.Text, want)
				}
			}
			if !strings.Contains(doc.Markdown(), "| --- |") {
				t.Errorf("not a table: %q", doc.Markdown())
			}
		})
	}
}

package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// checkBlocks fails if the blocks of a document are not parts of its text, one after the other.
func checkBlocks(t *testing.T, doc *doctext.Document) {
	t.Helper()
	if doc == nil {
		return
	}
	end := 0
	for _, b := range doc.Blocks {
		if b.Start < end || b.End < b.Start || b.End > len(doc.Text) {
			t.Fatalf("block %+v after %d in %d bytes", b, end, len(doc.Text))
		}
		end = b.End
	}
}

// at shows text in a font of a size at (x, y).
func at(font string, size, x, y int, text string) string {
	return fmt.Sprintf("BT /%s %d Tf %d %d Td (%s) Tj ET\n", font, size, x, y, text)
}

// cells shows rows of texts, 14 units apart.
func cells(x, y, wide int, rows ...[]string) string {
	var b strings.Builder
	for r, row := range rows {
		for c, text := range row {
			b.WriteString(at("F1", 10, x+c*wide, y-14*r, text))
		}
	}
	return b.String()
}

// body shows a paragraph of four lines.
func body(y int) string {
	const line = "the keeper of the harbour writes down which boats came in and when they left"
	var b strings.Builder
	for i := range 4 {
		b.WriteString(at("F1", 10, 72, y-12*i, line))
	}
	return b.String()
}

var goods = [][]string{
	{"Item", "Price", "Year"}, {"bread", "3.20", "2019"}, {"milk", "1.10", "2020"}, {"tea", "7.00", "2021"},
}

func TestRead_structure(t *testing.T) {
	rule := func(y int) string { return fmt.Sprintf("70 %d m 400 %d l S\n", y, y) }
	const table = "| Item | Price | Year |\n| --- | --- | --- |\n| bread | 3.20 | 2019 |\n| milk | 1.10 | 2020 |\n"
	const grid = "70 528 m 70 612 l S 150 528 m 150 612 l S 400 528 m 400 612 l S\n"
	words := [][]string{{"Name", "Place"}, {"Ada", "Lyon"}, {"Emil", "Bern"}}
	tests := []struct {
		name, content string
		want          []string
		not           string
	}{
		{"larger letters", at("F1", 16, 72, 730, "The harbour") + body(700), []string{"# The harbour\n\nthe keeper"}, ""},
		{"bold letters", at("F2", 10, 72, 730, "The harbour") + body(700), []string{"# The harbour\n"}, ""},
		{
			"two levels", at("F1", 20, 72, 740, "Report") + at("F1", 14, 72, 715, "The harbour") + body(690),
			[]string{"# Report\n", "## The harbour\n"},
			"",
		},
		{"a bold sentence", at("F2", 10, 72, 730, "The harbour is closed.") + body(700), nil, "#"},
		{
			"bold words in a line", body(700) + at("F1", 10, 72, 652, "the keeper of") + at("F2", 10, 140, 652, "boats"),
			nil, "#",
		},
		{"a larger number", at("F1", 20, 72, 730, "42") + body(700), nil, "#"},
		{"numbers in columns", body(700) + cells(72, 600, 80, goods...) + body(500), []string{table}, ""},
		{
			"between rules", body(700) + rule(612) + rule(598) + cells(72, 602, 80, words...) + rule(565) + body(500),
			[]string{"| Ada | Lyon |"},
			"",
		},
		{"two columns of words without rules", body(700) + cells(72, 600, 80, words...) + body(500), nil, "|"},
		{
			"a list of contents", cells(72, 600, 200, []string{"Boats", "1"}, []string{"Ships", "4"}, []string{"Nets", "9"}),
			nil, "|",
		},
		{
			"items of a list", cells(72, 600, 20, []string{"1.", "Boats"}, []string{"2.", "Ships"}, []string{"3.", "Nets"}),
			nil, "|",
		},
		{
			"a program with numbers", cells(72, 600, 20, []string{"7", "if x"}, []string{"8", "y"}, []string{"9", "else"}),
			nil, "|",
		},
		{"columns of prose", column("a", 72, 700, 9) + column("b", 240, 700, 9), nil, "|"},
		{
			"a cell of two lines", rule(612) + rule(584) + rule(556) + rule(528) + grid +
				at("F1", 10, 72, 600, "bread") + at("F1", 10, 160, 600, "the white") + at("F1", 10, 160, 588, "one") +
				at("F1", 10, 72, 570, "tea") + at("F1", 10, 160, 570, "green") +
				at("F1", 10, 72, 540, "milk") + at("F1", 10, 160, 540, "of goats"),
			[]string{"| bread | the white one |", "| milk | of goats |"},
			"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			b.Resources = "<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>" +
				"/F2<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>>>>>"
			b.Page(tt.content)
			doc := read(t, b.Bytes())
			checkBlocks(t, doc)
			got := doc.Markdown()
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("Markdown lacks %q:\n%s", want, got)
				}
			}
			if tt.not != "" && strings.Contains(got, tt.not) {
				t.Errorf("Markdown has %q:\n%s", tt.not, got)
			}
		})
	}
}

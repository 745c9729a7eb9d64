package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// TestRead_pageMarks: pictures, hidden text and shapes are counted on each page.
func TestRead_pageMarks(t *testing.T) {
	const image = "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"
	const page, half = "q 612 0 0 792 0 0 cm /I Do Q ", "q 612 0 0 396 0 0 cm /I Do Q "
	const text = "BT /F1 12 Tf 72 400 Td (Hello) Tj ET "
	// Twenty shapes as high as letters on one baseline.
	var letters strings.Builder
	for i := range 20 {
		fmt.Fprintf(&letters, "%d 500 m %d 500 l %d 510 l h f ", 72+8*i, 78+8*i, 75+8*i)
	}
	tests := []struct {
		name, content string
		want          doctext.PageMarks
	}{
		{"text", text, doctext.PageMarks{Glyphs: 5, Inner: 5}},
		{"text at the bottom", "BT /F1 12 Tf 72 20 Td (Hello) Tj ET", doctext.PageMarks{Glyphs: 5}},
		{"invisible text", "3 Tr " + text, doctext.PageMarks{Hidden: 5}},
		{"the mode is restored", "q 3 Tr Q " + text, doctext.PageMarks{Glyphs: 5, Inner: 5}},
		{"picture", page, doctext.PageMarks{Picture: 100}},
		{"half a picture", half, doctext.PageMarks{Picture: 50}},
		{"two halves", half + "1 0 0 1 0 396 cm " + half, doctext.PageMarks{Picture: 100}},
		{"text below a picture", text + page, doctext.PageMarks{Hidden: 5, Picture: 100}},
		{"text on a picture", page + text, doctext.PageMarks{Glyphs: 5, Inner: 5, Picture: 100}},
		{
			"text below a picture with a mask", text + "q 612 0 0 792 0 0 cm /M Do Q",
			doctext.PageMarks{Glyphs: 5, Inner: 5, Picture: 100},
		},
		{"a logo", "q 30 0 0 30 0 0 cm /I Do Q", doctext.PageMarks{}},
		{"inline picture", "q 612 0 0 792 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q", doctext.PageMarks{Picture: 100}},
		{"letters as shapes", letters.String(), doctext.PageMarks{Shapes: 20}},
		{"shapes that are not filled", strings.ReplaceAll(letters.String(), " f ", " n "), doctext.PageMarks{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			i, m := b.Stream(image, "x"), b.Stream(image+"/ImageMask true", "x")
			b.Resources = fmt.Sprintf("<</Font<</F1 %s>>/XObject<</I %d 0 R/M %d 0 R>>>>", pdftest.Helvetica, i, m)
			b.Page(tt.content)
			doc, err := pdf.Read(b.Bytes(), doctext.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(doc.PageMarks) != 1 || doc.PageMarks[0] != tt.want {
				t.Errorf("PageMarks = %+v, want %+v", doc.PageMarks, tt.want)
			}
		})
	}
}

// TestRead_narrowColumns: columns that are one em apart, as LaTeX sets them, are read one after the other.
func TestRead_narrowColumns(t *testing.T) {
	left := strings.Fields("alpha bravo charlie delta echo foxtrot golf hotel india juliet")
	var content strings.Builder
	for i, word := range left {
		// Helvetica's letters are about half an em wide; the left lines end at 290, the right ones begin at 300.
		y := 700 - 12*i
		fmt.Fprintf(&content, "BT /F1 10 Tf 1 0 0 1 72 %d Tm (%s) Tj ET ", y, line(word, 218))
		fmt.Fprintf(&content, "BT /F1 10 Tf 1 0 0 1 300 %d Tm (%s) Tj ET ", y, line("z"+word, 218))
	}
	b := pdftest.New()
	b.Page(content.String())
	doc, err := pdf.Read(b.Bytes(), doctext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if last, first := strings.Index(doc.Text, "juliet"), strings.Index(doc.Text, "zalpha"); last < 0 || first < last {
		t.Errorf("the right column begins at %d, before the left one ends at %d:\n%s", first, last, doc.Text)
	}
}

// line returns a line of Helvetica at 10 points that begins with a word and is about as wide as asked.
func line(word string, width int) string {
	return word + strings.Repeat(" nnnnn", (width-6*len(word))/31)
}

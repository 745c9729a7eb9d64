package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// TestRead_bitmapFonts reads words in fonts of bitmaps whose box is right, or far too large. Old versions of pdfTeX
// write the box of all fonts so far. Spaces and doubled letters stay.
func TestRead_bitmapFonts(t *testing.T) {
	widths := map[byte]int{'a': 42, 'w': 60, 'e': 37, 'l': 23, 's': 33, 'b': 46, 'o': 42, 'k': 44, 'f': 25}
	const want = "a well of books as well\n"
	const small = "[.012 0 0 .012 0 0]"
	for _, tt := range []struct {
		name, box, matrix string
		size, space       float64 // of the font, and between words in thousandths
	}{
		{"a box of one em", "[-1 -19 82 64]", small, 10, 333},
		{"of two ems", "[-30 -72 105 98]", small, 10, 333},
		{"of four ems", "[-43 -158 199 210]", small, 10, 333},
		{"of nine ems", "[-43 -158 598 600]", small, 10, 333},
		{"in pixels, with a size of one", "[-1 -19 82 64]", "[1 0 0 1 0 0]", .12, 28_000},
		{"in pixels, with a large box", "[-43 -158 598 600]", "[1 0 0 1 0 0]", .12, 28_000},
		{"an empty box", "[0 0 0 0]", small, 10, 333},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			var all []string
			for c := byte(0); c < 128; c++ {
				all = append(all, fmt.Sprint(widths[c]))
			}
			b.Resources = "<</Font<</F1 <</Type/Font/Subtype/Type3/FontMatrix" + tt.matrix + "/FontBBox" + tt.box +
				"/FirstChar 0/LastChar 127/Widths[" + strings.Join(all, " ") + "]/Encoding<</Differences[97/a/b 101/e/f 107/k/l" +
				" 111/o 115/s 119/w]>>/CharProcs<<>>>>>>>>"
			words := strings.ReplaceAll(strings.TrimSpace(want), " ", fmt.Sprintf(")%g(", -tt.space))
			b.Page(fmt.Sprintf("BT /F1 %g Tf 72 720 Td [(%s)] TJ ET", tt.size, words))
			doc, err := pdf.Read(b.Bytes(), doctext.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if doc.Text != want {
				t.Errorf("text = %q, want %q", doc.Text, want)
			}
		})
	}
}

package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// vertical returns a file with content. F1 is a font with vertical writing, and codes are characters.
func vertical(content string) []byte {
	b := pdftest.New()
	b.Resources = "<</Font<</F1<</Subtype/Type0/BaseFont/Ming/Encoding/UniJIS-UCS2-V/DescendantFonts[<</Subtype/CIDFontType0" +
		"/BaseFont/Ming/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/FontDescriptor<<" +
		"/Flags 4/FontName/Ming/Ascent 880/Descent -120/StemV 90/ItalicAngle 0/FontBBox[0 -120 1000 880]>>>>]>>>>>>"
	b.Page(content)
	return b.Bytes()
}

// TestRead_verticalSpacing tests how letters, words and columns of vertical writing are separated. Negative spacing
// sets glyphs apart there, and so does a positive number in the TJ array (sections 9.3.2 and 9.4.3).
func TestRead_verticalSpacing(t *testing.T) {
	const one, two = "<4E2D56FD>", "<996E6599>"
	tests := []struct{ name, content, want string }{
		{"none", "300 700 Td " + one + " Tj " + two + " Tj", "中国饮料\n"},
		{"closer", "2 Tc 300 700 Td " + one + " Tj " + two + " Tj", "中国饮料\n"},
		{"a little apart", "-.8 Tc 300 700 Td " + one + " Tj " + two + " Tj", "中国饮料\n"},
		{"characters apart", "-4 Tc 300 700 Td " + one + " Tj", "中国\n"},
		{"more than characters are set apart", "-9 Tc 300 700 Td " + one + " Tj", "中 国\n"},
		{"words apart", "300 700 Td [" + one + " 500 " + two + "] TJ", "中国 饮料\n"},
		{"moved back", "300 700 Td [" + one + " -120 " + two + "] TJ", "中国饮料\n"},
		{"columns from the right", "-.5 Tc 300 700 Td " + one + " Tj -20 0 Td " + two + " Tj", "中国\n饮料\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := vertical("BT /F1 12 Tf " + tt.content + " ET")
			if got := read(t, body).Text; got != tt.want {
				t.Errorf("text of %q = %q, want %q", tt.content, got, tt.want)
			}
		})
	}
}

// TestRead_rightToLeftAsRead tests letters that are shown one by one in reading order, from right to left. They keep
// that order, and marks without a width are put on the letter that they are drawn beside.
func TestRead_rightToLeftAsRead(t *testing.T) {
	// Letters begin at a; codes from A on are vowels without a width.
	const texts = "begincmap 1 begincodespacerange <00> <ff> endcodespacerange " +
		"2 beginbfrange <61> <7a> <0628> <41> <47> <064e> endbfrange 1 beginbfchar <48> <0651064e> endbfchar endcmap"
	at := func(scale int, places ...any) string {
		var s strings.Builder
		for ; len(places) > 1; places = places[2:] {
			fmt.Fprintf(&s, "BT /F1 12 Tf %d Tz %v 700 Td (%v) Tj ET\n", scale, places[1], places[0])
		}
		return s.String()
	}
	tests := []struct{ name, content, want string }{
		{"wide letters", at(100, "a", 120, "c", 112.8, "d", 105.6), "بتث\n"},
		{"narrow letters", at(30, "a", 100, "c", 97.8, "d", 95.6, "e", 93.4), "بتثج\n"},
		{"narrow letters, kerned", at(30, "a", 100, "c", 98.8, "d", 96.2), "بتث\n"},
		{"words of narrow letters", at(30, "a", 100, "c", 97.8, "d", 90, "e", 87.8), "بت ثج\n"},
		{"a vowel beside its letter", at(100, "a", 120, "A", 119, "c", 112.8, "d", 105.6, "C", 104.8), "بَتثِ\n"},
		{"two vowels", at(100, "a", 120, "C", 119, "A", 123, "c", 112.8), "بَِت\n"},
		{"a vowel on its letter", at(100, "a", 120, "c", 112.8, "A", 115, "d", 105.6), "بتَث\n"},
		{"shown from the left", at(100, "d", 105.6, "c", 112.8, "A", 115, "a", 120), "بتَث\n"},
		{"from the left, before their letters", at(100, "d", 105.6, "A", 113, "c", 112.8, "a", 120), "بتَث\n"},
		{"from the left, over the letter before", at(100, "d", 105.6, "c", 112.8, "A", 119.5, "a", 120), "بَتث\n"},
		{"two in one glyph", at(100, "a", 120, "H", 119, "c", 112.8), "بَّت\n"},
		{"one at the end of a line", at(100, "a", 120, "c", 112.8, "A", 112), "بتَ\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			n := b.Stream("", texts)
			widths := strings.Repeat("0 ", 32) + strings.Repeat("600 ", 26)
			b.Resources = fmt.Sprintf("<</Font<</F1<</Type/Font/Subtype/TrueType/BaseFont/A/FirstChar "+
				"65/Widths[%s]/ToUnicode %d 0 R>>>>>>", widths, n)
			b.Page(tt.content)
			if got := read(t, b.Bytes()).Text; got != tt.want {
				t.Errorf("text of %q = %q, want %q", tt.content, got, tt.want)
			}
		})
	}
}

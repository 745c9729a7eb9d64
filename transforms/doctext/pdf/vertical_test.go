package pdf_test

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// vertical returns a file with content, in which F1 is a font with vertical writing, and codes are characters.
func vertical(content string) []byte {
	b := pdftest.New()
	b.Resources = "<</Font<</F1<</Subtype/Type0/BaseFont/Ming/Encoding/UniJIS-UCS2-V/DescendantFonts[<</Subtype/CIDFontType0" +
		"/BaseFont/Ming/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/FontDescriptor<<" +
		"/Flags 4/FontName/Ming/Ascent 880/Descent -120/StemV 90/ItalicAngle 0/FontBBox[0 -120 1000 880]>>>>]>>>>>>"
	b.Page(content)
	return b.Bytes()
}

// TestRead_verticalSpacing holds how letters, words and columns of vertical writing are told: spacing that is below 0
// sets glyphs apart there, and so does a number above 0 in the array of TJ (sections 9.3.2 and 9.4.3).
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

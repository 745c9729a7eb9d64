package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// tracked is the TJ array that spaces the letters of text, by thousandths of an em.
func tracked(text string, by int) string {
	var s strings.Builder
	for _, r := range text {
		fmt.Fprintf(&s, "(%c)%d ", r, -by)
	}
	return "BT /F1 12 Tf 72 700 Td [" + s.String() + "] TJ ET"
}

// placed shows each letter at its own position, step ems after the end of the previous one; a space moves on by three.
func placed(text string, step float64) string {
	var s strings.Builder
	x := 72.0
	for _, r := range text {
		if r == ' ' {
			x += 3 * step * 10
			continue
		}
		fmt.Fprintf(&s, "BT /F3 10 Tf %.2f 700 Td (%c) Tj ET\n", x, r)
		x += (0.6 + step) * 10
	}
	return s.String()
}

func TestRead_tracking(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"character spacing", "BT /F1 12 Tf 2 Tc 72 700 Td (CHAPTER ONE OF BOOK) Tj ET", "CHAPTER ONE OF BOOK\n"},
		{"half an em of narrow gaps", "BT /F1 10 Tf 1.3 Tc 72 700 Td (The end) Tj ET", "The end\n"},
		{"a third of an em", "BT /F1 12 Tf 3.9 Tc 72 700 Td (ANNUAL REPORT 2024) Tj ET", "ANNUAL REPORT 2024\n"},
		{"moves in an array", tracked("TABLE OF CONTENTS", 200), "TABLE OF CONTENTS\n"},
		{"kerned moves", "BT /F1 12 Tf 72 700 Td [(A)-120(V)-180(A)-190(N)-200(T)-110(A)-200(G)-200(E)] TJ ET", "AVANTAGE\n"},
		{"each at its own place", placed("Vorwort und Dank", 0.2), "Vorwort und Dank\n"},
		{"one short word", placed("END", 0.15), "END\n"},
		{"Cyrillic", "BT /F4 12 Tf 3 Tc 72 700 Td (abcd abc) Tj ET", "абвг абв\n"},
		{
			"within a line", "BT /F1 12 Tf 72 700 Td (see ) Tj 3 Tc (CHAPTER ) Tj 0 Tc (for more of it) Tj ET",
			"see CHAPTER for more of it\n",
		},
		{
			"before a line of others", "BT /F1 12 Tf 2 Tc 72 700 Td (PREFACE) Tj 0 Tc 0 -14 Td (It was a dark night) Tj ET",
			"PREFACE\nIt was a dark night\n",
		},
		{"spaces between letters, two between words", "BT /F1 12 Tf 72 700 Td (C H A P T E R  O N E) Tj ET", "CHAPTER ONE\n"},
		{"scaled to the side", "BT /F1 12 Tf 80 Tz 3 Tc 72 700 Td (CHAPTER ONE) Tj ET", "CHAPTER ONE\n"},
		{"Chinese", "BT /F5 12 Tf 4 Tc 72 700 Td <4E2D56FD996E6599> Tj ET", "中国饮料\n"},

		{"words of one letter", "BT /F1 12 Tf 72 700 Td (a b c d e f) Tj ET", "a b c d e f\n"},
		{"a row of digits", placed("0123456789", 0.3), "0 1 2 3 4 5 6 7 8 9\n"},
		{"hexadecimal digits", placed("0123456789ABCDEF", 0.25), "0 1 2 3 4 5 6 7 8 9 A B C D E F\n"},
		{"an alphabet in both cases", placed("aAbBcCdDeEfF", 0.2), "a A b B c C d D e E f F\n"},
		{"a year of digits", placed("20191234", 0.2), "20191234\n"},
		{"Cyrillic letters", "BT /F4 12 Tf 3 Tc 72 700 Td (abcdabcd) Tj ET", "абвгабвг\n"},
		{"initials", "BT /F1 12 Tf 72 700 Td (J. R. R. Tolkien) Tj ET", "J. R. R. Tolkien\n"},
		{"a series in a sentence", "BT /F1 12 Tf 72 700 Td (choose A B C or D here) Tj ET", "choose A B C or D here\n"},
		{"cells of one letter", placed("ABCD", 0.9), "A B C D\n"},
		{"a sum without spaces shown", placed("a", 0.3) + "BT /F3 10 Tf 81 700 Td (=) Tj 9 0 Td (b) Tj 9 0 Td (+) Tj 9 0 " +
			"Td (c) Tj ET", "a = b + c\n"},
		{"gaps as wide as those of the line", "BT /F1 12 Tf 72 700 Td " +
			"[(from)-300(A)-300(B)-300(C)-300(D)-300(to)-300(us)] TJ ET", "from A B C D to us\n"},
	}
	const cyrillic = "begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <61> <7a> <0430> " +
		"endbfrange endcmap"
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			n := b.Stream("", cyrillic)
			b.Resources = fmt.Sprintf("<</Font<</F1 %s/F3<</Type/Font/Subtype/Type1/BaseFont/Courier>>"+
				"/F4<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode %d 0 R>>/F5<</Subtype/Type0/"+
				"Encoding/UniGB-UCS2-H/DescendantFonts[<</CIDSystemInfo<</Ordering(GB1)>>>>]>>>>>>", pdftest.Helvetica, n)
			b.Page(tt.content)
			if diff := cmp.Diff(tt.want, read(t, b.Bytes()).Text); diff != "" {
				t.Errorf("text of %q (-want +got):\n%s", tt.content, diff)
			}
		})
	}
}

// TestRead_strayOperators tests TJ arrays that contain operators, or have no end.
func TestRead_strayOperators(t *testing.T) {
	const begin, end = "BT /F1 12 Tf 72 700 Td ", " ET"
	tests := []struct{ name, content, want string }{
		{
			"spacing", "[(Banques,) 0.0 Tc -250.0 (Financements) 0.0 Tc -250.0 (et) 0.0 Tc -250.0 (Avenir) ] TJ",
			"Banques, Financements et Avenir\n",
		},
		{"before the first string", "[0 Tw (one) 0 Tw -300 (two)] TJ", "one two\n"},
		{"a colour", "[(red) 1 0 0 rg -300 (and) 0 g -300 (black)] TJ", "red and black\n"},
		{"a rise and a mode", "[(a) 0 Ts (b) 3 Tr (c)] TJ (d) Tj", "abcd\n"},
		{"no operator at all", "[(one) 1e-3 (two) -- (three)] TJ", "onetwothree\n"},
		{"a line that begins", "[(one) 0 -14 Td (two)] TJ", "one\ntwo\n"},
		{"no bracket at the end", "[(one) -300 (two) TJ 0 -14 Td (three) Tj", "one two\nthree\n"},
		{"another operator that shows", "[(one) Tj 0 -14 Td [(two)] TJ", "one\ntwo\n"},
		{"no operator at the end", "[(one) ET BT /F1 12 Tf 72 680 Td (two) Tj", "one\ntwo\n"},
		{"an array of dashes", "ET [3 2 0 d q Q " + begin + "(one) Tj", "one\n"},
		{"arrays that end", "[(one)] TJ 0 -14 Td [(two)] TJ [] TJ", "one\ntwo\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := read(t, page(begin+tt.content+end)).Text; got != tt.want {
				t.Errorf("text of %q = %q, want %q", tt.content, got, tt.want)
			}
		})
	}
}

package pdf_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// tm returns the operator that turns text counterclockwise by degrees about (x, y).
func tm(degrees, x, y float64) string {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return fmt.Sprintf("%.5f %.5f %.5f %.5f %g %g Tm", cos, sin, -sin, cos, x, y)
}

// Text that is turned by any angle is read in its own direction, and after the text of the page.
func TestRead_turned(t *testing.T) {
	const level = "BT /F1 12 Tf 72 720 Td (The first line of the page) Tj 0 -14 Td (and the second line) Tj ET\n"
	const text = "The first line of the page\nand the second line\n"
	tests := []struct{ name, entries, content, want string }{
		{
			"a watermark", "", level + "BT /F1 60 Tf " + tm(45, 150, 150) + " (Confidential draft) Tj ET",
			text + "\nConfidential draft\n",
		},
		{
			"a watermark behind the text", "", "BT /F1 60 Tf " + tm(54, 150, 150) + " (Do not copy) Tj ET\n" + level,
			text + "\nDo not copy\n",
		},
		{
			"downwards to the right", "", level + "BT /F1 20 Tf " + tm(-30, 100, 500) + " (Made in Oslo) Tj ET",
			text + "\nMade in Oslo\n",
		},
		{
			"two lines", "", level + "BT /F1 12 Tf " + tm(20, 100, 300) + " (one two three) Tj 0 -14 Td (four five) Tj ET",
			text + "\none two three\nfour five\n",
		},
		{"a table", "", level + "BT /F1 12 Tf " + tm(20, 100, 300) +
			" (Price) Tj 90 0 Td (Count) Tj -90 -14 Td (115.00) Tj " +
			"90 0 Td (3) Tj ET", text + "\nPrice\tCount\n115.00\t3\n"},
		{
			"letter by letter", "", level + "BT /F1 12 Tf " + tm(70, 100, 300) + " (G) Tj (o) Tj (pher) Tj ( and mouse) Tj ET",
			text + "\nGopher and mouse\n",
		},
		{"two angles", "", level + "BT /F1 12 Tf " + tm(45, 100, 300) + " (left label) Tj ET BT /F1 12 Tf " +
			tm(135, 400, 300) +
			" (right one) Tj ET", text + "\nleft label\n\nright one\n"},
		{"on a page that is turned", "/Rotate 90", "BT /F1 12 Tf " + tm(90, 300, 100) + " (The page as it is shown) Tj ET " +
			"BT /F1 40 Tf " + tm(135, 400, 200) + " (Sample) Tj ET", "The page as it is shown\n\nSample\n"},
		{
			"upside down", "", level + "BT /F1 12 Tf " + tm(180, 400, 300) + " (upside down) Tj 0 -14 Td (and on) Tj ET",
			text + "\nupside down\nand on\n",
		},
		{
			"on its side", "", level + "BT /F1 12 Tf " + tm(270, 400, 300) + " (on its side) Tj 0 -14 Td (and on) Tj ET",
			text + "\non its side\nand on\n",
		},
		{"a scan that is a little askew", "", "BT /F1 12 Tf " + tm(1, 72, 700) + " (The) Tj ET BT /F1 12 Tf " +
			tm(1.2, 100, 700.5) +
			" (first) Tj ET BT /F1 12 Tf " + tm(.9, 130, 701) + " (line) Tj ET", "The first line\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			b.PageWith(tt.entries, tt.content)
			if got := read(t, b.Bytes()).Text; got != tt.want {
				t.Errorf("text = %q, want %q", got, tt.want)
			}
		})
	}
}

// Letters on a curve, each turned by another angle, are still read in order.
func TestRead_curved(t *testing.T) {
	content := ""
	for i, r := range "AROUND" {
		a := (30 - 10*float64(i)) * math.Pi / 180
		content += fmt.Sprintf("BT /F1 12 Tf %s (%c) Tj ET\n", tm(a*180/math.Pi, 300-60*math.Sin(a), 300+60*math.Cos(a)), r)
	}
	b := pdftest.New()
	b.Page("BT /F1 12 Tf 72 720 Td (A line of the page) Tj ET\n" + content)
	got := read(t, b.Bytes()).Text
	if want := "A line of the page\n"; got[:len(want)] != want {
		t.Errorf("text = %q", got)
	}
	letters := 0
	for _, r := range got[len("A line of the page\n"):] {
		if r >= 'A' && r <= 'Z' {
			letters++
		}
	}
	if letters != len("AROUND") {
		t.Errorf("text = %q, want six letters of the curve", got)
	}
}

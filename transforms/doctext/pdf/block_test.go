package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// column shows lines of five words, 12 units apart, from (x, y) on. The words begin with a name.
func column(name string, x, y, lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "BT /F1 10 Tf %d %d Td (%s%d lorem ipsum dolor amet) Tj ET\n", x, y-12*i, name, i)
	}
	return b.String()
}

// alternate takes lines of two contents in turn.
func alternate(a, b string) string {
	left, right := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	var out strings.Builder
	for i := range left {
		out.WriteString(left[i] + right[i])
	}
	return out.String()
}

// TestRead_drawnOrder: columns that were drawn one after the other are read in this order, however close they are.
func TestRead_drawnOrder(t *testing.T) {
	wide := func(name string, y int) string {
		const words = "this line goes over both of the columns and the white space"
		return fmt.Sprintf("BT /F1 10 Tf 72 %d Td (%s %s) Tj ET\n", y, name, words)
	}
	left, right := column("a", 72, 700, 6), column("b", 206, 700, 6)
	for _, tt := range []struct{ name, content, want string }{
		{"columns", left + right, "a0 a1 a2 a3 a4 a5 b0 b1 b2 b3 b4 b5"},
		{"drawn in rows", alternate(left, column("b", 240, 700, 6)), "a0 a1 a2 a3 a4 a5 b0 b1 b2 b3 b4 b5"},
		{"the right one first", column("b", 240, 700, 6) + left, "a0 a1 a2 a3 a4 a5 b0 b1 b2 b3 b4 b5"},
		{"a title last", left + right + wide("t", 730), "t a0 a1 a2 a3 a4 a5 b0 b1 b2 b3 b4 b5"},
		{"a number at the foot first", wide("n", 60) + left + right, "a0 a1 a2 a3 a4 a5 b0 b1 b2 b3 b4 b5 n"},
		{
			"a headline across", left + right + wide("h", 610) + column("c", 72, 590, 5) + column("d", 206, 590, 5),
			"a0 a1 a2 a3 a4 a5 b0 b1 b2 b3 b4 b5 h c0 c1 c2 c3 c4 d0 d1 d2 d3 d4",
		},
		{
			"a sidebar that is lower", left + column("b", 206, 676, 6) + column("c", 72, 622, 3),
			"a0 a1 a2 a3 a4 a5 b0 b1 b2 b3 b4 b5 c0 c1 c2",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			b.Page(tt.content)
			doc, err := pdf.Read(b.Bytes(), doctext.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, line := range strings.Split(doc.Text, "\n") {
				if word, _, _ := strings.Cut(line, " "); strings.Contains(" "+tt.want+" ", " "+word+" ") {
					got = append(got, word)
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("lines begin with %q, want %q:\n%s", got, tt.want, doc.Text)
			}
		})
	}
}

// TestRead_drawnCells: the cells of a table with several lines each stay in rows, and words drawn last in their lines.
func TestRead_drawnCells(t *testing.T) {
	var cells strings.Builder
	for row := range 4 {
		for col := range 3 {
			for line := range 2 {
				fmt.Fprintf(&cells, "BT /F1 10 Tf %d %d Td (r%dc%d l%d) Tj ET\n", 72+120*col, 700-12*line-40*row, row, col, line)
			}
		}
	}
	late := column("a", 72, 700, 6) + "BT /F1 10 Tf 200 700 Td (bold) Tj ET\nBT /F1 10 Tf 200 664 Td (late) Tj ET\n"
	for _, tt := range []struct{ name, content, want string }{
		{"cells", cells.String(), "r0c0 l0\tr0c1 l0\tr0c2 l0\n"},
		{"words drawn last", late, "a0 lorem ipsum dolor amet bold\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			b.Page(tt.content)
			doc, err := pdf.Read(b.Bytes(), doctext.Options{})
			if err != nil || !strings.Contains(doc.Text, tt.want) {
				t.Errorf("text lacks %q: %v\n%s", tt.want, err, doc.Text)
			}
		})
	}
}

// TestRead_goesOn: a sentence that goes on in the next column stays in its paragraph.
func TestRead_goesOn(t *testing.T) {
	b := pdftest.New()
	b.Page(column("a", 72, 700, 6) + column("b", 206, 700, 6))
	doc, err := pdf.Read(b.Bytes(), doctext.Options{})
	if err != nil || !strings.Contains(doc.Text, "amet\nb0") {
		t.Errorf("the columns are divided: %v\n%s", err, doc.Text)
	}
}

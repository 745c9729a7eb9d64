package pdf_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// marked shows text as content with an identifier.
func marked(id, size, x, y int, text string) string {
	return fmt.Sprintf("/P <</MCID %d>> BDC BT /F1 %d Tf %d %d Td (%s) Tj ET EMC\n", id, size, x, y, text)
}

// taggedFile returns a file of one page whose structure has the given kids. The page is object 4.
func taggedFile(content, kids, entries string) []byte {
	b := pdftest.New()
	b.PageWith("/StructParents 0", content)
	b.Catalog = fmt.Sprintf("/StructTreeRoot<</Type/StructTreeRoot%s/K<</S/Document/Pg 4 0 R/K[%s]>>>>", entries, kids)
	return b.Bytes()
}

func TestRead_tagged(t *testing.T) {
	const long = "the keeper of the harbour writes down which boats came in"
	tests := []struct{ name, content, kids, entries, want string }{
		{
			"a heading no larger than the text", marked(0, 10, 72, 700, "Boats") + marked(1, 10, 72, 688, long),
			"<</S/H2/K 0>><</S/P/K 1>>", "",
			"## Boats\n\n" + long + "\n",
		},
		{
			"roles", marked(0, 10, 72, 700, "Boats") + marked(1, 10, 72, 688, long),
			"<</S/Big/K 0>><</S/P/K 1>>", "/RoleMap<</Big/Bigger/Bigger/H3>>",
			"### Boats\n\n" + long + "\n",
		},
		{
			"a circle of roles", marked(0, 10, 72, 700, "Boats") + marked(1, 10, 72, 688, long),
			"<</S/A/K 0>><</S/P/K 1>>", "/RoleMap<</A/B/B/A>>",
			"Boats\n\n" + long + "\n",
		},
		{
			"level by sections", marked(0, 10, 72, 700, "Boats") + marked(1, 10, 72, 688, long),
			"<</S/Sect/K<</S/Sect/K[<</S/H/K 0>><</S/P/K 1>>]>>>>", "",
			"## Boats\n\n" + long + "\n",
		},
		{
			"order", marked(0, 10, 72, 700, "after") + marked(1, 10, 72, 680, "first"),
			"<</S/P/K 1>><</S/P/K 0>>", "", "first\n\nafter\n",
		},
		{
			"artifacts", "/Artifact BMC " + at("F1", 8, 72, 760, "Page 1") + " EMC\n" + marked(0, 10, 72, 700, long),
			"<</S/P/K 0>>", "", long + "\n",
		},
		{
			"words in one line", marked(0, 10, 72, 700, "red") + marked(1, 10, 92, 700, "boats") + marked(2, 10, 72, 600, "x"),
			"<</S/P/K[0 <</S/Span/K 1>>]>><</S/P/K 2>>", "", "red boats\n\nx\n",
		},
		{
			"words in a group", marked(0, 10, 72, 700, "red") + marked(1, 10, 92, 700, "boats"),
			"<</S/Div/K[<</S/Span/K 0>><</S/Span/K 1>>]>>", "", "red boats\n",
		},
		{
			"a list", marked(0, 10, 72, 700, "-") + marked(1, 10, 82, 700, "one") + marked(2, 10, 72, 688, "2.") +
				marked(3, 10, 86, 688, "two"),
			"<</S/L/K[<</S/LI/K[<</S/Lbl/K 0>><</S/LBody/K 1>>]>>" +
				"<</S/LI/K[<</S/Lbl/K 2>><</S/LBody/K<</S/P/K 3>>>>]>>]>>", "",
			"- one\n2. two\n",
		},
		{
			"a table with spans", marked(0, 10, 72, 700, "Item") + marked(1, 10, 172, 700, "Price") +
				marked(2, 10, 72, 688, "tea") + marked(3, 10, 172, 688, "3") + marked(4, 10, 172, 676, "4"),
			"<</S/Table/K[<</S/TR/K[<</S/TH/K 0>><</S/TH/K 1/A<</O/Table/ColSpan 2>>>>]>>" +
				"<</S/TR/K[<</S/TD/K 2/A[<</O/Table/RowSpan 2>>]>><</S/TD/K 3>>]>><</S/TR/K<</S/TD/K 4>>>>]>>", "",
			"| Item | Price |\n| --- | --- |\n| tea | 3 |\n|  | 4 |\n",
		},
		{
			"a picture", marked(0, 10, 72, 700, long), "<</S/Figure/Alt(A [red] boat)>><</S/P/K 0>>", "",
			"![A \\[red\\] boat]()\n\n" + long + "\n",
		},
		{
			"text instead of glyphs", marked(0, 10, 72, 700, "c") + marked(1, 10, 77, 700, "at"),
			"<</S/P/K[<</S/Span/K 0/ActualText(A c)>> 1]>>", "", "A cat\n",
		},
		{
			"a structure without most of the text", marked(0, 10, 72, 700, "Boats") + at("F1", 10, 72, 600, long),
			"<</S/H1/K 0>>", "", "Boats\n" + long + "\n",
		},
		{
			"headings only", marked(0, 10, 72, 700, long) + marked(1, 10, 72, 680, long) + marked(2, 10, 72, 660, long) +
				marked(3, 10, 72, 640, long),
			"<</S/H1/K 0>><</S/H1/K 1>><</S/H1/K 2>><</S/H1/K 3>>", "", strings.Repeat(long+"\n\n", 3) + long + "\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := read(t, taggedFile(tt.content, tt.kids, tt.entries))
			checkBlocks(t, doc)
			if got := doc.Markdown(); got != tt.want {
				t.Errorf("Markdown = %q, want %q", got, tt.want)
			}
		})
	}
}

// TestRead_tagsBounded reads structures that have no end.
func TestRead_tagsBounded(t *testing.T) {
	for name, add := range map[string]func(b *pdftest.Builder) string{
		"a circle": func(b *pdftest.Builder) string {
			n := b.Add("")
			return fmt.Sprintf("<</S/Sect/K[%d 0 R %d 0 R 0]>>", n, n-1)
		},
		"doubling": func(b *pdftest.Builder) string {
			last := b.Add("<</S/P/K 0>>")
			for range 40 {
				last = b.Add(fmt.Sprintf("[<</S/Div/K %d 0 R>><</S/Div/K %d 0 R>>]", last, last))
			}
			return fmt.Sprintf("<</S/Sect/K %d 0 R>>", last)
		},
		"deep": func(*pdftest.Builder) string {
			return strings.Repeat("<</S/Sect/K", 390) + " 0" + strings.Repeat(">>", 390)
		},
		"far away": func(*pdftest.Builder) string { return "<</S/P/K[99999999999 -5 65535 65532 1e9 null]>>" },
		"no row":   func(*pdftest.Builder) string { return "<</S/Table/K[<</S/TD/K 0>><</S/TR>><</S/TR/K 0>>]>>" },
		"wide": func(*pdftest.Builder) string {
			return "<</S/Table/K<</S/TR/K[<</S/TD/A<</ColSpan 999999999/RowSpan -4>>>><</S/TD/K 0>>]>>>>"
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := pdftest.New()
			b.Page(marked(0, 10, 72, 700, "the harbour"))
			kids := add(b)
			b.Catalog = "/StructTreeRoot<</K<</S/Document/Pg 4 0 R/K[" + kids + "]>>>>"
			doc := read(t, b.Bytes())
			checkBlocks(t, doc)
			if !strings.Contains(doc.Text, "the harbour") {
				t.Errorf("text = %q", doc.Text)
			}
		})
	}
}

func FuzzRead_tags(f *testing.F) {
	f.Add(marked(0, 10, 72, 700, "a")+marked(1, 10, 72, 688, "b"),
		"<</S/H1/K 0>><</S/P/K 1>>", "<</Title(a)/Dest[4 0 R]>>")
	f.Add(marked(0, 10, 72, 700, "a"),
		"<</S/Table/K<</S/TR/K[<</S/TD/K 0/A<</ColSpan 2>>>>]>>>>", "<</Title(a)/Next 7 0 R>>")
	f.Add("/Artifact BMC /P<</MCID 3>>BDC EMC", "<</S/L/K<</S/LI/K[3 <</S/L/K 3>>]>>>>", "<</First 7 0 R>>")
	f.Fuzz(func(t *testing.T, content, kids, item string) {
		b := pdftest.New()
		b.Page(content)
		b.Catalog = fmt.Sprintf("/StructTreeRoot<</K<</Pg 4 0 R/K[%s]>>>>/Outlines<</First 5 0 R>>", kids)
		b.Add(item)
		if doc, err := pdf.Read(b.Bytes(), doctext.Options{}); err == nil {
			checkBlocks(t, doc)
			_ = doc.Markdown()
		}
	})
}

func TestRead_languageOfTags(t *testing.T) {
	content := marked(0, 10, 72, 700, "un") + marked(1, 10, 72, 688, "deux") + marked(2, 10, 72, 676, "drei")
	kids := "<</S/P/K 0/Lang(fr-FR)>><</S/P/K 1/Lang(fr-FR)>><</S/P/K 2/Lang(de)>>"
	if got := read(t, taggedFile(content, kids, "")).Language; got != "fr-FR" {
		t.Errorf("language = %q, want fr-FR", got)
	}
}

// TestRead_emptyRows reads a table with many rows without cells. It would take minutes if each moved the others.
func TestRead_emptyRows(t *testing.T) {
	const n = 20000
	var content, kids strings.Builder
	for i := range n {
		content.WriteString(marked(i, 1, i%600, 780-i/100, "a"))
		fmt.Fprintf(&kids, "<</S/TR>><</S/TR>><</S/TR/K[<</S/TD/K %d>><</S/TD>>]>>", i)
	}
	doc := read(t, taggedFile(content.String(), "<</S/Table/K["+kids.String()+"]>>", ""))
	checkBlocks(t, doc)
	if got := strings.Count(doc.Text, "a"); got != n {
		t.Errorf("%d letters, want %d", got, n)
	}
}

// TestRead_sharedTexts reads long texts that many elements share. Each may keep or copy only the part that counts.
func TestRead_sharedTexts(t *testing.T) {
	const n = 3000
	for name, element := range map[string]string{
		"descriptions": "<</S/Figure/Alt 5 0 R>>", "languages": "<</S/Span/Lang 5 0 R/K 0>>",
		"replacements": "<</S/Span/ActualText 5 0 R/K %d>>",
	} {
		b := pdftest.New()
		b.Page(marked(0, 10, 72, 700, "the harbour"))
		b.Add("(" + strings.Repeat("x", 1<<20) + ")")
		var kids strings.Builder
		for i := range n {
			if strings.Contains(element, "%d") {
				fmt.Fprintf(&kids, element, i+1)
			} else {
				kids.WriteString(element)
			}
		}
		b.Catalog = "/StructTreeRoot<</K<</S/Document/Pg 4 0 R/K[<</S/P/K 0>>" + kids.String() + "]>>>>"
		file := b.Bytes()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		doc := read(t, file)
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 200 {
			t.Errorf("%s: %d MiB were allocated for a file of %d MiB", name, got, len(file)>>20)
		}
		if checkBlocks(t, doc); !strings.Contains(doc.Text, "the harbour") || doc.Language != "" {
			t.Errorf("%s: language %.20q, text %.40q", name, doc.Language, doc.Text)
		}
	}
}

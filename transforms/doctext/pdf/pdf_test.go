package pdf_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// read reads a file that must be valid.
func read(t testing.TB, body []byte) *doctext.Document {
	t.Helper()
	doc, err := pdf.Read(body, doctext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// page returns a file with one page that has content.
func page(content string) []byte {
	b := pdftest.New()
	b.Page(content)
	return b.Bytes()
}

// show returns content that shows each text at its position.
func show(size int, at ...any) string {
	var s strings.Builder
	for ; len(at) >= 3; at = at[3:] {
		fmt.Fprintf(&s, "BT /F1 %d Tf %v %v Td (%v) Tj ET\n", size, at[0], at[1], at[2])
	}
	return s.String()
}

func TestRead_text(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"a line", show(12, 72, 700, "Hello world"), "Hello world\n"},
		{"two lines", show(12, 72, 700, "one", 72, 686, "two"), "one\ntwo\n"},
		{"lines in another order", show(12, 72, 686, "two", 72, 700, "one"), "one\ntwo\n"},
		{"paragraphs", show(12, 72, 700, "a", 72, 686, "b", 72, 672, "c", 72, 640, "d"), "a\nb\nc\n\nd\n"},
		{"words by gaps", "BT /F1 10 Tf 72 700 Td [(W)40(ord)-250(word)-80(s)] TJ ET", "Word words\n"},
		{"letters one by one", show(10, 72, 700, "H", 79.2, 700, "i", 85, 700, "t"), "Hi t\n"},
		{"numbers joined to operators", "BT/F1 10Tf 72 700Td[(one)-250(word)]TJ 0 -14Td(two)Tj ET", "one word\ntwo\n"},
		{"an array for Tj", "BT /F1 10 Tf 72 700 Td [(one)-250(word)] Tj ET", "one word\n"},
		{"moves to a line with a star", "BT /F1 10 Tf 14 TL 72 700 Td (one) Tj 3T* (two) Tj ET", "one\ntwo\n"},
		{"a space that is taken back", "BT /F1 10 Tf 72 700 Td [(fi)278( )278(eld)] TJ ET", "field\n"},
		{"a hyphen at the end", show(12, 72, 700, "infor-", 72, 686, "mation"), "information\n"},
		{"a hyphen before a capital", show(12, 72, 700, "Anglo-", 72, 686, "Saxon"), "Anglo-\nSaxon\n"},
		{"a superscript", "BT /F1 12 Tf 72 700 Td (x) Tj /F1 7 Tf 4 Ts (2) Tj 0 Ts /F1 12 Tf ( yes) Tj ET", "x^2 yes\n"},
		{"ligatures", "BT /F1 12 Tf 72 700 Td (a) Tj ET BT /F2 12 Tf 72 680 Td (\\336x) Tj ET", "a\nfix\n"},
		{
			"an accent over a letter", "BT /F1 12 Tf 72 700 Td (f) Tj 4 0 Td (\\250) Tj 0 0 Td (u) Tj 6.7 0 Td (r) Tj ET",
			"für\n",
		},
		{"bold by repeating", show(12, 72, 700, "bold", 72.3, 700, "bold"), "bold\n"},
		{"a word twice", show(12, 72, 700, "had", 96, 700, "had", 120, 700, "enough"), "had had enough\n"},
		{"a word twice in one string", "BT /F1 12 Tf 72 700 Td (had had enough) Tj ET", "had had enough\n"},
		{
			"cells that are equal", show(10, 72, 700, "0", 120, 700, "0", 168, 700, "1", 216, 700, "1", 264, 700, "1"),
			"0\t0\t1\t1\t1\n",
		},
		{"columns", columns(), "the first column has\nmany words in each\nof its three lines\n\nthe second one has\nalso " +
			"many words in\neach of its lines\n"},
		{"a table", show(10, 72, 700, "Name", 200, 700, "Age", 72, 686, "Ann", 200, 686, "31", 72, 672, "Bob", 200, 672,
			"42"), "Name\tAge\nAnn\t31\nBob\t42\n"},
		{
			"numbered items", show(12, 72, 700, "1", 108, 700, "an item with many words", 108, 686, "in two lines of text", 72,
				672, "2", 108, 672, "another item with words"),
			"1\tan item with many words\nin two lines of text\n2\tanother item with words\n",
		},
		{"upwards", "BT /F1 12 Tf 0 1 -1 0 100 100 Tm (up) Tj ET", "up\n"},
		{"invisible", "BT 3 Tr /F1 12 Tf 72 700 Td (scanned) Tj ET", "scanned\n"},
		{"off the page", show(12, 72, 700, "on", 72, 5000, "off", -500, 700, "off"), "on\n"},
		{"operators of lines", "BT /F1 12 Tf 14 TL 72 700 Td (a) Tj T* (b) Tj (c) ' 0 0 (d) \" ET", "a\nb\nc\nd\n"},
		{"an inline image", "BI /W 1 /H 1 ID \x00EI(EI \xff\nEI " + show(12, 72, 700, "behind"), "behind\n"},
		{"an inline image without white space after it", "q 1 0 0 1 0 0 cm BI /W 8 /H 1 ID \xF0EI Q " +
			show(12, 72, 700, "behind"), "behind\n"},
		{"an inline image in letters", "BI /W 8 /H 1 /F/A85 ID 5sdq,~>EI " + show(12, 72, 700, "behind"), "behind\n"},
		{"an inline image in digits, and another", "BI /W 8 /H 1 /F/AHx ID f0>EI\nQ BI /W 1 ID \x00EI Q " +
			show(12, 72, 700, "behind"), "behind\n"},
		{"accents near an inline image", "BI /W 8 /H 1 ID \x00\nEI Q BT /F1 12 Tf(\xE9t\xE9) Tj ET", "été\n"},
		{"ActualText", "BT /F1 12 Tf 72 700 Td /Span<</ActualText(real)>>BDC (fake) Tj EMC ( text) Tj ET", "real text\n"},
		{"saved states", "q /F1 12 Tf Q BT /F1 12 Tf 72 700 Td (ok) Tj ET Q Q", "ok\n"},
		{"no font", "BT 12 0 0 12 72 700 Tm /None 1 Tf (text) Tj ET", "text\n"},
		{"unknown operators", "foo 1 2 bar (x) baz " + show(12, 72, 700, "ok"), "ok\n"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			b.Resources = "<</Font<</F1 " + pdftest.Helvetica +
				"/F2<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/MacRomanEncoding>>>>>>"
			b.Page(tt.content)
			if diff := cmp.Diff(tt.want, read(t, b.Bytes()).Text); diff != "" {
				t.Errorf("text of %q (-want +got):\n%s", tt.content, diff)
			}
		})
	}
}

// columns shows two columns, alternating between them line by line.
func columns() string {
	left := []string{"the first column has", "many words in each", "of its three lines"}
	right := []string{"the second one has", "also many words in", "each of its lines"}
	var s strings.Builder
	for i := range left {
		s.WriteString(show(12, 72, 700-14*i, left[i], 240, 700-14*i, right[i]))
	}
	return s.String()
}

const hebrew = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange
1 beginbfrange <61> <7a> <05d0> endbfrange 1 beginbfrange <30> <39> <0030> endbfrange endcmap`

func TestRead_rightToLeft(t *testing.T) {
	tests := []struct{ name, shown, want string }{
		{"visual order", "cba", "אבג\n"},
		{"words", "fed cba", "אבג דהו\n"},
		{"a number", "fe 42 cba", "אבג 42 הו\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.New()
			n := b.Stream("", hebrew)
			b.Resources = fmt.Sprintf("<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode %d 0 R>>>>>>", n)
			b.Page(show(12, 72, 700, tt.shown))
			if got := read(t, b.Bytes()).Text; got != tt.want {
				t.Errorf("text of %q = %q, want %q", tt.shown, got, tt.want)
			}
		})
	}
}

func TestRead_pages(t *testing.T) {
	b := pdftest.New()
	b.Page(show(12, 72, 700, "first"))
	b.PageWith("/Rotate 90", "BT /F1 12 Tf 0 1 -1 0 300 300 Tm (second) Tj 0 -14 Td (line) Tj ET")
	doc := read(t, b.Bytes())
	if want := "first\n\fsecond\nline\n"; doc.Text != want || doc.Pages != 2 || len(doc.Problems) > 0 {
		t.Errorf("text = %q, %d pages, %v, want %q, 2, none", doc.Text, doc.Pages, doc.Problems, want)
	}
}

func TestRead_forms(t *testing.T) {
	b := pdftest.New()
	form := b.Flate("/Subtype/Form/BBox[0 0 100 100]/Matrix[1 0 0 1 72 700]", show(12, 0, 0, "in a form"))
	note := b.Flate("/Subtype/Form/BBox[0 0 50 20]/Resources<</Font<</F1 "+pdftest.Helvetica+">>>>",
		show(12, 0, 0, "in a note"))
	off := b.Add("<</Type/OCG/Name(off)>>")
	b.Catalog = fmt.Sprintf("/OCProperties<</D<</OFF[%d 0 R]>>>>", off)
	b.Resources = fmt.Sprintf("<</Font<</F1 %s>>/XObject<</X %d 0 R>>/Properties<</P %d 0 R>>>>", pdftest.Helvetica, form,
		off)
	field := b.Add("<</FT/Tx/V(in a field)>>")
	b.PageWith(fmt.Sprintf("/Annots[<</Subtype/FreeText/Rect[72 600 122 620]/AP<</N %d 0 R>>>>"+
		"<</Subtype/Widget/Rect[72 550 200 570]/Parent %d 0 R>><</Subtype/Widget/F 2/Rect[72 550 200 570]/FT/Tx/V(hidden)>>]",
		note, field),
		"/X Do /OC/P BDC "+show(12, 72, 650, "not shown")+" EMC "+show(12, 72, 500, "last"))
	if got, want := read(t, b.Bytes()).Text, "in a form\n\nin a note\n\nin a field\n\nlast\n"; got != want {
		t.Errorf("text = %q, want %q", got, want)
	}
}

const xmp = `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="A tool">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">XMP title</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator><dc:language>en_GB</dc:language>
<dc:subject><rdf:Bag><rdf:li>one</rdf:li><rdf:li>two</rdf:li></rdf:Bag></dc:subject><xmp:ModifyDate>2020-02-03T04:05:06Z</xmp:ModifyDate>
</rdf:Description></rdf:RDF></x:xmpmeta>`

func TestRead_metadata(t *testing.T) {
	b := pdftest.New()
	b.Trailer = "/Info<</Title<feff00c400fc>/CreationDate(D:20200102030405+01'00')/Keywords(a, b; a)/Producer(P)>>"
	b.Catalog = fmt.Sprintf("/Metadata %d 0 R", b.Flate("/Type/Metadata/Subtype/XML", xmp))
	b.Page(show(12, 72, 700, "text"))
	want := &doctext.Document{
		Text: "text\n", Title: "Äü", Authors: []string{"Ann", "Bob"}, Tags: []string{"a", "b"}, Language: "en-GB",
		Created: "2020-01-02T03:04:05+01:00", Modified: "2020-02-03T04:05:06Z", Generator: "P",
		PageMarks: []doctext.PageMarks{{Glyphs: 4, Inner: 4}}, Pages: 1,
	}
	if diff := cmp.Diff(want, read(t, b.Bytes())); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

func TestRead_problems(t *testing.T) {
	text := page(show(12, 72, 700, "text here"))
	locked := pdftest.New()
	locked.Trailer = "/Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -4/O(x)/U(y)>>"
	locked.Page(show(12, 72, 700, "secret"))
	catalog := func(entries string) []byte {
		b := pdftest.New()
		b.Resources = "<</Font<</F1 " + pdftest.Helvetica + ">>>>"
		b.Catalog = entries
		b.Page(show(12, 72, 700, "text here"))
		return b.Bytes()
	}
	unmapped := pdftest.New()
	unmapped.Resources = "<</Font<</F1<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<<>>]>>>>>>"
	unmapped.Page(show(12, 72, 700, "unknown"))
	tests := []struct {
		name, text string
		body       []byte
		want       []doctext.Kind
	}{
		{"none", "text here\n", text, nil},
		{"a scan", "", page("q 1 0 0 1 0 0 cm Q"), []doctext.Kind{doctext.KindNoText}},
		{"a password", "", locked.Bytes(), []doctext.Kind{doctext.KindEncrypted}},
		{"no texts of glyphs", "", unmapped.Bytes(), []doctext.Kind{doctext.KindUnsupported}},
		{"a form in XFA", "text here\n", catalog("/NeedsRendering true"), []doctext.Kind{doctext.KindUnsupported}},
		{"a form with pages of its own", "text here\n", catalog("/NeedsRendering false/AcroForm<</XFA[]>>"), nil},
		{"a portfolio", "text here\n", catalog("/Collection<</View/D>>"), []doctext.Kind{doctext.KindUnsupported}},
		{
			"many saved states", "text here\n", page(strings.Repeat("q ", 600) + show(12, 72, 700, "text here")),
			[]doctext.Kind{doctext.KindLimit},
		},
		{"a long ActualText", strings.Repeat("a", 16<<10) + "\n", page("BT /F1 12 Tf 72 700 Td /Span<</ActualText(" +
			strings.Repeat("a", 20_000) + ")>>BDC (x) Tj EMC ET"), []doctext.Kind{doctext.KindLimit}},
		{"a paragraph as ActualText", strings.Repeat("a", 9000) + "\n", page("BT /F1 12 Tf 72 700 Td /Span<</ActualText(" +
			strings.Repeat("a", 9000) + ")>>BDC (x) Tj EMC ET"), nil},
		{"cut", "text here\n", text[:bytes.Index(text, []byte("xref"))], []doctext.Kind{doctext.KindDamaged}},
		{
			"page tree lost", "text here\n", bytes.Replace(text, []byte("/Kids"), []byte("/Sdik"), 1),
			[]doctext.Kind{doctext.KindDamaged},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := read(t, tt.body)
			var kinds []doctext.Kind
			for _, p := range doc.Problems {
				kinds = append(kinds, p.Kind)
			}
			if diff := cmp.Diff(tt.want, kinds); diff != "" || doc.Text != tt.text {
				t.Errorf("text %q, want %q; problems (-want +got):\n%s", doc.Text, tt.text, diff)
			}
		})
	}
}

func TestRead_lostPages(t *testing.T) {
	b := pdftest.New()
	b.Compress = true
	b.Page(show(12, 72, 700, "words that were kept"))
	b.Page(show(12, 72, 700, "and others"))
	body := b.Bytes()
	doc := read(t, body[:bytes.Index(body, []byte("/ObjStm"))-20])
	if want := "words that were kept\n\fand others\n"; doc.Text != want || doc.Pages != 0 {
		t.Errorf("text = %q, %d pages, want %q, 0", doc.Text, doc.Pages, want)
	}
}

func TestRead_noPDF(t *testing.T) {
	for _, body := range []string{"", "%PDF-1.4\n", "<html>", strings.Repeat("x", 5000)} {
		if doc, err := pdf.Read([]byte(body), doctext.Options{}); !errors.Is(err, pdf.ErrFormat) {
			t.Errorf("Read(%.20q) = %v, %v, want ErrFormat", body, doc, err)
		}
	}
}

func TestRead_limits(t *testing.T) {
	b := pdftest.New()
	for range 10 {
		b.Page(show(12, 72, 700, "some text"))
	}
	doc, err := pdf.Read(b.Bytes(), doctext.Options{MaxPages: 3})
	if err != nil || doc.Pages != 3 || strings.Count(doc.Text, "some") != 3 {
		t.Errorf("MaxPages: %d pages, text %q, %v", doc.Pages, doc.Text, err)
	}
	doc, err = pdf.Read(b.Bytes(), doctext.Options{MaxText: 25})
	if err != nil || len(doc.Text) > 25 || len(doc.Problems) != 1 || doc.Problems[0].Kind != doctext.KindLimit {
		t.Errorf("MaxText: text %q, problems %v, %v", doc.Text, doc.Problems, err)
	}
}

// Bombs end in time, and the text before them is read.
func TestRead_bombs(t *testing.T) {
	doubling := pdftest.New()
	form := doubling.Flate("/Subtype/Form", show(12, 72, 700, "x"))
	for range 30 {
		form = doubling.Flate(fmt.Sprintf("/Subtype/Form/Resources<</XObject<</X %d 0 R>>>>", form), "/X Do /X Do")
	}
	doubling.Resources = fmt.Sprintf("<</XObject<</X %d 0 R>>>>", form)
	doubling.Page("/X Do")
	count := pdftest.New()
	count.Page(show(12, 72, 700, "text"))
	tests := []struct {
		name string
		body []byte
	}{
		{"doubling forms", doubling.Bytes()},
		{"a count that is not true", bytes.Replace(count.Bytes(), []byte("/Count 1"), []byte("/Count 2000000000"), 1)},
		{"many glyphs", page("BT /F1 1 Tf 72 700 Td (" + strings.Repeat("a ", 1<<18) + ") Tj ET")},
		{"many fragments", page(scattered(30_000))},
		{"saved states", page(strings.Repeat("q ", 1<<20))},
		{"a long inline image", page("BI ID " + strings.Repeat("EI", 1<<20))},
		{"operands", page(strings.Repeat("1 ", 1<<20) + "Td")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			if doc := read(t, tt.body); doc.Pages > 1 {
				t.Errorf("%d pages, want 1 at most", doc.Pages)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// scattered shows n letters all over the page.
func scattered(n int) string {
	var s strings.Builder
	s.WriteString("BT /F1 1 Tf ")
	for i := range n {
		fmt.Fprintf(&s, "1 0 0 1 %d.%d %d Tm (a) Tj ", i*7919%612, i%10, i*104729%792)
	}
	s.WriteString("ET")
	return s.String()
}

func FuzzRead(f *testing.F) {
	f.Add(page(show(12, 72, 700, "Hello world", 72, 686, "more")))
	b := pdftest.New()
	b.Compress = true
	b.Trailer = "/Info<</Title(A)/CreationDate(D:2020)>>"
	b.Catalog = fmt.Sprintf("/Metadata %d 0 R", b.Stream("/Type/Metadata", xmp))
	b.PageWith("/Rotate 90", columns())
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, body []byte) {
		doc, err := pdf.Read(body, doctext.Options{MaxBytes: 1 << 20, MaxEntry: 1 << 18, MaxText: 1 << 16})
		if err == nil && len(doc.Text) > 1<<16 {
			t.Errorf("text of %d bytes", len(doc.Text))
		}
		checkBlocks(t, doc)
	})
}

// Most hostile input is in content streams. They are not deflated here, so that mutations change their content.
func FuzzRead_content(f *testing.F) {
	f.Add(columns())
	f.Add("q 1 0 0 1 0 0 cm BT /F1 12 Tf [(a)-300(b)] TJ T* (c) ' 1 2 (d) \" ET Q /Span<</ActualText(x)>>BDC EMC BI ID EI")
	f.Add(tracked("TABLE OF CONTENTS", 200) + placed("a b c", 0.3))
	f.Add("BT /F1 12 Tf [(a) 0 Tc (b) 0 -9 Td [(c) Tj (d)] TJ [(e) ET [1 2 0 d")
	f.Fuzz(func(t *testing.T, content string) {
		b := pdftest.New()
		b.Page(content)
		checkBlocks(t, read(t, b.Bytes()))
	})
}

func BenchmarkRead(b *testing.B) {
	file := pdftest.New()
	var lines []any
	for y := 750; y > 40; y -= 14 {
		lines = append(lines, 72, y, "the quick brown fox jumps over the lazy dog,", 320, y,
			"and the dog does not wake up before it is gone")
	}
	for range 20 {
		file.Page(show(10, lines...))
	}
	body := file.Bytes()
	doc := read(b, body)
	b.SetBytes(int64(len(doc.Text)))
	b.ReportAllocs()
	for b.Loop() {
		read(b, body)
	}
}

func ExampleRead() {
	b := pdftest.New()
	b.Trailer = "/Info<</Title(A letter)/CreationDate(D:20260102030405Z)>>"
	b.Page("BT /F1 12 Tf 72 720 Td (Dear reader,) Tj 0 -14 Td (this is a para-) Tj 0 -14 Td (graph.) Tj ET")
	doc, err := pdf.Read(b.Bytes(), doctext.Options{})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(doc.Title, doc.Created)
	fmt.Print(doc.Text)
	// Output:
	// A letter 2026-01-02T03:04:05Z
	// Dear reader,
	// this is a paragraph.
}

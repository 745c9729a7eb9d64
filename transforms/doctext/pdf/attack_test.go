package pdf_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// formsInForms makes levels of forms. Each of them shows the next one several times, and then text.
func formsInForms(levels, times int, text string) []byte {
	b := pdftest.New()
	form := b.Flate("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", text)
	for range levels {
		form = b.Flate(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>/Font<</F1 "+
			"%s>>>>", form, pdftest.Helvetica),
			strings.Repeat("/X Do ", times)+text)
	}
	b.Resources = fmt.Sprintf("<</XObject<</X %d 0 R>>/Font<</F1 %s>>>>", form, pdftest.Helvetica)
	b.Page(strings.Repeat("/X Do ", times))
	return b.Bytes()
}

// onPage is a file of one page.
func onPage(content string) []byte {
	b := pdftest.New()
	b.Page(content)
	return b.Bytes()
}

// hostile are files of a few kilobytes that cause much work.
var hostile = map[string]func() []byte{
	"forms without text":   func() []byte { return formsInForms(9, 10, "") },
	"forms that call most": func() []byte { return formsInForms(3, 2000, "") },
	"forms with text":      func() []byte { return formsInForms(9, 10, "BT /F1 1 Tf (ab) Tj ET") },
	"forms of much text": func() []byte {
		return formsInForms(2, 500, "BT /F1 1 Tf ("+strings.Repeat("ab ",
			3000)+") Tj ET")
	},
	"operators": func() []byte { return onPage(strings.Repeat("q Q ", 1<<19)) },
	"glyphs": func() []byte {
		return onPage("BT /F1 1 Tf 9 9 Td (" + strings.Repeat("a ",
			1<<20) + ") Tj ET")
	},
	"glyphs that move": func() []byte {
		return onPage("BT /F1 1 Tf 9 9 Td " + strings.Repeat("(a)Tj 1 1 Td ", 1<<18) + " ET")
	},
	"glyphs off the page": func() []byte {
		return onPage("BT /F1 1 Tf -999 9 Td (" + strings.Repeat("a ",
			1<<20) + ") Tj ET")
	},
	"letters set apart": func() []byte {
		return onPage("BT /F1 1 Tf .25 Tc 9 9 Td " + strings.Repeat("(abcd) Tj 0 Tc (efg) Tj .25 Tc ", 1<<14) + " ET")
	},
	"letters set apart over each other": func() []byte {
		return onPage("BT /F1 9 Tf 3 Tc " + strings.Repeat("1 0 0 1 9 9 Tm (abcdefghijk) Tj ", 1<<14) + " ET")
	},
	"an array without an end": func() []byte { return onPage("BT /F1 1 Tf [" + strings.Repeat("(a) 1 Tc ", 1<<18)) },
	"arrays without an end":   func() []byte { return onPage("BT /F1 1 Tf " + strings.Repeat("[(a) 1 Tc Q ", 1<<17)) },
	"marks": func() []byte {
		return onPage(strings.Repeat("/Span <</ActualText (abcdefgh)>> BDC EMC ",
			1<<16))
	},
	"nested marks": func() []byte { return onPage(strings.Repeat("/Span <</ActualText (abcdefgh)>> BDC ", 1<<16)) },
	"operands":     func() []byte { return onPage(strings.Repeat("["+strings.Repeat("1 ", 1<<10)+"] TJ ", 1<<9)) },
	"pages of one content": func() []byte {
		b := pdftest.New()
		stream := b.Flate("", strings.Repeat("q Q ", 1<<16))
		for range 500 {
			b.PageWith(fmt.Sprintf("/Contents %d 0 R", stream), "")
		}
		return b.Bytes()
	},
	"one content many times": func() []byte {
		b := pdftest.New()
		stream := b.Flate("", "BT /F1 1 Tf 9 9 Td ("+strings.Repeat("a ", 1<<14)+") Tj ET")
		b.PageWith(fmt.Sprintf("/Contents[%s]", strings.Repeat(fmt.Sprintf("%d 0 R ", stream), 1000)), "")
		return b.Bytes()
	},
	"annotations of one form": func() []byte {
		b := pdftest.New()
		form := b.Flate("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", strings.Repeat("q Q ", 1<<14))
		note := b.Add(fmt.Sprintf("<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]/AP<</N %d 0 R>>>>", form))
		b.PageWith(fmt.Sprintf("/Annots[%s]", strings.Repeat(fmt.Sprintf("%d 0 R ", note), 2000)), "")
		return b.Bytes()
	},
	"ranges of characters": func() []byte {
		return withFonts(1, strings.Repeat("1 beginbfrange <0000><FFFF><0041> endbfrange ", 1<<12), "[0 65535 500]")
	},
	"fonts of one table": func() []byte {
		return withFonts(200, "1 beginbfrange <0000><FFFF><0041> endbfrange",
			"[0 65535 500]")
	},
	"fonts of long lists": func() []byte { return withFonts(200, "", "[0["+strings.Repeat("5 ", 1<<12)+"]]") },
	"tables in a circle": func() []byte {
		b := pdftest.New()
		b.Trailer = "/Prev 20"
		b.Page("BT /F1 9 Tf (a) Tj ET")
		return b.Bytes()
	},
	"filters on filters": func() []byte {
		b := pdftest.New()
		data := strings.Repeat("\x00", 1<<22)
		var names strings.Builder
		for range 20 {
			data = pdftest.Deflate(data)
			names.WriteString("/FlateDecode")
		}
		b.PageWith(fmt.Sprintf("/Contents %d 0 R", b.Stream("/Filter["+names.String()+"]", data)), "")
		return b.Bytes()
	},
	"a tree of one node": func() []byte {
		b := pdftest.New()
		kids := b.Add("<</Type/Page/Contents 4 0 R>>")
		for range 6 {
			kids = b.Add(fmt.Sprintf("<</Type/Pages/Kids[%s]>>", strings.Repeat(fmt.Sprintf("%d 0 R ", kids), 20)))
		}
		b.Catalog = fmt.Sprintf("/Pages %d 0 R", kids)
		b.Page("BT /F1 9 Tf (a) Tj ET")
		return b.Bytes()
	},
}

// withFonts is a page with n fonts, which share a table of characters and a list of widths.
func withFonts(n int, ranges, widths string) []byte {
	b := pdftest.New()
	table := b.Flate("", "1 begincodespacerange <0000><FFFF> endcodespacerange "+ranges)
	list := b.Add(widths)
	var names, content strings.Builder
	for i := range n {
		below := b.Add(fmt.Sprintf("<</Type/Font/Subtype/CIDFontType2/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)>>"+
			"/W %d 0 R>>", list))
		fmt.Fprintf(&names,
			"/G%d <</Type/Font/Subtype/Type0/Encoding/Identity-H/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>", i, below, table)
		fmt.Fprintf(&content, "/G%d 1 Tf <0001>Tj ", i)
	}
	b.Resources = "<</Font<<" + names.String() + ">>>>"
	b.Page("BT " + content.String() + "ET")
	return b.Bytes()
}

// mostCPU is how much time each of these may take. On the machine that they were measured on, files below 10 kB take
// at most 55 ms. Files of 50 and 100 kB take 150 ms.
var mostCPU = 400 * time.Millisecond

func TestAttack13_smallFilesAskForLittleWork(t *testing.T) {
	for name, file := range hostile {
		t.Run(name, func(t *testing.T) {
			body := file()
			begin := cputime.Self()
			doc, err := pdf.Read(body, doctext.Options{})
			took := cputime.Self() - begin
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, %d bytes: %v, %d bytes of text, %v", name, len(body), took, len(doc.Text), doc.Problems)
			if took > mostCPU {
				t.Errorf("%v for %d bytes, want at most %v", took, len(body), mostCPU)
			}
		})
	}
}

// TestAttack13_formsShowTheirTextEachTime: forms are only remembered if they have no text, and only for the same depth
// and resources.
func TestAttack13_formsShowTheirTextEachTime(t *testing.T) {
	b := pdftest.New()
	form := func(entries, content string) int {
		return b.Flate("/Type/XObject/Subtype/Form/BBox[0 0 900 900]"+entries,
			content)
	}
	text := form("", "BT /F1 12 Tf 9 9 Td (word) Tj ET")
	picture := form("", "0 0 9 9 re f")
	either := form("", "/X Do") // with the resources of the callers that show it
	font := "/Font<</F1 " + pdftest.Helvetica + ">>"
	none := form(fmt.Sprintf("/Resources<</XObject<</X %d 0 R/E %d 0 R>>>>", picture, either), "/E Do")
	some := form(fmt.Sprintf("/Resources<<%s/XObject<</X %d 0 R/E %d 0 R>>>>", font, text, either), "/E Do")
	b.Resources = fmt.Sprintf("<</XObject<</N %d 0 R/S %d 0 R>>>>", none, some)
	b.Page("/N Do q 1 0 0 1 0 700 cm /S Do Q /N Do q 1 0 0 1 0 600 cm /S Do Q /N Do q 1 0 0 1 0 500 cm /S Do Q")
	doc, err := pdf.Read(b.Bytes(), doctext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(doc.Text, "word"); n != 3 {
		t.Errorf("%d times the text, want 3: %q, %v", n, doc.Text, doc.Problems)
	}
}

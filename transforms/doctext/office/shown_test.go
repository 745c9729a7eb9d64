package office_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// TestRead_shown: the title of a document is its paragraph in the style of titles, or its first heading.
func TestRead_shown(t *testing.T) {
	styles := officetest.File{Name: "word/styles.xml", Body: `<w:styles xmlns:w="w">` +
		`<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>`}
	word := func(body string) []byte {
		return officetest.Package("word/document.xml",
			`<w:document xmlns:w="w"><w:body>`+body+`</w:body></w:document>`, styles)
	}
	p := func(style, text string) string {
		return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
	}
	const derived = `<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title">` +
		`<style:text-properties style:text-position="0% 100%"/></style:style>`
	slide := func(class, text string) string {
		return `<draw:page><draw:frame presentation:class="` + class + `"><draw:text-box><text:p>` + text +
			`</text:p></draw:text-box></draw:frame></draw:page>`
	}
	slides := func(pages ...string) []byte {
		return officetest.Zip(officetest.File{Name: "content.xml", Body: `<office:document-content xmlns:office="o" ` +
			`xmlns:text="t" xmlns:draw="d" xmlns:presentation="p"><office:body><office:presentation>` +
			strings.Join(pages, "") + `</office:presentation></office:body></office:document-content>`})
	}
	long := p("x", strings.Repeat("The harbour spends most of its money on the quay. ", 10))
	for _, tt := range []struct {
		name, want string
		body       []byte
	}{
		{"Word, a title", "Tides", word(p("x", "Report") + p("Titel", "Tides") + p("x", "They rise."))},
		{"Word, a title in two runs", "Of Tides", word(
			`<w:p><w:pPr><w:pStyle w:val="Titel"/></w:pPr><w:r><w:t>Of </w:t></w:r><w:r><w:t>Tides</w:t></w:r></w:p>`)},
		{"Word, a heading", "Tides", word(p("berschrift1", "Tides") + p("x", "They rise.") + p("berschrift1", "Falls"))},
		{"Word, a title after a heading", "Tides", word(p("berschrift1", "Preface") + p("Titel", "Tides"))},
		{"Word, an empty title", "Tides", word(p("Titel", "") + p("Titel", "Tides"))},
		{"Word, no style", "", word(p("x", "Tides") + p("x", "They rise."))},
		{"Word, a heading after much text", "", word(long + p("berschrift1", "Tides"))},
		{"OpenDocument, a title", "Tides", openText("", `<text:p>x</text:p><text:p text:style-name="Title">Tides</text:p>`)},
		{"OpenDocument, a style of its own", "Tides", openText(derived, `<text:p text:style-name="P1">Tides</text:p>`)},
		{"OpenDocument, a heading", "Tides", openText("", `<text:h text:outline-level="1">Tides</text:h><text:p>x</text:p>`)},
		{"OpenDocument, a slide", "Tides", slides(slide("title", "Tides"), slide("title", "Falls"))},
		{"OpenDocument, a second slide", "", slides(slide("outline", "They rise"), slide("title", "Falls"))},
		{"OpenDocument, a lower heading", "", openText("", `<text:h text:outline-level="2">Tides</text:h>`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := mustRead(t, tt.body, doctext.Options{}); d.Shown != tt.want {
				t.Errorf("shown is %q, want %q", d.Shown, tt.want)
			}
		})
	}
}

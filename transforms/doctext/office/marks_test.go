package office_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// wordText is a Word document with a body.
func wordText(body string) []byte {
	return officetest.Package("word/document.xml",
		`<w:document xmlns:w="w" xmlns:m="m"><w:body>`+body+`</w:body></w:document>`)
}

// openText is an OpenDocument text with automatic styles.
func openText(styles, body string) []byte {
	return officetest.Zip(officetest.File{Name: "content.xml", Body: `<office:document-content xmlns:office="o" ` +
		`xmlns:text="t" xmlns:table="tb" xmlns:style="s"><office:automatic-styles>` + styles +
		`</office:automatic-styles><office:body><office:text>` + body +
		`</office:text></office:body></office:document-content>`})
}

// TestRead_raised: superscript and subscript do not change numbers.
func TestRead_raised(t *testing.T) {
	const super = `<style:style style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style>`
	run := func(how, text string) string {
		if how != "" {
			how = `<w:rPr><w:vertAlign w:val="` + how + `"/></w:rPr>`
		}
		return `<w:r>` + how + `<w:t>` + text + `</w:t></w:r>`
	}
	p := func(runs ...string) string { return `<w:p>` + strings.Join(runs, "") + `</w:p>` }
	sheet := func(runs string) []byte {
		return officetest.Package("xl/workbook.xml",
			`<workbook xmlns:r="r"><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>`,
			officetest.File{Name: "xl/_rels/workbook.xml.rels", Body: officetest.Relations("worksheet",
				"worksheets/sheet1.xml", "sharedStrings", "sharedStrings.xml")},
			officetest.File{Name: "xl/sharedStrings.xml", Body: `<sst><si>` + runs + `</si></sst>`},
			officetest.File{
				Name: "xl/worksheets/sheet1.xml",
				Body: `<worksheet><sheetData><row><c t="s"><v>0</v></c></row></sheetData></worksheet>`,
			})
	}
	for _, tt := range []struct {
		name string
		body []byte
		want string
	}{
		{"Word, a power", wordText(p(run("", "10"), run("superscript", "6"), run("", " m"))), "10^6 m"},
		{"Word, a power in two runs", wordText(p(run("", "10"), run("superscript", "1"), run("superscript", "2"))), "10^12"},
		{"Word, an ordinal", wordText(p(run("", "the 21"), run("superscript", "st"))), "the 21st"},
		{"Word, a formula", wordText(p(run("", "CO"), run("subscript", "2"))), "CO2"},
		{"Word, an index", wordText(p(run("", "x"), run("subscript", "1"))), "x_1"},
		{"Word, cents", wordText(p(run("", "$11"), run("superscript", "99"))), "$11.99"},
		{"Word, back on the line", wordText(p(run("", "10"), run("superscript", "6"), run("baseline", "7"))), "10^67"},
		{"RTF", []byte(`{\rtf1 10{\super 6} m and 10\super -3\nosupersub  s}`), "10^6 m and 10^-3 s"},
		{"RTF, an index", []byte(`{\rtf1 x{\sub 1}}`), "x_1"},
		{"OpenDocument", openText(super, `<text:p>10<text:span text:style-name="T1">6</text:span> m</text:p>`), "10^6 m"},
		{
			"OpenDocument, nested", openText(super,
				`<text:p>10<text:span text:style-name="T1"><text:span>6</text:span></text:span></text:p>`),
			"10^6",
		},
		{"Excel", sheet(`<r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r>`), "S\n\n10^6"},
		{"Excel, below", sheet(`<r><t>H</t></r><r><rPr><vertAlign val="subscript"/></rPr><t>2</t></r>`), "S\n\nH2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := mustRead(t, tt.body, doctext.Options{}).Text; got != tt.want {
				t.Errorf("text %q, want %q", got, tt.want)
			}
		})
	}
}

// TestRead_spans: cells that span columns keep the other cells in their columns.
func TestRead_spans(t *testing.T) {
	cell := func(span, text string) string {
		return `<w:tc><w:tcPr>` + span + `</w:tcPr><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></w:tc>`
	}
	const two = `<w:gridSpan w:val="2"/>`
	got := mustRead(t, wordText(`<w:tbl><w:tr>`+cell(two, "a")+cell("", "b")+`</w:tr><w:tr>`+cell("", "1")+cell("", "2")+
		cell("", "3")+`</w:tr></w:tbl>`), doctext.Options{}).Text
	if want := "a\t\tb\n1\t2\t3"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

// TestRead_hiddenStyles: OpenDocument hides text by a style.
func TestRead_hiddenStyles(t *testing.T) {
	const styles = `<style:style style:name="T1"><style:text-properties text:display="none"/></style:style>`
	got := mustRead(t, openText(styles, `<text:p>seen<text:span text:style-name="T1"> hidden</text:span> end</text:p>`+
		`<text:p text:style-name="T1">hidden</text:p><text:p>last</text:p>`), doctext.Options{}).Text
	if want := "seen end\n\nlast"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

// TestRead_formulae: Office Math is read as TeX.
func TestRead_formulae(t *testing.T) {
	r := func(text string) string { return `<m:r><m:t>` + text + `</m:t></m:r>` }
	e := func(text string) string { return `<m:e>` + r(text) + `</m:e>` }
	for _, tt := range []struct{ name, math, want string }{
		{"a fraction", `<m:f><m:num>` + r("a") + `</m:num><m:den>` + r("b+1") + `</m:den></m:f>`, `\frac{a}{b+1}`},
		{"a power", `<m:sSup>` + e("x") + `<m:sup>` + r("2") + `</m:sup></m:sSup>`, `x^{2}`},
		{"an index", `<m:sSub>` + e("x") + `<m:sub>` + r("10") + `</m:sub></m:sSub>`, `x_{10}`},
		{"a root", `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>` + e("x") + `</m:rad>`, `\sqrt{x}`},
		{"a cube root", `<m:rad><m:deg>` + r("3") + `</m:deg>` + e("x") + `</m:rad>`, `\sqrt[3]{x}`},
		{"brackets", `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>` + e("x") + `</m:d>`, `[x]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := mustRead(t, wordText(`<w:p><m:oMath>`+tt.math+`</m:oMath></w:p>`), doctext.Options{}).Text
			if want := "$" + tt.want + "$"; got != want {
				t.Errorf("text %q, want %q", got, want)
			}
		})
	}
	sum := `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>` + r("i=1") + `</m:sub><m:sup>` + r("n") + `</m:sup>` +
		e("i") + `</m:nary>`
	got := mustRead(t, wordText(`<w:p><m:oMath>`+sum+`</m:oMath></w:p>`), doctext.Options{}).Text
	if !strings.Contains(got, `\sum`) || !strings.Contains(got, "i=1") {
		t.Errorf("a sum is %q", got)
	}
}

// TestRead_emptyElementsOfBooks: chapters are XML, in which a title or script may end with its start tag.
func TestRead_emptyElementsOfBooks(t *testing.T) {
	for _, head := range []string{"<title/>", `<script src="a.js"/>`, `<style type="text/css"/>`, "<title>T</title>"} {
		body := officetest.Zip(officetest.File{Name: "mimetype", Body: "application/epub+zip"},
			officetest.File{Name: "META-INF/container.xml", Body: `<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>`},
			officetest.File{Name: "b.opf", Body: `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>` +
				`</manifest><spine><itemref idref="a"/></spine></package>`},
			officetest.File{Name: "a.xhtml", Body: `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head>` + head +
				`</head><body><p>High water<a id="x"/></p><p>Low water</p></body></html>`})
		if got, want := mustRead(t, body, doctext.Options{}).Text, "High water\n\nLow water"; got != want {
			t.Errorf("%s: text %q, want %q", head, got, want)
		}
	}
}

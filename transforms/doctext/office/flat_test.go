package office_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// book is a workbook with rows in a sheet named "S", and shared strings.
func book(rows, strings string, more ...officetest.File) []byte {
	return officetest.Package("xl/workbook.xml", `<workbook><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>`,
		append(more,
			officetest.File{Name: "xl/_rels/workbook.xml.rels", Body: officetest.Relations("worksheet", "worksheets/sheet1.xml",
				"sharedStrings", "sharedStrings.xml")},
			officetest.File{Name: "xl/worksheets/sheet1.xml", Body: `<worksheet><sheetData>` + rows +
				`</sheetData></worksheet>`},
			officetest.File{Name: "xl/sharedStrings.xml", Body: `<sst>` + strings + `</sst>`})...)
}

// TestRead_escapes tests that escapes in strings are decoded where workbooks use them, and only there.
func TestRead_escapes(t *testing.T) {
	one := `<row><c t="s"><v>0</v></c></row>`
	tests := []struct {
		name, want string
		body       []byte
	}{
		{"shared strings", "S\n\nBekrefter \nbindende", book(one, `<si><t>Bekrefter _x000D_&#10;bindende</t></si>`)},
		{"runs", "S\n\none two", book(one, `<si><r><t>one_x0009_</t></r><r><t>two_x000d_</t></r></si>`)},
		{"in the cell", "S\n\na\nb", book(`<row><c t="inlineStr"><is><t>a_x000A_b</t></is></c></row>`, "")},
		{"of a formula", "S\n\nfive €", book(`<row><c t="str"><f>A1</f><v>five _x20AC_</v></c></row>`, "")},
		{"an underscore", "S\n\n_x000D_", book(one, `<si><t>_x005F_x000D_</t></si>`)},
		{"pairs and halves", "S\n\n😀 end", book(one, `<si><t>_xD83D__xDE00_ _xD83D_end_x0000_</t></si>`)},
		{"none", "S\n\n_x00G0_ _x12_ a_x", book(one, `<si><t>_x00G0_ _x12_ a_x</t></si>`)},
		{
			"text documents have none", "_x000D_",
			officetest.Package("word/document.xml", `<w:document><w:p><w:r><w:t>_x000D_</w:t></w:r></w:p></w:document>`),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mustRead(t, tt.body, doctext.Options{}).Text; got != tt.want {
				t.Errorf("text = %q, want %q", got, tt.want)
			}
		})
	}
	d := mustRead(t, officetest.Zip(officetest.File{Name: "xl/workbook.xml", Body: "<workbook/>"},
		officetest.File{Name: "docProps/core.xml", Body: `<c><title>Q_x0026_A_x000D_ x</title></c>`}), doctext.Options{})
	if d.Title != "Q&A x" {
		t.Errorf("title = %q", d.Title)
	}
}

// TestRead_hidden tests that hidden text is left out of text documents.
func TestRead_hidden(t *testing.T) {
	styles := officetest.File{
		Name: "word/styles.xml",
		Body: `<w:styles><w:style w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style>` +
			`<w:style w:styleId="Based"><w:basedOn w:val="Gone"/></w:style><w:style w:styleId="Back"><w:basedOn w:val="Gone"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style>` +
			`<w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style></w:styles>`,
	}
	run := func(properties, text string) string {
		return `<w:r><w:rPr>` + properties + `</w:rPr><w:t>` + text + `</w:t></w:r>`
	}
	tests := []struct{ name, body, want string }{
		{"a run", `<w:p>` + run("", "a") + run("<w:vanish/>", "b") + run("<w:b/>", "c") + `</w:p>`, "ac"},
		{"values", `<w:p>` + run(`<w:vanish w:val="false"/>`, "a") + run(`<w:vanish w:val="1"/>`, "b") +
			run(`<w:vanish w:val="off"/>`, "c") + `</w:p>`, "ac"},
		{"tabs and breaks", `<w:p>` + run("", "a") +
			`<w:r><w:rPr><w:vanish/></w:rPr><w:tab/><w:br/><w:sym w:font="Symbol" w:char="F061"/></w:r>` + run("", "b") +
			`</w:p>`, "ab"},
		{"a style", `<w:p>` + run("", "a") + run(`<w:rStyle w:val="Gone"/>`, "b") + run(`<w:rStyle w:val="Based"/>`, "c") +
			run(`<w:rStyle w:val="Back"/>`, "d") + run(`<w:rStyle w:val="Loop"/>`, "e") + `</w:p>`, "ade"},
		{"a style that is taken back", `<w:p>` + run(`<w:rStyle w:val="Gone"/><w:vanish w:val="0"/>`, "a") + `</w:p>`, "a"},
		{"a paragraph", `<w:p>` + run("", "a") + `</w:p><w:p><w:pPr><w:pStyle w:val="Gone"/></w:pPr>` + run("", "b") +
			`</w:p><w:p>` + run("", "c") + `</w:p>`, "a\n\nc"},
		{"the mark of a paragraph", `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>` + run("", "a") + `</w:p>`, "a"},
		{"a text box in a run", `<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:pict><w:txbxContent><w:p>` + run("", "x") +
			`</w:p></w:txbxContent></w:pict></w:r>` + run("", "a") + `</w:p>`, "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := officetest.Package("word/document.xml", `<w:document><w:body>`+tt.body+`</w:body></w:document>`, styles)
			if got := mustRead(t, body, doctext.Options{}).Text; got != tt.want {
				t.Errorf("text = %q, want %q", got, tt.want)
			}
		})
	}
}

const (
	declared = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\r\n"
	wordXML  = declared + `<?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" xmlns:o="urn:schemas-microsoft-com:office:office">` +
		`<o:DocumentProperties><o:Title>Tides</o:Title><o:Author>Ada Quay</o:Author><o:Created>2004-03-01T10:00:00Z</o:Created></o:DocumentProperties>` +
		`<w:styles><w:style w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style></w:styles><w:body><w:p><w:r><w:t>High</w:t></w:r><w:r><w:rPr><w:rStyle w:val="Gone"/></w:rPr><w:t>no</w:t></w:r><w:r><w:t> water</w:t></w:r></w:p>` +
		`<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>` +
		`<w:p><aml:annotation w:type="Word.Deletion"><aml:content><w:r><w:delText>no</w:delText></w:r></aml:content></aml:annotation><w:r><w:t>end</w:t></w:r></w:p></w:body></w:wordDocument>`
	sheetXML = declared + `<?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">` +
		`<DocumentProperties xmlns="urn:schemas-microsoft-com:office:office"><Title>Book</Title><Author>Ben</Author></DocumentProperties>` +
		`<Worksheet ss:Name="One"><Table><Row><Cell><Data ss:Type="String">Name</Data></Cell><Cell ss:Index="3"><Data ss:Type="Number">4.4000000000000004</Data></Cell></Row>` +
		`<Row><Cell ss:MergeAcross="1"><ss:Data ss:Type="String" xmlns="x"><B>bold</B> text</ss:Data></Cell><Cell><Data ss:Type="DateTime">2004-03-01T00:00:00.000</Data></Cell></Row></Table></Worksheet>` +
		`<Worksheet ss:Name="Two"><Table><Row><Cell><Data ss:Type="Boolean">1</Data></Cell></Row></Table></Worksheet></Workbook>`
	packageXML = declared + `<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"><pkg:part pkg:name="/_rels/.rels" pkg:contentType="x"><pkg:xmlData><Relationships>` +
		`<Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships></pkg:xmlData></pkg:part><pkg:part pkg:name="/word/document.xml" pkg:contentType="x">` +
		`<pkg:xmlData><w:document><w:body><w:p><w:r><w:t>In one file</w:t></w:r></w:p></w:body></w:document></pkg:xmlData></pkg:part>` +
		`<pkg:part pkg:name="/word/media/a.png"><pkg:binaryData>AAAA</pkg:binaryData></pkg:part></pkg:package>`
)

// TestRead_flat reads documents that are a single XML file.
func TestRead_flat(t *testing.T) {
	wide := func(s string) string {
		var b strings.Builder
		for _, u := range utf16.Encode([]rune("\uFEFF" + strings.Replace(s, "UTF-8", "UTF-16", 1))) {
			b.WriteByte(byte(u))
			b.WriteByte(byte(u >> 8))
		}
		return b.String()
	}
	word := doctext.Document{
		Title: "Tides", Authors: []string{"Ada Quay"}, Created: "2004-03-01T10:00:00Z",
		Text: "High water\n\na\tb\n\nend",
	}
	sheet := doctext.Document{
		Title: "Book", Authors: []string{"Ben"}, Pages: 2,
		Text: "One\n\nName\t\t4.4\nbold text\t\t2004-03-01\fTwo\n\nTRUE",
	}
	tests := []struct {
		name, body string
		want       doctext.Document
	}{
		{"Word 2003", wordXML, word},
		{"Word 2003 in UTF-16", wide(wordXML), word},
		{"Word 2003, other prefixes", strings.NewReplacer("w:wordDocument xmlns:w",
			"x:wordDocument xmlns:x").Replace(wordXML), word},
		{"Excel 2003", sheetXML, sheet},
		{"Excel 2003 with a prefix", strings.NewReplacer("<Workbook", "<ss:Workbook", "</Workbook",
			"</ss:Workbook").Replace(sheetXML), sheet},
		{"a package of Word 2007", packageXML, doctext.Document{Text: "In one file"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, *mustRead(t, []byte(tt.body), doctext.Options{})); diff != "" {
				t.Errorf("Read (-want +got):\n%s", diff)
			}
		})
	}
	for _, body := range []string{wordXML, sheetXML} { // truncated anywhere, it neither fails nor panics
		for n := len(declared) + 250; n < len(body); n += 97 {
			mustRead(t, []byte(body[:n]), doctext.Options{})
		}
	}
}

package office_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office"
)

// BenchmarkRead_usual reads documents of some twenty pages.
func BenchmarkRead_usual(b *testing.B) {
	var paragraphs, rows, lines strings.Builder
	for i := range 1000 {
		text := fmt.Sprintf("Paragraph %d tells of the tide and of the %d boats that wait for it in the harbour.", i, i*i)
		paragraphs.WriteString(`<w:p w:rsidR="00A1"><w:pPr><w:pStyle w:val="Body"/><w:rPr><w:lang w:val="en-GB"/></w:rPr></w:pPr><w:r w:rsidR="00A2"><w:rPr><w:b/><w:sz w:val="22"/></w:rPr><w:t>` + text + `</w:t></w:r></w:p>`)
		fmt.Fprintf(&rows, `<row r="%d"><c r="A%d" s="1"><v>%d</v></c><c r="B%d"><v>%d.5</v></c><c r="C%d" t="inlineStr"><is><t>%s</t></is></c></row>`, i+1, i+1, 40000+i, i+1, i, i+1, text)
		lines.WriteString(`\pard\plain\ltrpar\s1\f0\fs24\lang1033{\b0\i0 ` + text + "}\\par\n")
	}
	for _, doc := range []struct {
		name string
		body []byte
	}{
		{"docx", officetest.Package("word/document.xml", `<w:document xmlns:w="w">`+paragraphs.String()+`</w:document>`)},
		{"xlsx", officetest.Package("xl/worksheets/sheet1.xml", `<worksheet><sheetData>`+rows.String()+
			`</sheetData></worksheet>`)},
		{"rtf", []byte(`{\rtf1\ansi` + lines.String() + `}`)},
	} {
		b.Run(doc.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(doc.body)))
			for b.Loop() {
				if _, err := office.Read("", doc.body, doctext.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

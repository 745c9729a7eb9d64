package office_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// TestRead_variants reads documents that differ from those of the usual programs.
func TestRead_variants(t *testing.T) {
	type file = officetest.File
	const slide = `<p:sld><a:p><a:t>`
	const endSlide = `</a:t></a:p></p:sld>`
	header := file{Name: "word/header1.xml", Body: `<w:hdr><w:p><w:t>header</w:t></w:p></w:hdr>`}
	chapter := func(text string) string { return `<html><body><p>` + text + `</p></body></html>` }
	container := file{Name: "META-INF/container.xml", Body: `<container><rootfile full-path="b.opf"/></container>`}
	sheet := `<worksheet><row><c s="1"><v>0</v></c></row></worksheet>`
	for _, test := range []struct {
		name, want string
		body       []byte
		problems   []doctext.Kind
	}{
		{"external target", "text", officetest.Package("word/document.xml",
			`<w:document><w:p><w:t>text</w:t></w:p></w:document>`, header,
			file{
				Name: "word/_rels/document.xml.rels",
				Body: `<Relationships><Relationship Id="a" Type="x/header" Target="header1.xml" TargetMode="External"/></Relationships>`,
			}), nil},
		{"relation to itself", "text", officetest.Package("word/document.xml",
			`<w:document><w:p><w:t>text</w:t></w:p></w:document>`,
			file{Name: "word/_rels/document.xml.rels", Body: officetest.Relations("chart", "c.xml")},
			file{Name: "word/c.xml", Body: `<c/>`},
			file{Name: "word/_rels/c.xml.rels", Body: officetest.Relations("chart", "c.xml", "chart", "document.xml")}), nil},
		{"properties between", "text", officetest.Package("word/document.xml",
			`<w:document><w:p><w:pPr><w:t>x</w:t></w:pPr><w:t>text</w:t></w:p></w:document>`), nil},
		{
			"slides without a list", "one\ftwo\ften",
			officetest.Zip(file{Name: "ppt/slides/slide10.xml", Body: slide + "ten" + endSlide},
				file{Name: "ppt/slides/slide2.xml", Body: slide + "two" + endSlide},
				file{Name: "ppt/slides/slide1.xml", Body: slide + "one" + endSlide}), nil,
		},
		{
			"days since 1904", "S\n\n1904-01-01",
			officetest.Package("xl/workbook.xml", `<workbook><workbookPr date1904="1"/><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>`,
				file{Name: "xl/_rels/workbook.xml.rels", Body: officetest.Relations("worksheet", "worksheets/sheet1.xml")},
				file{Name: "xl/worksheets/sheet1.xml", Body: sheet},
				file{Name: "xl/styles.xml", Body: `<styleSheet><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>`}), nil,
		},
		{"sheets without a workbook", "0", officetest.Zip(file{Name: "xl/worksheets/sheet1.xml", Body: sheet}), nil},
		{"book without a spine", "two\n\none", officetest.Zip(container, file{Name: "b.opf", Body: `<package/>`},
			file{Name: "2.xhtml", Body: chapter("two")}, file{Name: "1.xhtml", Body: chapter("one")}), nil},
		{"book without a container", "one", officetest.Zip(file{
			Name: "x/b.opf",
			Body: `<package><manifest><item id="a" href="1.html"/></manifest><spine><itemref idref="a"/></spine></package>`,
		},
			file{Name: "x/1.html", Body: chapter("one")}, file{Name: "x/2.html", Body: chapter("two")}), nil},
		{
			"encrypted chapter", "two", officetest.Zip(container, file{Name: "b.opf", Body: `<package/>`},
				file{Name: "1.xhtml", Body: "\x8f\x11"}, file{Name: "2.xhtml", Body: chapter("two")},
				file{Name: "META-INF/encryption.xml", Body: `<encryption><CipherReference URI="1.xhtml"/></encryption>`}),
			[]doctext.Kind{doctext.KindEncrypted},
		},
		{
			"cut book", "one", cutAfter(officetest.Zip(container, file{Name: "b.opf", Body: `<package/>`},
				file{Name: "1.xhtml", Body: chapter("one")}, file{Name: "2.xhtml", Body: chapter("two")}), "2.xhtml"),
			[]doctext.Kind{doctext.KindDamaged},
		},
		{
			"stored parts", "flat <office:document",
			stored("content.xml", `<office:document><text:p>flat &lt;office:document</text:p></office:document>`), nil,
		},
		{"Word 6", "Высокая\n\nвода", word6(), nil},
		{
			"presentation without its list", "Tides\n\nLine one\nline two\n\nIn a box\n\nToo loud\n\nOld\n\nClick to edit\n\n" +
				"Harbour master\n\nSay hello\n\nLast",
			officetest.CFB(officetest.Stream{Name: "PowerPoint Document", Body: officetest.PptStream()}),
			[]doctext.Kind{doctext.KindDamaged},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := mustRead(t, test.body, doctext.Options{})
			if diff := cmp.Diff(test.problems, kinds(d)); d.Text != test.want || diff != "" {
				t.Errorf("text %q, want %q; problems %v", d.Text, test.want, d.Problems)
			}
		})
	}
}

// stored is an archive with one entry that is not compressed.
func stored(name, body string) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	e, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err == nil {
		_, err = e.Write([]byte(body))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // a buffer accepts everything
	}
	return out.Bytes()
}

// cutAfter truncates an archive in the header of an entry.
func cutAfter(body []byte, name string) []byte {
	for i := range body {
		if string(body[i:min(i+len(name), len(body))]) == name {
			return body[:i]
		}
	}
	return body
}

// word6 is a Russian text document of Word 6: its text is in one piece, in code page 1251.
func word6() []byte {
	text := "\xC2\xFB\xF1\xEE\xEA\xE0\xFF\r\xE2\xEE\xE4\xE0\r"
	b := make([]byte, 1024)
	for at, n := range map[int]uint16{
		0: 0xA5DC, 2: 101, 6: 0x419, 0x18: 768, 0x1C: 768 + uint16(len(text)),
		0x34: uint16(len(text)),
	} {
		binary.LittleEndian.PutUint16(b[at:], n)
	}
	copy(b[768:], text)
	return officetest.CFB(officetest.Stream{Name: "WordDocument", Body: b})
}

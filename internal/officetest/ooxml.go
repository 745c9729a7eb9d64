package officetest

import "strings"

// The prefix of relation types, and the part with content types.
const (
	relationsType = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	contentTypes  = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="xml" ContentType="application/xml"/></Types>`
)

// Core is the metadata part. Its namespaces are short, because readers go by local names.
const Core = `<?xml version="1.0"?><cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t">
<dc:title>Tide tables</dc:title><dc:subject>Tides</dc:subject><dc:creator>Ada Quay;Ben Pier</dc:creator>
<cp:keywords>tide, moon; harbour</cp:keywords><dc:description>High &amp; low water</dc:description>
<dcterms:created>2021-03-04T05:06:07Z</dcterms:created><dcterms:modified>2022-03-04</dcterms:modified>
<dc:language>en-GB</dc:language></cp:coreProperties>`

// App is the part that names the program.
const App = `<Properties><Application>Quaywriter</Application><AppVersion>3.1</AppVersion>
<Company>Wrenmouth Port</Company></Properties>`

// Package returns an Office Open XML document. main is the name of the main part, to which the package's relations
// lead.
func Package(main, body string, more ...File) []byte {
	return Zip(append([]File{
		{"[Content_Types].xml", contentTypes},
		{"_rels/.rels", Relations("officeDocument", main)},
		{main, body},
		{"docProps/core.xml", Core},
		{"docProps/app.xml", App},
	}, more...)...)
}

// Relations returns a part of relations from pairs of type and target, with the ids rId1, rId2 and so on.
func Relations(pairs ...string) string {
	var b strings.Builder
	b.WriteString(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	// Ids have one digit, so there may be nine.
	for i := 0; i+1 < len(pairs); i += 2 {
		b.WriteString(`<Relationship Id="rId` + string(rune('1'+i/2)) + `" Type="` + relationsType + pairs[i] + `" Target="` +
			pairs[i+1] + `"/>`)
	}
	return b.String() + `</Relationships>`
}

// DocxBody is the main part of Docx. It has a case of each element that is text or not. Examples are deleted and
// moved runs, fields, both branches of alternative content, nested tables, formulas and ruby.
const DocxBody = `<w:document xmlns:w="w" xmlns:mc="m" xmlns:r="r" xmlns:m="math"><w:body>
<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>High water</w:t></w:r><w:r><w:tab/>
<w:t xml:space="preserve">at </w:t></w:r><w:r><w:t>noon &lt;12&gt;</w:t></w:r></w:p>
<w:p/>
<w:p><w:r><w:t>Kept</w:t></w:r><w:del><w:r><w:delText> deleted</w:delText></w:r></w:del>
<w:ins><w:r><w:t> inserted</w:t></w:r></w:ins><w:moveFrom><w:r><w:t> moved away</w:t></w:r></w:moveFrom></w:p>
<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "x"</w:instrText></w:r>
<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>a link</w:t></w:r><w:r><w:br/><w:t>next line</w:t>
<w:noBreakHyphen/><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r></w:p>
<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>In a box</w:t></w:r></w:p>
</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent><w:p><w:r><w:t>In a box</w:t></w:r></w:p>
</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Day</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc>
<w:tc><w:p><w:r><w:t>Time</w:t></w:r></w:p><w:p><w:r><w:t>(local)</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t>1 May</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>
<w:tc><w:tbl><w:tr><w:tc><w:p><w:r><w:t>06:10</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>18:40</w:t></w:r></w:p>
</w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>
<w:p><w:r><w:t>Sum </w:t></w:r><m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath><w:r><w:ruby><w:rt><w:r><w:t>reading</w:t>
</w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>
<w:altChunk r:id="rId7"/>
</w:body></w:document>`

// DocxText is the text of Docx. Headers come first and once; charts, notes, comments and footers follow the body.
const DocxText = "Wrenmouth\n\nHigh water\tat noon <12>\n\nKept inserted\n\na link\nnext line\u2011α✓\n\nIn a box\n\n" +
	"Day\t\tTime (local)\n1 May\tx\t06:10 18:40\n\nSum $a+b$漢\n\nChunk\n\nof HTML\n\nTides\n\nNeap\tSpring\n4.1\t5\n\nA " +
	"footnote\n\nAn endnote\n\nA remark\n\nPage of the port"

// Docx is a text document.
func Docx() []byte {
	part := func(kind, text string) string {
		return `<w:` + kind + ` xmlns:w="w"><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></w:` + kind + `>`
	}
	return Package("word/document.xml", DocxBody,
		// Targets are relative to the document or begin at the root.
		File{"word/_rels/document.xml.rels", Relations("header", "header1.xml", "header", "header2.xml", "footnotes",
			"footnotes.xml",
			"endnotes", "endnotes.xml", "comments", "/word/comments.xml", "footer", "footer1.xml", "aFChunk", "chunk.htm",
			"chart", "charts/chart1.xml")},
		// Two headers with the same text count once.
		File{"word/header1.xml", part("hdr", "Wrenmouth")}, File{"word/header2.xml", part("hdr", "Wrenmouth")},
		File{"word/footnotes.xml", part("footnote", "A footnote")}, File{"word/endnotes.xml", part("endnote", "An endnote")},
		File{"word/comments.xml", part("comment", "A remark")}, File{"word/footer1.xml", part("ftr", "Page of the port")},
		// A chunk is HTML, whose title is not text of the document.
		File{"word/chunk.htm", "<html><title>no</title><p>Chunk<p>of HTML</html>"},
		File{
			"word/charts/chart1.xml",
			// Each series repeats the list of names.
			`<c:chart xmlns:c="c" xmlns:a="a"><a:p><a:r><a:t>Tides</a:t></a:r></a:p>
<c:cat><c:strCache><c:pt><c:v>Neap</c:v></c:pt><c:pt><c:v>Spring</c:v></c:pt></c:strCache></c:cat>
<c:val><c:numCache><c:pt><c:v>4.0999999999999996</c:v></c:pt><c:pt><c:v>5</c:v></c:pt></c:numCache></c:val>
<c:cat><c:strCache><c:pt><c:v>Neap</c:v></c:pt><c:pt><c:v>Spring</c:v></c:pt></c:strCache></c:cat></c:chart>`,
		})
}

// PptxText is the text of Pptx. A form feed ends a slide.
const PptxText = "Second first\n\nHarbour master\n\nSay hello\n\nToo loud\f\fLast slide\n\nNode"

// Pptx is a presentation with slides in another order than their names; the middle one is empty.
func Pptx() []byte {
	// sldIdLst gives the order; its relation ids differ from the names.
	slide := func(text string) string {
		return `<p:sld xmlns:p="p" xmlns:a="a"><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr>
<p:txBody><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></p:txBody></p:sp></p:sld>`
	}
	shape := func(ph, text string) string {
		return `<p:sp><p:nvSpPr><p:nvPr>` + ph + `</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>` + text +
			`</a:t></a:r></a:p></p:txBody></p:sp>`
	}
	// Layouts and masters have visible texts, and hints in placeholders, which are invisible.
	frame := func(shapes string) string { return `<p:frame xmlns:p="p" xmlns:a="a">` + shapes + `</p:frame>` }
	return Package("ppt/presentation.xml",
		`<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="257" r:id="rId2"/><p:sldId id="258" r:id="rId3"/>
<p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>`,
		File{"ppt/_rels/presentation.xml.rels", Relations("slide", "slides/slide1.xml", "slide", "slides/slide2.xml", "slide",
			"slides/slide3.xml")},
		File{"ppt/slides/slide1.xml", slide("Last slide")}, File{"ppt/slides/slide2.xml", slide("Second first")},
		File{"ppt/slides/slide3.xml", slide("")},
		File{"ppt/slides/_rels/slide1.xml.rels", Relations("slideLayout", "../slideLayouts/slideLayout1.xml", "diagramData",
			"../diagrams/data1.xml")}, File{"ppt/slides/_rels/slide2.xml.rels", Relations("slideLayout",
			"../slideLayouts/slideLayout1.xml", "notesSlide", "../notesSlides/notesSlide1.xml", "comments",
			"../comments/comment1.xml")}, File{
			"ppt/slideLayouts/slideLayout1.xml",
			frame(shape(`<p:ph type="body"/>`, "Click to edit")),
		}, File{
			"ppt/slideLayouts/_rels/slideLayout1.xml.rels",
			Relations("slideMaster", "../slideMasters/slideMaster1.xml"),
		}, File{
			"ppt/slideMasters/slideMaster1.xml",
			frame(shape(`<p:ph type="title"/>`, "Click to edit") + shape("", "Harbour master")),
		},
		File{
			// The slide number is a placeholder, not text of the notes.
			"ppt/notesSlides/notesSlide1.xml",
			frame(shape(`<p:ph type="body" idx="1"/>`, "Say hello") + shape(`<p:ph type="sldNum"/>`, "7")),
		},
		File{"ppt/comments/comment1.xml", `<p:cmLst xmlns:p="p"><p:cm><p:text>Too loud</p:text></p:cm></p:cmLst>`},
		File{
			"ppt/diagrams/data1.xml",
			`<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><a:p><a:r><a:t>Node</a:t></a:r></a:p></dgm:dataModel>`,
		})
}

// XlsxText is the text of Xlsx. A form feed ends a sheet.
const XlsxText = "Tides\n\nDay\tHeight\tNote\n2021-05-01\t4.10\t\tTRUE\n2021-05-01T18:30:00\t1,234.5\tinline\tsum\n" +
	"-7.5%\t#N/A\n\nPort & tide\n\nOn the sheet\n\nChecked\fEmpty"

// Xlsx is a workbook.
func Xlsx() []byte {
	return Package("xl/workbook.xml",
		`<workbook xmlns="s" xmlns:r="r"><sheets><sheet name="Tides" sheetId="1" r:id="rId1"/>
<sheet name="Empty" sheetId="2" r:id="rId2"/></sheets></workbook>`,
		File{"xl/_rels/workbook.xml.rels", Relations("worksheet", "worksheets/sheet1.xml", "worksheet",
			"worksheets/sheet2.xml", "sharedStrings", "sharedStrings.xml", "styles", "styles.xml")},
		// A string may be in runs and have a hidden reading.
		File{"xl/sharedStrings.xml", `<sst xmlns="s"><si><t>Day</t></si><si><r><t>Hei</t></r><r><t>ght</t></r>
<rPh><t>reading</t></rPh></si><si><t>Note</t></si></sst>`},
		// cellXfs decides how numbers are shown; the style before it applies to no cell.
		File{"xl/styles.xml", `<styleSheet xmlns="s"><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\ hh:mm"/>
<numFmt numFmtId="165" formatCode="#,##0.0"/><numFmt numFmtId="166" formatCode="0.0%"/></numFmts>
<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>
<xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="2"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/>
</cellXfs></styleSheet>`},
		// Index 99 does not exist. &L, fonts and sizes are codes in a header, and && is an ampersand.
		File{"xl/worksheets/sheet1.xml", `<worksheet xmlns="s"><sheetData>
<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c>
<c r="D1" t="s"><v>99</v></c></row>
<row r="2"><c r="A2" s="1"><v>44317</v></c><c r="B2" s="2"><v>4.1</v></c><c r="D2" t="b"><v>1</v></c></row>
<row r="3"><c r="A3" s="3"><v>44317.770833333336</v></c><c r="B3" s="4"><v>1234.5</v></c>
<c r="C3" t="inlineStr"><is><t>inline</t></is></c><c r="D3" t="str"><f>A1&amp;"m"</f><v>sum</v></c></row>
<row r="4"><c r="A4" s="5"><v>-0.075</v></c><c r="B4" t="e"><v>#N/A</v></c></row>
</sheetData><headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Port &amp;&amp; tide</oddHeader></headerFooter>
</worksheet>`},
		File{"xl/worksheets/_rels/sheet1.xml.rels", Relations("drawing", "../drawings/drawing1.xml", "comments",
			"../comments1.xml")},
		File{"xl/worksheets/sheet2.xml", `<worksheet xmlns="s"><sheetData/></worksheet>`},
		File{
			"xl/drawings/drawing1.xml",
			`<xdr:wsDr xmlns:xdr="x" xmlns:a="a"><a:p><a:r><a:t>On the sheet</a:t></a:r></a:p></xdr:wsDr>`,
		},
		File{"xl/comments1.xml", `<comments xmlns="s"><authors><author>Ada</author></authors>
<commentList><comment ref="A1"><text><r><t>Checked</t></r></text></comment></commentList></comments>`})
}

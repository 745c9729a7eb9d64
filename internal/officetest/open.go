package officetest

// odfMeta is a separate file, or part of the flat format.
const odfMeta = `<office:meta><dc:title>Tide tables</dc:title><dc:description>High &amp; low water</dc:description` +
	`><meta:initial-creator>Ada Quay</meta:initial-creator><dc:creator>Ben Pier</dc:creator><meta:keyword>tide</meta:` +
	`keyword><meta:keyword>moon</meta:keyword><meta:creation-date>2021-03-04T05:06:07</meta:creation-date><dc:date>2` +
	`022-03-04T05:06:07Z</dc:date><dc:language>en-GB</dc:language><meta:generator>Quaywriter/3.1</meta:generator></` +
	`office:meta>`

// odf returns an OpenDocument file with a body.
func odf(body string, more ...File) []byte {
	return Zip(append([]File{
		{"mimetype", "application/vnd.oasis.opendocument"},
		{"content.xml", `<?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="tb" ` +
			`xmlns:draw="d" xmlns:dc="dc" xmlns:svg="svg"><office:body>` + body + `</office:body></office:document-content>`},
		{"meta.xml", `<office:document-meta xmlns:office="o" xmlns:meta="m" xmlns:dc="dc">` + odfMeta +
			`</office:document-meta>`},
	}, more...)...)
}

// odtBody has deletions, notes, comments, frames and repeated cells, some of them text.
const odtBody = `<office:text><text:tracked-changes><text:deletion><text:p>deleted</text:p></text:deletion></text:` +
	`tracked-changes>
<text:h>High water</text:h><text:p>at<text:tab/>noon<text:s text:c="3"/>or
  so<text:line-break/>next<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A footnote<` +
	`/text:p></text:note-body></text:note> line<office:annotation><dc:creator>Ada</dc:creator><dc:date>2020-01-01</dc` +
	`:date><text:p>A remark</text:p></office:annotation></text:p>
<text:p><text:span>In </text:span><text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>reading</text:ruby-` +
	`text></text:ruby><draw:frame><svg:title>name</svg:title><draw:text-box><text:p>In a box</text:p></draw:text-box>` +
	`</draw:frame><draw:object xlink:href="./Object 1"/><draw:object xlink:href="./Object 1"/></text:p>
<table:table table:name="T"><table:table-row><table:table-cell><text:p>Day</text:p></table:table-cell><table:table` +
	`-cell table:number-columns-repeated="2"/><table:table-cell><text:p>Time</text:p><text:p>(local)</text:p></table:` +
	`table-cell></table:table-row><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>x</te` +
	`xt:p></table:table-cell></table:table-row></table:table></office:text>`

// OdtText is the text of Odt.
const OdtText = "Wrenmouth\n\nHigh water\n\nat\tnoon   or so\nnext line\n\nIn 漢\n\nIn a " +
	"box\n\nNeap\t4.1\n\nDay\t\t\tTime (local)\nx\tx\n\nA footnote\n\nA remark\n\nof the port"

// Odt is a text document.
func Odt() []byte {
	return odf(odtBody, File{
		"Object 1/content.xml",
		`<office:document-content xmlns:office="o" xmlns:table="tb" xmlns:text="t" xmlns:xlink="x"><office:body><office:` +
			`spreadsheet><table:table table:name="T1"><table:table-row><table:table-cell><text:p>Neap</text:p></table:table` +
			`-cell><table:table-cell><text:p>4.1</text:p></table:table-cell></table:table-row></table:table><draw:object x` +
			`link:href="../Object 1"/></office:spreadsheet></office:body></office:document-content>`,
	},
		File{"styles.xml", `<office:document-styles xmlns:office="o" xmlns:style="s" xmlns:text="t"><office:master-style` +
			`s><style:master-page><style:header><text:p>Wrenmouth</text:p></style:header><style:footer><text:p><text:page-n` +
			`umber>1</text:page-number> of the port</text:p></style:footer></style:master-page><style:master-page><style:h` +
			`eader><text:p>Wrenmouth</text:p></style:header></style:master-page></office:master-styles></office:document-` +
			`styles>`})
}

// OdsText is the text of Ods.
const OdsText = "Tides\n\nDay\tHeight\n1 May\t4.1\fEmpty\fLast\n\nx"

// Ods is a workbook of three sheets.
func Ods() []byte {
	// The last cell repeats to the end of the row, which must not make 16,382 tabs.
	row := func(a, b string) string {
		return `<table:table-row><table:table-cell><text:p>` + a + `</text:p></table:table-cell><table:table-cell><text:p>` +
			b + `</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16382"/></table:table-row>`
	}
	return odf(`<office:spreadsheet><table:table table:name="Tides">` + row("Day", "Height") + row("1 May", "4.1") +
		`</table:table><table:table table:name="Empty"/><table:table table:name="Last">` + row("x", "") +
		`</table:table></office:spreadsheet>`)
}

// OdpText is the text of Odp.
const OdpText = "First\n\nSay hello\fSecond"

// Odp is a presentation.
func Odp() []byte {
	page := func(text, notes string) string {
		return `<draw:page xmlns:draw="d" xmlns:presentation="p"><draw:frame><draw:text-box><text:p>` + text +
			`</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>` + notes +
			`</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>`
	}
	return odf(`<office:presentation>` + page("First", "Say hello") + page("Second", "") + `</office:presentation>`)
}

// Fodt is a text document as flat XML with a picture, whose bytes are not text of the document.
const Fodt = `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="o" xmlns:text="t" xmlns:draw="d` +
	`" xmlns:dc="dc" xmlns:meta="m">` + odfMeta +
	`<office:body><office:text><text:p>Flat<draw:image><office:binary-data>iVBORw0KGgo=</office:binary-data></draw:im` +
	`age> text</text:p></office:text></office:body></office:document>`

// EpubText is the text of Epub.
const EpubText = "The Tide\n\nIt rose & fell.\n\nDay\tTime\n1 May\t06:10\n\nThe end."

// Epub is a book with chapters in another order than their names, and paths in several forms. One reference leads out
// of the archive, and one item is not in the book.
func Epub() []byte {
	chapter := func(body string) string {
		return `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>no</title>` +
			`</head><body>` + body + `</body></html>`
	}
	return Zip(
		File{"mimetype", "application/epub+zip"},
		File{
			"META-INF/container.xml",
			`<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootf` +
				`iles></container>`,
		},
		File{"OEBPS/book.opf", `<package xmlns:dc="d"><metadata><dc:title>Tide tables</dc:title><dc:creator>Ada Quay</dc` +
			`:creator><dc:creator>Ben Pier</dc:creator><dc:publisher>Wrenmouth Port</dc:publisher><dc:subject>tide</dc:subj` +
			`ect><dc:description>&lt;p&gt;High water&lt;/p&gt;</dc:description><dc:date>2021-03-04</dc:date><dc:language>e` +
			`n-GB</dc:language><meta property="dcterms:modified">2022-03-04T05:06:07Z</meta><meta name="generator" conten` +
			`t="Quaywriter"/></metadata>
<manifest><item id="b" href="a%20b.xhtml"/><item id="a" href="../OEBPS/z.xhtml#top"/><item id="x" href="../../../.` +
			`./etc/passwd.html"/><item id="css" href="s.css"/></manifest><spine><itemref idref="a"/><itemref idref="x"/><item` +
			`ref idref="b"/><itemref idref="a"/><itemref idref="css"/></spine></package>`},
		File{"OEBPS/a b.xhtml", chapter(`<p>The end.</p>`)},
		File{"OEBPS/z.xhtml", chapter(`<h1>The Tide</h1><p>It rose &amp; fell.</p><table><tr><td>Day</td><td>Time</td></` +
			`tr><tr><td>1 May</td><td>06:10</td></tr></table><script>no</script>`)},
		File{"OEBPS/s.css", "p{}"})
}

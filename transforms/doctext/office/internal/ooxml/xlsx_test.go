package ooxml_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/ooxml"
)

// workbook is a workbook with a sheet "S" and further parts.
func workbook(sheet string, more files) files {
	f := files{
		"xl/workbook.xml":            `<workbook><sheets><sheet name="S" r:id="a"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": relations([3]string{"a", "worksheet", "worksheets/sheet1.xml"}),
		"xl/worksheets/sheet1.xml":   `<worksheet>` + sheet + `</worksheet>`,
		"xl/sharedStrings.xml":       `<sst><si><t>Tide</t></si><si/><si><t>水</t><rPh><t>みず</t></rPh></si></sst>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.00"/></numFmts>` +
			`<cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
	}
	for name, body := range more {
		f[name] = body
	}
	return f
}

func TestRead_cells(t *testing.T) {
	tests := []struct{ name, row, want string }{
		{"shared strings", `<c t="s"><v>0</v></c><c t="s"><v> 2 </v></c>`, "Tide\t水"},
		{"an empty shared string", `<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>0</v></c>`, "Tide\t\tTide"},
		{
			"indexes outside the table", `<c t="s"><v>3</v></c><c t="s"><v>-1</v></c><c t="s"><v>x</v></c><c><v>7</v></c>`,
			"\t\t\t7",
		},
		{
			"booleans", `<c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="b"/><c t="b"><v>true</v></c>`,
			"TRUE\tFALSE\t\tTRUE",
		},
		{"dates", `<c s="1"><v>44317</v></c><c t="d"><v>2021-05-01</v></c>`, "2021-05-01\t2021-05-01"},
		{"a style that is missing", `<c s="99"><v>0.1</v></c><c s="-1"><v>2</v></c>`, "0.1\t2"},
		{"a format of the file", `<c s="2"><v>4.125</v></c>`, "4.13"},
		{"what is not a number", `<c><v>1,5</v></c><c><v>INF</v></c><c t="n"><v>1e2</v></c>`, "1,5\tINF\t100"},
		{"errors", `<c t="e"><v>#DIV/0!</v></c>`, "#DIV/0!"},
		{"formula and result", `<c t="str"><f>CONCAT(A1)</f><v>Ebbe</v></c>`, "Ebbe"},
		{"string in the cell", `<c t="inlineStr"><is><r><t>Eb</t></r><r><t>be</t></r><rPh><t>no</t></rPh></is></c>`, "Ebbe"},
		{"gap between columns", `<c r="B1"><v>1</v></c><c r="E1"><v>2</v></c>`, "\t1\t\t\t2"},
		{"no references", `<c><v>1</v></c><c><v>2</v></c>`, "1\t2"},
		{"damaged references", `<c r="??"><v>1</v></c><c r="1"><v>2</v></c><c r="A1"><v>3</v></c>`, "1\t2\t3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, workbook(`<sheetData><row>`+tt.row+`</row></sheetData>`, nil), doctext.Options{})
			if want := "S\n\n" + tt.want; d.Text != want || d.Problems != nil {
				t.Errorf("Read(%q) = %q, problems %v; want %q", tt.row, d.Text, d.Problems, want)
			}
		})
	}
}

func TestRead_cellLimits(t *testing.T) {
	long := `<c t="inlineStr"><is><t>` + strings.Repeat("x", 1<<20) + `</t></is></c><c><v>7</v></c>`
	d := read(t, workbook(`<row>`+long+`</row>`, nil), doctext.Options{})
	if n := len(d.Text); n > 4*32_767+100 || !strings.HasSuffix(d.Text, "x\t7") {
		t.Errorf("a cell of 1 MiB gives %d bytes, the end %q", n, d.Text[max(0, n-10):])
	}
	d = read(t, workbook(`<row><c r="XFD1"><v>7</v></c></row>`, nil), doctext.Options{})
	if n := strings.Count(d.Text, "\t"); n > 100 || !strings.HasSuffix(d.Text, "\t7") {
		t.Errorf("a cell in the last column has %d tabs before it, text %q", n, d.Text)
	}
}

func TestRead_besideSheets(t *testing.T) {
	links := func(list ...[3]string) string { return relations(list...) }
	const rels = "xl/worksheets/_rels/sheet1.xml.rels"
	tests := []struct {
		name  string
		sheet string
		more  files
		want  string
	}{
		{
			"comments", "",
			files{rels: links([3]string{"1", "comments", "../c.xml"}), "xl/c.xml": `<comments><authors>` +
				`<author>Ada</author></authors><commentList><comment><text><t>Checked</t></text></comment>` +
				`<comment><text><r><t>Twi</t></r><r><t>ce</t></r></text></comment></commentList></comments>`},
			"Checked\n\nTwice",
		},
		{
			"threaded comments come once and apart", "", files{
				rels:       links([3]string{"1", "comments", "../c.xml"}, [3]string{"2", "threadedComment", "../t.xml"}),
				"xl/c.xml": `<comments><comment><text><t>[Threaded comment] Checked</t></text></comment></comments>`,
				"xl/t.xml": `<ThreadedComments><threadedComment id="1"><text>Checked</text></threadedComment>` +
					`<threadedComment parentId="1"><text>Danke</text></threadedComment></ThreadedComments>`,
			}, "Checked\n\nDanke",
		},
		{
			"notes beside threads", "", files{
				rels: links([3]string{"1", "comments", "../c.xml"}, [3]string{"2", "threadedComment", "../t.xml"}),
				"xl/c.xml": `<comments><authors><author>Ada</author><author>tc={E7}</author></authors><commentList>` +
					`<comment ref="A1" authorId="0"><text><r><t>A </t></r><r><t>note</t></r></text></comment>` +
					`<comment ref="B2" authorId="1"><text><t>[Threaded comment] Checked</t></text></comment>` +
					`</commentList></comments>`,
				"xl/t.xml": `<ThreadedComments><threadedComment><text>Checked</text></threadedComment></ThreadedComments>`,
			}, "A note\n\nChecked",
		},
		{
			"a note without an author beside threads", "", files{
				rels:       links([3]string{"1", "comments", "../c.xml"}, [3]string{"2", "threadedComment", "../t.xml"}),
				"xl/c.xml": `<comments><comment><text><t>Alone</t></text></comment></comments>`,
				"xl/t.xml": `<ThreadedComments/>`,
			}, "Alone",
		},
		{"edges of views", `<customSheetViews><customSheetView><headerFooter><oddHeader>&amp;LHafen</oddHeader>` +
			`</headerFooter></customSheetView></customSheetViews><headerFooter><oddHeader>&amp;LHafen</oddHeader>` +
			`</headerFooter>`, nil, "Hafen"},
		{
			"a chart in a drawing", "", files{
				rels:                           links([3]string{"1", "drawing", "../drawings/d.xml"}),
				"xl/drawings/d.xml":            `<xdr:wsDr>` + para("a", "Box") + `</xdr:wsDr>`,
				"xl/drawings/_rels/d.xml.rels": links([3]string{"1", "chart", "../charts/c.xml"}),
				"xl/charts/c.xml":              `<c:chart>` + para("a", "Höhe") + `</c:chart>`,
			}, "Box\n\nHöhe",
		},
		{"edges", `<headerFooter><oddHeader>&amp;LHafen&amp;RSeite &amp;P</oddHeader><evenFooter>a && b</evenFooter>` +
			`</headerFooter>`, nil, "Hafen Seite\n\na & b"},
		{"extensions", `<extLst><ext><v>7</v></ext></extLst>`, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, workbook(tt.sheet, tt.more), doctext.Options{})
			if want := strings.TrimSpace("S\n\n" + tt.want); d.Text != want {
				t.Errorf("Read = %q, want %q", d.Text, want)
			}
		})
	}
}

func TestReadFlat_workbooks(t *testing.T) {
	data := func(kind, text string) string { return `<Data ss:Type="` + kind + `">` + text + `</Data>` }
	cell := func(attributes, data string) string { return `<Cell ` + attributes + `>` + data + `</Cell>` }
	tests := []struct{ name, rows, want string }{
		{
			"types", `<Row>` + cell("", data("Number", "0.30000000000000004")) + cell("", data("Boolean", "0")) +
				cell("", data("DateTime", "2004-03-01T18:30:00.000")) + cell("", data("Error", "#N/A")) + `</Row>`,
			"0.3\tFALSE\t2004-03-01T18:30:00\t#N/A",
		},
		{
			"a column's number", `<Row>` + cell(`ss:Index="3"`, data("String", "c")) + cell("", data("String", "d")) + `</Row>`,
			"\t\tc\td",
		},
		{"merged cells keep the columns", `<Row>` + cell(`ss:MergeAcross="2"`, data("String", "a")) +
			cell("", data("String", "d")) + `</Row><Row>` + cell("", data("Number", "1")) + cell("", data("Number", "2")) +
			cell("", data("Number", "3")) + cell("", data("Number", "4")) + `</Row>`, "a\t\t\td\n1\t2\t3\t4"},
		{"merged cells before a number", `<Row>` + cell(`ss:MergeAcross="1"`, data("String", "a")) +
			cell(`ss:Index="4"`, data("String", "d")) + `</Row>`, "a\t\t\td"},
		{"merged empty cells", `<Row>` + cell(`ss:MergeAcross="1"`, "") + cell("", data("String", "c")) + `</Row>`, "\t\tc"},
		{"merged at the end", `<Row>` + cell(`ss:MergeAcross="5"`, data("String", "a")) + `</Row><Row>` +
			cell("", data("String", "b")) + `</Row>`, "a\nb"},
		{"hostile numbers", `<Row>` + cell(`ss:Index="-7" ss:MergeAcross="-2"`, data("String", "a")) +
			cell(`ss:Index="x"`, data("String", "b")) + `</Row>`, "a\tb"},
		{"a comment in a cell", `<Row>` + cell("", data("String", "潮")+`<Comment ss:Author="Ada">`+
			`<ss:Data>checked</ss:Data></Comment>`) + `</Row>`, "潮 checked"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := []byte(`<?xml version="1.0"?><Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">` +
				`<Styles><Style>no</Style></Styles><Worksheet ss:Name="S"><Table>` + tt.rows + `</Table></Worksheet></Workbook>`)
			doc := &doctext.Document{}
			if !ooxml.IsFlat(body) {
				t.Fatal("IsFlat = false")
			}
			err := ooxml.ReadFlat(body, doc, doctext.Options{}, nil)
			if want := "S\n\n" + tt.want; err != nil || doc.Text != want {
				t.Errorf("ReadFlat(%q) = %q, %v; want %q", tt.rows, doc.Text, err, want)
			}
		})
	}
}

func TestIsFlat(t *testing.T) {
	const sheets = `urn:schemas-microsoft-com:office:spreadsheet`
	tests := []struct {
		name, body string
		want       bool
	}{
		{"a workbook", `<Workbook xmlns="` + sheets + `"/>`, true},
		{"a prefix and a comment", `<!-- x --><?a b?><s:Workbook xmlns:s="` + sheets + `"/>`, true},
		{"another root", `<html xmlns:x="` + sheets + `"><Workbook/></html>`, false},
		{"another namespace", `<Workbook xmlns="urn:x"/>`, false},
		{"text that names it", `a Workbook of ` + sheets, false},
		{"a root too far away", strings.Repeat(" ", 5000) + `<Workbook xmlns="` + sheets + `"/>`, false},
		{"nothing", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ooxml.IsFlat([]byte(tt.body)); got != tt.want {
				t.Errorf("IsFlat(%.60q) = %v, want %v", tt.body, got, tt.want)
			}
		})
	}
}

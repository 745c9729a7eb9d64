package ooxml_test

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

func TestRead_documentMarkup(t *testing.T) {
	run := func(inner string) string { return `<w:p><w:r>` + inner + `</w:r></w:p>` }
	cell := func(properties, text string) string {
		return `<w:tc><w:tcPr>` + properties + `</w:tcPr>` + para("w", text) + `</w:tc>`
	}
	tests := []struct{ name, body, want string }{
		{"scripts", para("w", "高潮") + para("w", "المد") + para("w", "ज्वार"), "高潮\n\nالمد\n\nज्वार"},
		{"references", para("w", "a&amp;b &#x4E2D;&#1087; &lt;x&gt;"), "a&b 中п <x>"},
		{"CDATA", para("w", "<![CDATA[a<b]]>"), "a<b"},
		{"blanks inside a run", run(`<w:t xml:space="preserve">one </w:t><w:t>two</w:t>`), "one two"},
		{"text outside runs", `<w:p>stray<w:r>stray<w:t>text</w:t></w:r></w:p>`, "text"},
		{"page break", run(`<w:t>a</w:t><w:br w:type="page"/><w:t>b</w:t>`), "a\n\nb"},
		{"column break", run(`<w:t>a</w:t><w:br w:type="column"/><w:t>b</w:t><w:cr/><w:t>c</w:t>`), "a\nb\nc"},
		{"tabs", run(`<w:t>a</w:t><w:tab/><w:t>b</w:t><w:ptab/><w:t>c</w:t>`), "a\tb\tc"},
		{"soft hyphen", run(`<w:t>hy</w:t><w:softHyphen/><w:t>phen</w:t><w:noBreakHyphen/>`), "hyphen\u2011"},
		{"symbol without its font's offset", run(`<w:sym w:font="Symbol" w:char="0062"/>`), "β"},
		{"damaged symbol", run(`<w:t>a</w:t><w:sym w:font="Symbol" w:char="wide"/><w:sym/>`), "a"},
		{"code of a field", run(`<w:instrText>PAGE</w:instrText><w:t>7</w:t>`), "7"},
		{"moved text", `<w:moveFrom>` + para("w", "old place") + `</w:moveFrom><w:moveTo>` + para("w", "new place") +
			`</w:moveTo>`, "new place"},
		{"content control", `<w:sdt><w:sdtPr><w:alias w:val="x"/><w:t>no</w:t></w:sdtPr><w:sdtContent>` +
			para("w", "yes") + `</w:sdtContent></w:sdt>`, "yes"},
		{
			"span of columns", `<w:tbl><w:tr>` + cell(`<w:gridSpan w:val="3"/>`, "a") + cell("", "b") + `</w:tr></w:tbl>`,
			"a\t\t\tb",
		},
		{"hostile span", `<w:tbl><w:tr>` + cell(`<w:gridSpan w:val="-9"/>`, "a") + cell(`<w:gridSpan w:val="x"/>`, "b") +
			`</w:tr></w:tbl>`, "a\tb"},
		{
			"table between paragraphs", para("w", "x") + `<w:tbl><w:tr>` + cell("", "a") + `</w:tr></w:tbl>` + para("w", "y"),
			"x\n\na\n\ny",
		},
		{"cell that is not closed", `<w:tbl><w:tr><w:tc>` + para("w", "a") + `<w:p><w:r><w:t>b`, "a b"},
		{"hidden run in a link", `<w:p><w:hyperlink><w:r><w:rPr><w:vanish w:val="on"/></w:rPr><w:t>no</w:t></w:r>` +
			`<w:r><w:t>yes</w:t></w:r></w:hyperlink></w:p>`, "yes"},
		{"unknown elements", `<w:body><x:new><y:thing>` + para("w", "kept") + `</y:thing></x:new></w:body>`, "kept"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, files{"word/document.xml": `<w:document><w:body>` + tt.body}, doctext.Options{})
			if d.Text != tt.want {
				t.Errorf("Read(%q) = %q, want %q", tt.body, d.Text, tt.want)
			}
		})
	}
}

func TestRead_documentParts(t *testing.T) {
	part := func(texts ...string) string {
		body := ""
		for _, text := range texts {
			body += `<w:footnote>` + para("w", text) + `</w:footnote>`
		}
		return `<w:part>` + body + `</w:part>`
	}
	const main = `<w:document><w:p><w:r><w:t>body</w:t></w:r></w:p></w:document>`
	tests := []struct {
		name  string
		links [][3]string
		parts files
		want  string
	}{
		{
			"order",
			[][3]string{
				{"1", "footer", "f.xml"},
				{"2", "comments", "c.xml"},
				{"3", "endnotes", "e.xml"},
				{"4", "footnotes", "n.xml"},
				{"5", "header", "h.xml"},
			},
			files{"f": part("foot"), "c": part("remark"), "e": part("end"), "n": part("note 1", "note 2"), "h": part("head")},
			"head\n\nbody\n\nnote 1\n\nnote 2\n\nend\n\nremark\n\nfoot",
		},
		{
			"one text above and below",
			[][3]string{{"1", "header", "h.xml"}, {"2", "footer", "f.xml"}},
			files{"h": part("Wrenmouth"), "f": part("Wrenmouth")},
			"Wrenmouth\n\nbody",
		},
		{
			"one part twice",
			[][3]string{{"1", "footnotes", "n.xml"}, {"2", "endnotes", "./n.xml"}},
			files{"n": part("note")},
			"body\n\nnote",
		},
		{"the part itself", [][3]string{{"1", "footnotes", "document.xml"}}, nil, "body"},
		{"a missing part", [][3]string{{"1", "header", "no.xml"}, {"2", "footnotes", ""}}, nil, "body"},
		{
			"strict URLs",
			[][3]string{{"1", "purl/oclc.org/ooxml/footnotes", "n.xml"}},
			files{"n": part("note")},
			"body\n\nnote",
		},
		{
			"other kinds",
			[][3]string{{"1", "glossaryDocument", "g.xml"}, {"2", "diagramDrawing", "d.xml"}},
			files{"g": part("no"), "d": part("no")},
			"body",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := files{"word/document.xml": main, "word/_rels/document.xml.rels": relations(tt.links...)}
			for name, body := range tt.parts {
				f["word/"+name+".xml"] = body
			}
			if d := read(t, f, doctext.Options{}); d.Text != tt.want {
				t.Errorf("Read = %q, want %q", d.Text, tt.want)
			}
		})
	}
}

func TestRead_charts(t *testing.T) {
	points := func(cache string, values ...string) string {
		s := ""
		for _, v := range values {
			s += `<c:pt><c:v>` + v + `</c:v></c:pt>`
		}
		return `<c:` + cache + `>` + s + `</c:` + cache + `>`
	}
	tests := []struct{ name, kind, chart, want string }{
		{"numbers as shown", "chart", points("numCache", "4.4000000000000004", "1e3", "n/a"), "4.4\t1000\tn/a"},
		{"a repeated row", "chart", points("strCache", "Ebbe", "Flut") + points("numCache", "1", "2") +
			points("strCache", "Ebbe", "Flut") + points("numCache", "3", "4"), "Ebbe\tFlut\n1\t2\n3\t4"},
		{"levels", "chart", `<c:multiLvlStrCache>` + points("lvl", "Q1", "Q2") + points("lvl", "2020") +
			`</c:multiLvlStrCache>`, "Q1\tQ2\n2020"},
		{
			"labels like numbers", "chart", points("strCache", "007", "1.10", "3.0", "1e5", "Nan", "Inf"),
			"007\t1.10\t3.0\t1e5\tNan\tInf",
		},
		{
			"levels like numbers", "chart", `<c:multiLvlStrCache>` + points("lvl", "01", "02") + `</c:multiLvlStrCache>`,
			"01\t02",
		},
		{"numbers that are not", "chart", points("numCache", "NaN", "Infinity", "#N/A"), "NaN\tInfinity\t#N/A"},
		{"labels of Office 2016", "chartEx", `<cx:strDim><cx:lvl><cx:pt>01</cx:pt></cx:lvl></cx:strDim>`, "01"},
		{"escapes", "chart", points("strCache", "a_x000A_b_x20AC_"), "a\nb€"},
		{"an empty cache", "chart", para("a", "Title") + points("strCache"), "Title"},
		{
			"a formula is no value", "chart", `<c:strRef><c:f>Sheet1!$A$1</c:f>` + points("strCache", "Tide") + `</c:strRef>`,
			"Tide",
		},
		{"of Office 2016", "chartEx", `<cx:strDim type="cat"><cx:f>_xlchart.v1.0</cx:f><cx:lvl ptCount="2">
			<cx:pt idx="0">Neap</cx:pt> <cx:pt idx="1">Spring</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val">` +
			`<cx:lvl><cx:pt>4.0999999999999996</cx:pt><cx:pt>5</cx:pt></cx:lvl></cx:numDim>`, "Neap\tSpring\n4.1\t5"},
		{"cut", "chart", `<c:strCache><c:pt><c:v>Ne`, "Ne"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, files{
				"word/document.xml":            `<w:document/>`,
				"word/_rels/document.xml.rels": relations([3]string{"1", tt.kind, "charts/chart1.xml"}),
				"word/charts/chart1.xml":       `<c:chart>` + tt.chart,
			}, doctext.Options{})
			if d.Text != tt.want {
				t.Errorf("Read(%q) = %q, want %q", tt.chart, d.Text, tt.want)
			}
		})
	}
}

func TestRead_mathMarkup(t *testing.T) {
	r := func(text string) string { return `<m:r><m:t>` + text + `</m:t></m:r>` }
	arg := func(name, text string) string { return `<m:` + name + `>` + r(text) + `</m:` + name + `>` }
	tests := []struct{ name, math, want string }{
		{"both scripts", `<m:sSubSup>` + arg("e", "x") + arg("sub", "i") + arg("sup", "2") + `</m:sSubSup>`, `x_{i}^{2}`},
		{
			"a fraction in a root", `<m:rad><m:deg/><m:e><m:f>` + arg("num", "1") + arg("den", "2") + `</m:f></m:e></m:rad>`,
			`\sqrt{\frac{1}{2}}`,
		},
		{
			"integral without a sign", `<m:nary>` + arg("sub", "0") + arg("sup", "1") + arg("e", "x") + `</m:nary>`,
			`\int_{0}^{1}x`,
		},
		{"separators", `<m:d><m:dPr><m:sepChr m:val=","/></m:dPr>` + arg("e", "a") + arg("e", "b") + `</m:d>`, `(a,b)`},
		{"numbers", r("12.5+3"), `12.5+3`},
		{"properties of runs", `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><w:rPr><w:i/></w:rPr><m:t>y</m:t></m:r>`, `y`},
		{"missing arguments", `<m:f>` + arg("num", "a") + `</m:f>`, `\frac{a}{}`},
		{"an unknown element", `<m:box>` + arg("e", "z") + `</m:box>`, `z`},
		{"Cyrillic letters", r("ш"), `ш`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, files{"word/document.xml": `<w:document><w:p><m:oMath>` + tt.math + `</m:oMath></w:p></w:document>`},
				doctext.Options{})
			if want := "$" + tt.want + "$"; d.Text != want {
				t.Errorf("Read(%q) = %q, want %q", tt.math, d.Text, want)
			}
		})
	}
}

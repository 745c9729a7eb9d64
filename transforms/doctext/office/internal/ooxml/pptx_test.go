package ooxml_test

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// show is a presentation with a slide and the parts that the slide refers to.
func show(slide string, links [][3]string, parts files) files {
	f := files{
		"ppt/presentation.xml":             `<p:presentation><p:sldIdLst><p:sldId id="1" r:id="a"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels":  relations([3]string{"a", "slide", "slides/slide1.xml"}),
		"ppt/slides/slide1.xml":            `<p:sld>` + slide + `</p:sld>`,
		"ppt/slides/_rels/slide1.xml.rels": relations(links...),
	}
	for name, body := range parts {
		f[name] = body
	}
	return f
}

func TestRead_slides(t *testing.T) {
	shape := func(placeholder, text string) string {
		return `<p:sp><p:nvSpPr><p:nvPr>` + placeholder + `</p:nvPr></p:nvSpPr><p:txBody>` + para("a", text) +
			`</p:txBody></p:sp>`
	}
	tests := []struct {
		name  string
		slide string
		links [][3]string
		parts files
		want  string
	}{
		{"placeholders of a slide are text", shape(`<p:ph type="title"/>`, "Gezeiten"), nil, nil, "Gezeiten"},
		{"lines", `<a:p><a:r><a:t>one</a:t></a:r><a:br/><a:r><a:t>two</a:t></a:r></a:p>`, nil, nil, "one\ntwo"},
		{
			"raised text", `<a:p><a:r><a:t>10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>6</a:t></a:r></a:p>`, nil, nil,
			"10^6",
		},
		{
			"text on the line", `<a:p><a:r><a:t>10</a:t></a:r><a:r><a:rPr baseline="0"/><a:t>6</a:t></a:r></a:p>`, nil, nil,
			"106",
		},
		{
			"lowered text", `<a:p><a:r><a:t>x</a:t></a:r><a:r><a:rPr baseline="-25000"/><a:t>1</a:t></a:r></a:p>`, nil, nil,
			"x_1",
		},
		{"a table", `<a:tbl><a:tr><a:tc>` + para("a", "a") + `</a:tc><a:tc>` + para("a", "b") +
			`</a:tc></a:tr></a:tbl>`, nil, nil, "a\tb"},
		{
			"notes", shape("", "slide"),
			[][3]string{{"1", "notesSlide", "../notes/n.xml"}},
			files{"ppt/notes/n.xml": `<p:notes>` + shape(`<p:ph type="sldImg"/>`, "no") + shape(`<p:ph type="dt"/>`, "no") +
				shape(`<p:ph idx="1"/>`, "said") + shape("", "beside") + `</p:notes>`},
			"slide\n\nsaid\n\nbeside",
		},
		{
			"shape of a layout that is not closed", shape("", "slide"),
			[][3]string{{"1", "slideLayout", "../l.xml"}},
			files{"ppt/l.xml": `<p:l>` + shape("", "own") + `<p:sp><p:ph type="title"/>` + para("a", "Click to edit")},
			"slide\n\nown",
		},
		{
			"old comments", "",
			[][3]string{{"1", "comments", "../c.xml"}},
			files{"ppt/c.xml": `<p:cmLst><p:cm><p:pos x="1"/><p:text>Too loud</p:text></p:cm>
				<p:cm><p:text>Zu laut</p:text></p:cm></p:cmLst>`},
			"Too loud\n\nZu laut",
		},
		{
			"new comments with replies", "",
			[][3]string{{"1", "comments", "../c.xml"}},
			files{"ppt/c.xml": `<p188:cmLst><p188:cm><p188:replyLst><p188:reply><p188:txBody>` + para("a", "Agreed") +
				`</p188:txBody></p188:reply></p188:replyLst><p188:txBody>` + para("a", "Too loud") +
				`</p188:txBody></p188:cm></p188:cmLst>`},
			"Agreed\n\nToo loud",
		},
		{
			"a diagram without its drawing", "",
			[][3]string{{"1", "diagramData", "../d.xml"}, {"2", "diagramDrawing", "../e.xml"}},
			files{"ppt/d.xml": `<d>` + para("a", "Knoten") + `</d>`, "ppt/e.xml": `<d>` + para("a", "Knoten") + `</d>`},
			"Knoten",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, show(tt.slide, tt.links, tt.parts), doctext.Options{})
			if d.Text != tt.want || d.Pages != 1 {
				t.Errorf("Read = %q, %d pages; want %q, 1 page", d.Text, d.Pages, tt.want)
			}
		})
	}
}

func TestRead_slideLists(t *testing.T) {
	slide := func(text string) string { return `<p:sld>` + para("a", text) + `</p:sld>` }
	three := func(list string, links ...[3]string) files {
		return files{
			"ppt/presentation.xml":            `<p:presentation>` + list + `</p:presentation>`,
			"ppt/_rels/presentation.xml.rels": relations(links...),
			"ppt/slides/slide1.xml":           slide("one"), "ppt/slides/slide2.xml": slide("two"),
			"ppt/slides/slide10.xml": slide("ten"), "ppt/slides/slideshow.xml": slide("no"),
		}
	}
	one, two := [3]string{"a", "slide", "slides/slide1.xml"}, [3]string{"b", "slide", "slides/slide2.xml"}
	tests := []struct {
		name  string
		files files
		want  string
	}{
		{"its order", three(`<p:sldId id="1" r:id="b"/><p:sldId id="2" r:id="a"/>`, one, two), "two\fone"},
		{"twice the same", three(`<p:sldId r:id="b"/><p:sldId r:id="b"/><p:sldId r:id="a"/>`, one, two), "two\fone"},
		{"an unknown id", three(`<p:sldId r:id="x"/><p:sldId r:id="a"/>`, one, two), "one"},
		{"without a list", three(``), "one\ftwo\ften"},
		{"with lost relations", three(`<p:sldId r:id="a"/>`), "one\ftwo\ften"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := read(t, tt.files, doctext.Options{}); d.Text != tt.want {
				t.Errorf("Read = %q, want %q", d.Text, tt.want)
			}
		})
	}
}

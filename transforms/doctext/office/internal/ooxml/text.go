package ooxml

import (
	"strconv"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/numfmt"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/symbol"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// skipped are elements whose text is none of the document's: properties; what a newer element is there for, too; the
// place that text was moved from; readings of characters. "Fallback" repeats in VML what a newer element says
// already; "moveFrom" is where text stood before a tracked move; "rt" and "rPh" are ruby and phonetic readings.
// Deleted text is in <w:delText>, which text does not take.
var skipped = map[string]bool{
	"Fallback": true, "moveFrom": true, "rt": true, "rPh": true,
	"pPr": true, "rPr": true, "sectPr": true, "tblPr": true, "tblGrid": true, "trPr": true, "tcPr": true, "sdtPr": true,
	"bodyPr": true, "lstStyle": true, "spPr": true, "endParaRPr": true, "binData": true,
}

// textPart adds the text of a part with paragraphs, in WordprocessingML or DrawingML, and then that of the diagrams and
// charts that are in it.
func (r *reader) textPart(part string) {
	r.walk(part, func(s *xmlscan.Scanner) { r.text(part, s) })
	r.out.Paragraph()
	r.drawings(part)
}

// drawings adds the text of what a part shows that has a part of its own.
func (r *reader) drawings(part string) {
	for _, rel := range r.relations(part) {
		switch rel.kind {
		// Diagrams also have a drawing, made from their data, which would say the same text again.
		case "diagramData", "chart", "chartEx", "chartUserShapes":
			if r.once(rel.target) {
				r.textPart(rel.target)
			}
		}
	}
}

// text adds what one token of such a part says.
func (r *reader) text(part string, s *xmlscan.Scanner) {
	if r.isHidden(s) {
		return
	}
	switch s.Kind {
	case xmlscan.Start:
		if skipped[s.Name] {
			s.Skip()
			return
		}
		r.start(part, s)
	case xmlscan.End:
		end(r.out, s.Name)
	case xmlscan.Text:
		// Runs hold their text in <w:t> or <a:t>. Everything else is indentation, codes of fields
		// (instrText) or names.
		if parent := s.Parent(); parent == "t" && r.escapes {
			r.out.AddBytes(unescape(s.Text))
		} else if parent == "t" {
			r.out.AddBytes(s.Text)
		}
	}
}

func (r *reader) start(part string, s *xmlscan.Scanner) {
	switch s.Name {
	// ptab is a tab to a place of the page.
	case "tab", "ptab":
		r.out.Tab()
	case "br", "cr":
		// A page break within a paragraph: pages of text documents are not counted.
		if s.Attr("type") == "page" {
			r.out.Paragraph()
		} else {
			r.out.Line()
		}
	case "noBreakHyphen":
		r.out.Add("\u2011")
	case "sym":
		r.symbol(s)
	case "tc":
		r.out.StartCell()
	// A text box is in the middle of the paragraph that it is anchored to.
	case "txbxContent", "tbl":
		r.out.Paragraph()
	case "altChunk":
		r.chunk(part, s.QualifiedAttr("id"))
	// Charts keep the values that they show: strings, numbers, and levels of categories.
	case "strCache", "numCache", "lvl":
		r.cache(part, s)
	}
}

// end does what the end of an element means. A cell's paragraphs do not divide it: flow makes words of them.
func end(out *flow.Text, name string) {
	switch name {
	case "p", "tbl", "comment", "footnote", "endnote", "txbxContent":
		out.Paragraph()
	case "tc":
		out.EndCell()
	case "tr":
		out.EndRow()
	}
}

// symbol adds the character of a font that is not a text font.
func (r *reader) symbol(s *xmlscan.Scanner) {
	// "char" is hexadecimal, often with U+F000 added (part 1, section 17.3.3.30); symbol.Rune takes
	// both.
	place, err := strconv.ParseUint(s.Attr("char"), 16, 16)
	if err != nil {
		return
	}
	if c := symbol.Rune(s.Attr("font"), rune(place)); c != 0 {
		r.out.Add(string(c))
	}
}

// chunk adds a document that is included as it is.
func (r *reader) chunk(part, id string) {
	name := r.target(part, id)
	// Without a reader, or read before. The depth is bounded by callers that embed.
	if r.embed == nil || !r.once(name) {
		return
	}
	r.out.Paragraph()
	r.embed(r.a.Read(name), r.out)
	r.out.Paragraph()
}

// cache adds a row of what a chart shows: the name of a series, its categories, its values. Each series repeats the
// categories: a row that was there in the chart is not said again.
func (r *reader) cache(part string, s *xmlscan.Scanner) {
	out := r.out
	// A row is collected apart, so that it can be compared before it is added.
	r.out = flow.New(r.o.MaxText)
	// Until the element has ended: the scanner's depth falls below that of its Start.
	for depth := s.Depth(); s.Depth() >= depth && s.Next(); {
		if s.Kind == xmlscan.Text && s.Parent() == "v" {
			r.out.StartCell()
			r.out.Add(value(string(unescape(s.Text))))
			r.out.EndCell()
		}
	}
	row := r.out.String()
	r.out = out
	// The newline keeps keys of rows apart from names of parts in the same map.
	if key := part + "\n" + row; row != "" && !r.seen[key] {
		r.seen[key] = true
		r.out.Line()
		r.out.Add(row)
		r.out.Line()
	}
}

// value is what a chart shows for a value as it is stored: 4.4 for 4.4000000000000004.
func value(text string) string {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return numfmt.General(v)
	}
	return text
}

// document reads a text document: headers, text, notes, comments, footers.
func (r *reader) document(main string) {
	// Headers and footers share the set: a running title that is both is said once.
	headers := map[string]bool{}
	styles := first(r.targets(main, "styles"), "word/styles.xml")
	if !r.a.Has(styles) {
		styles = main // where Word 2003 has them
	}
	r.hidingStyles(styles)
	r.edges(main, "header", headers)
	r.textPart(main)
	for _, kind := range []string{"footnotes", "endnotes", "comments"} {
		for _, part := range r.targets(main, kind) {
			if r.once(part) {
				r.textPart(part)
			}
		}
	}
	r.edges(main, "footer", headers)
}

// edges adds headers or footers. Sections repeat them: what was there is not said again.
func (r *reader) edges(main, kind string, said map[string]bool) {
	out := r.out
	for _, part := range r.targets(main, kind) {
		if !r.once(part) {
			continue
		}
		// As long as the text could be: the limit of the whole applies when it is appended.
		r.out = flow.New(r.o.MaxText)
		r.textPart(part)
		if text := r.out.String(); !said[text] {
			said[text] = true
			out.Append(r.out)
		}
	}
	r.out = out
}

// limitPages reports whether page n is beyond the limit, and notes it.
func (r *reader) limitPages(n int) bool {
	if n < r.o.MaxPages {
		return false
	}
	r.doc.Add(doctext.KindLimit, "there are more pages than are read")
	return true
}

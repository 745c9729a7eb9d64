package ooxml

import (
	"bytes"
	"math"
	"strconv"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/numfmt"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/symbol"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// skipped are elements whose text is not part of the document's. Element "Fallback" repeats the content of a newer
// element in VML. Element "moveFrom" is the place before a tracked move. Elements "rt" and "rPh" are ruby and phonetic
// readings. The others are properties. Deleted text is in <w:delText>, which text ignores.
var skipped = map[string]bool{
	"Fallback": true, "moveFrom": true, "rt": true, "rPh": true,
	"pPr": true, "rPr": true, "sectPr": true, "tblPr": true, "tblGrid": true, "trPr": true, "tcPr": true, "sdtPr": true,
	"bodyPr": true, "lstStyle": true, "spPr": true, "endParaRPr": true, "binData": true,
}

// textPart adds the text of a part with paragraphs, in WordprocessingML or DrawingML. The text of its diagrams and
// charts follows.
func (r *reader) textPart(part string) {
	r.walk(part, func(s *xmlscan.Scanner) { r.text(part, s) })
	r.out.Paragraph()
	r.drawings(part)
}

// drawings adds the text of diagrams and charts, which have parts of their own.
func (r *reader) drawings(part string) {
	for _, rel := range r.relations(part) {
		switch rel.kind {
		// Diagrams also have a drawing made from their data. It would repeat the text.
		case "diagramData", "chart", "chartEx", "chartUserShapes":
			if r.once(rel.target) {
				r.textPart(rel.target)
			}
		}
	}
}

// text adds the text of one token of such a part.
func (r *reader) text(part string, s *xmlscan.Scanner) {
	if r.isHidden(s) {
		return
	}
	switch s.Kind {
	case xmlscan.Start:
		if skipped[s.Name] {
			r.skip(s)
			return
		}
		r.start(part, s)
	case xmlscan.End:
		r.end(s.Name)
	case xmlscan.Text:
		// Runs hold their text in <w:t> or <a:t>. Other text is indentation, codes of fields (instrText) or names.
		if s.Parent() != "t" {
			return
		}
		text := s.Text
		if r.escapes {
			text = unescape(text)
		}
		if r.raised != flow.Level {
			r.out.AddRaised(string(text), r.raised)
			return
		}
		r.out.AddBytes(text)
	}
}

// skip passes over an element, and notes over how many columns a cell reaches.
func (r *reader) skip(s *xmlscan.Scanner) {
	if s.Name != "tcPr" || len(r.spans) == 0 {
		s.Skip()
		return
	}
	for depth := s.Depth(); s.Depth() >= depth && s.Next(); {
		if n, err := strconv.Atoi(s.Attr("val")); s.Kind == xmlscan.Start && s.Name == "gridSpan" && err == nil {
			r.spans[len(r.spans)-1] = min(n, maxSpan)
		}
	}
}

// maxSpan is over how many columns a cell may reach: Word's tables have at most 63.
const maxSpan = 63

func (r *reader) start(part string, s *xmlscan.Scanner) {
	switch s.Name {
	case "oMath":
		r.formula(s)
	// ptab is a tab to a position on the page.
	case "tab", "ptab":
		r.out.Tab()
	case "br", "cr":
		// This is a page break within a paragraph. Pages of text documents are not counted.
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
		r.spans = append(r.spans, 1)
		r.out.StartCell()
	// A text box is in the middle of the paragraph that it is anchored to.
	case "txbxContent", "tbl":
		r.out.Paragraph()
	case "altChunk":
		r.chunk(part, s.QualifiedAttr("id"))
	// The title of the first slide is that of a presentation.
	case "ph":
		if kind := s.Attr("type"); (kind == "title" || kind == "ctrTitle") && r.doc.Pages == 1 {
			r.out.Heading(flow.Title)
		}
	// Charts cache the values that they show: strings, numbers, and levels of categories.
	case "strCache", "numCache", "lvl":
		r.cache(part, s)
	}
}

// end writes the divider for the end of an element. Paragraphs do not divide a cell: flow makes words of them. Columns
// that a cell reaches into stay empty.
func (r *reader) end(name string) {
	switch name {
	case "r":
		r.raised = flow.Level
	case "p", "tbl", "comment", "footnote", "endnote", "txbxContent":
		r.out.Paragraph()
	case "tc":
		r.out.EndCell()
		if n := len(r.spans) - 1; n >= 0 {
			for range r.spans[n] - 1 {
				r.out.StartCell()
				r.out.EndCell()
			}
			r.spans = r.spans[:n]
		}
	case "tr":
		r.out.EndRow()
	}
}

// symbol adds the character of a font that is not a text font.
func (r *reader) symbol(s *xmlscan.Scanner) {
	// Attribute "char" is hexadecimal, often with U+F000 added (part 1, section 17.3.3.30). Function symbol.Rune
	// accepts both.
	place, err := strconv.ParseUint(s.Attr("char"), 16, 16)
	if err != nil {
		return
	}
	if c := symbol.Rune(s.Attr("font"), rune(place)); c != 0 {
		r.out.Add(string(c))
	}
}

// chunk adds an included document.
func (r *reader) chunk(part, id string) {
	name := r.target(part, id)
	// There is no reader, or the part was already read. Callers that embed bound the depth.
	if r.embed == nil || !r.once(name) {
		return
	}
	r.out.Paragraph()
	r.embed(r.a.Read(name), r.out)
	r.out.Paragraph()
}

// cache adds a row of a chart: the name of a series, its categories, its values. Each series repeats the categories,
// so a repeated row is added once.
func (r *reader) cache(part string, s *xmlscan.Scanner) {
	out := r.out
	// Labels may look like numbers: 007, 1.10.
	numbers := s.Name == "numCache" || s.Parent() == "numDim"
	// A row is collected separately, so that it can be compared before it is added.
	r.out = flow.New(r.o.MaxText)
	// The loop ends with the element, when the depth falls below that of its Start.
	for depth := s.Depth(); s.Depth() >= depth && s.Next(); {
		// The newer charts of Office 2016 hold values in their points, the older ones only white space.
		parent := s.Parent()
		if s.Kind == xmlscan.Text && (parent == "v" || parent == "pt" && len(bytes.TrimSpace(s.Text)) > 0) {
			r.out.StartCell()
			text := string(unescape(s.Text))
			if numbers {
				text = value(text)
			}
			r.out.Add(text)
			r.out.EndCell()
		}
	}
	row := r.out.String()
	r.out = out
	// The newline keeps keys of rows different from names of parts in the same map.
	if key := part + "\n" + row; row != "" && !r.seen[key] {
		r.seen[key] = true
		r.out.Line()
		r.out.Add(row)
		r.out.Line()
	}
}

// value returns a stored value as a chart shows it: 4.4 for 4.4000000000000004.
func value(text string) string {
	if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return numfmt.General(v)
	}
	return text
}

// document reads a text document: headers, text, notes, comments, footers.
func (r *reader) document(main string) {
	// Headers and footers share the set, so a running title that is both comes once.
	headers := map[string]bool{}
	styles := first(r.targets(main, "styles"), "word/styles.xml")
	if !r.a.Has(styles) {
		styles = main // Word 2003 has them there
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

// edges adds headers or footers. Sections repeat them; each text is added once.
func (r *reader) edges(main, kind string, said map[string]bool) {
	out := r.out
	for _, part := range r.targets(main, kind) {
		if !r.once(part) {
			continue
		}
		// This has the limit of the whole text, which also applies to Append.
		r.out = flow.New(r.o.MaxText)
		r.textPart(part)
		if text := r.out.String(); !said[text] {
			said[text] = true
			out.Append(r.out)
		}
	}
	r.out = out
}

// limitPages reports whether page n exceeds the limit. If so, it notes a problem.
func (r *reader) limitPages(n int) bool {
	if n < r.o.MaxPages {
		return false
	}
	r.doc.Add(doctext.KindLimit, "there are more pages than are read")
	return true
}

package pdf

import (
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// mark is an open sequence of marked content (section 14.6). Its text replaces all glyphs inside it, and is given to
// the first of them.
type mark struct {
	hides  bool // optional content that is off
	actual bool // has ActualText, which replaces its glyphs (section 14.9.4)
	text   string
	glyph  int    // index of the glyph that carries the text, -1 before it
	before uint16 // the tag around it
}

// begin opens marked content.
func (s *stream) begin(args []object.Token) {
	// Deeper content is shown without regard to its marks. Its EMC then closes an outer mark too early.
	if len(s.marks) >= maxMarks {
		return
	}
	m := mark{glyph: -1, before: s.tag}
	// OC with a name refers to a group in the resources; groups are compared as references.
	if len(args) > 0 && string(args[0].Bytes) == "OC" {
		m.hides = s.isHidden(s.resource("Properties", lastName(args)))
	}
	// The tokens of a direct dictionary are among the operands, so the key is searched with its value after it.
	for i, t := range args {
		if t.Kind == object.NameToken && string(t.Bytes) == "ActualText" && i+1 < len(args) && args[i+1].Kind == object.Text {
			m.actual, m.text = true, s.actualText(object.String(args[i+1].Bytes))
		}
	}
	if s.structure != nil {
		s.tagged(args, &m)
	}
	// If a name replaces the dictionary, it is in the resources.
	if n := len(args); n == 2 && args[1].Kind == object.NameToken {
		if o, ok := s.file.Dict(s.resource("Properties", lastName(args)))["ActualText"]; ok {
			m.actual, m.text = true, s.actualText(s.file.String(o))
		}
	}
	// This is a count, since hidden content may contain hidden content.
	if m.hides {
		s.off++
	}
	s.marks = append(s.marks, m)
}

// tagged sets the tag of content in the structure tree. Identifiers in forms are those of the form, and not read.
func (s *stream) tagged(args []object.Token, m *mark) {
	if len(args) > 0 && string(args[0].Bytes) == "Artifact" {
		s.tag = tagArtifact
		return
	}
	id := -1
	for i, t := range args {
		if t.Kind == object.NameToken && string(t.Bytes) == "MCID" && i+1 < len(args) && args[i+1].Kind == object.Integer {
			id = int(args[i+1].Num)
		}
	}
	if n := len(args); n == 2 && args[1].Kind == object.NameToken && string(args[0].Bytes) != "OC" {
		id = s.file.Int(s.file.Dict(s.resource("Properties", lastName(args)))["MCID"], -1)
	}
	if s.depth > 0 || id < 0 || id > maxContent {
		return
	}
	s.tag = uint16(id) + tagContent
	if text, ok := s.structure.actual[id]; ok && !m.actual {
		m.actual, m.text = true, s.actualText(text)
	}
}

// maxActual bounds an ActualText, in bytes: it is a word, a line, or a paragraph at most. Otherwise a small file could
// replace each glyph by megabytes.
const maxActual = 16 << 10

func (r *reader) actualText(s object.String) string {
	text := textString(s[:min(len(s), maxActual)])
	if len(s) > maxActual || len(text) > maxActual {
		r.doc.Add(doctext.KindLimit, fmt.Sprintf("an ActualText is cut after %d bytes", maxActual))
	}
	return cutText(text, maxActual)
}

// end closes marked content. It ignores an EMC without a mark.
func (s *stream) end() {
	n := len(s.marks)
	if n == 0 {
		return
	}
	if s.marks[n-1].hides {
		s.off--
	}
	s.tag = s.marks[n-1].before
	s.marks = s.marks[:n-1]
}

// substitute gives the glyph the text of the innermost ActualText around it. The first glyph carries the text, and
// grows over the following ones. The result is whether there is an ActualText.
func (s *stream) substitute(p *glyph) bool {
	for i := len(s.marks) - 1; i >= 0; i-- {
		m := &s.marks[i]
		if !m.actual {
			continue
		}
		// Method place is about to add the first glyph, at this index.
		if m.glyph < 0 {
			m.glyph = len(s.glyphs)
			p.text = m.text
			return true
		}
		// Method add leaves out glyphs without text.
		p.text = ""
		// The first may have been left out, if it was off the page or above the bound. Then its index is past the end.
		if m.glyph < len(s.glyphs) {
			first := &s.glyphs[m.glyph]
			// The glyph only grows forwards on the same line: a word broken across lines keeps the place of its first
			// part.
			if first.direction == p.direction && p.x+p.y >= first.x+first.y {
				first.dx, first.dy = p.x+p.dx-first.x, p.y+p.dy-first.y
			}
		}
		return true
	}
	return false
}

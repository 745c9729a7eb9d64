package maintext

import (
	"bytes"
	"html"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// line writes the texts of one block with marks of bold and italic type, code and links.
type line struct {
	*markdown
	block *page.Block
	start int    // of the line in out
	open  string // open mark: "**", "*" or "`"
	owner int32  // element of the open mark
	code  int    // where the open code begins in out
	small string // open tag of superscript or subscript
	link  int32  // open link, or -1
	from  int32  // the block's own text, without signs at its ends
	to    int32

	afterPicture bool
}

// inline writes the line of a block with the pictures in it.
func (m *markdown) inline(i int32) {
	w := line{markdown: m, block: &m.p.Blocks[i], start: len(m.out), link: -1}
	w.from, w.to = ownText(m.p, w.block)
	for k, end := m.reach(i); k < end && !m.full(); k++ {
		n := &m.p.Nodes[k]
		switch {
		case shows(m.p, k):
			w.text(k)
		case n.Tag == page.TagImg && m.isPicture(k) && m.isInLine(k, w.block.Node):
			w.picture(k)
		}
	}
	w.closeMarks()
	w.closeLink()
}

// shows reports whether a node has text of its own, not only that of its descendants. Hidden text has an empty range.
func shows(p *page.Page, i int32) bool {
	n := &p.Nodes[i]
	switch n.Tag {
	case page.TagText, page.TagImg, page.TagMath, page.TagScript:
		return n.TextStart < n.TextEnd
	}
	if len(p.Stated) == 0 {
		return false
	}
	_, found := slices.BinarySearch(p.Stated, i)
	return found
}

func (w *line) text(i int32) {
	n := &w.p.Nodes[i]
	from, to := max(n.TextStart, w.from), min(n.TextEnd, w.to)
	if from >= to {
		return
	}
	a := linkAround(w.p, i)
	switch number := w.notes.mark(a); {
	case number != "":
		// Once, though the number may be in several texts.
		if a != w.link {
			w.closeMarks()
			w.closeLink()
			w.out = append(w.out, number...)
			w.link = a
		}
		return
	case a >= 0 && (w.notes.isBack(a) || isPermalink(w.p, a)):
		return
	}
	text := w.enter(a, w.spaced(w.p.Text[from:to]))
	style, small, owner := w.style(i)
	// White space between two elements of one style belongs to neither.
	if style != w.open || owner != w.owner && bytes.HasPrefix(text, []byte(" ")) {
		w.closeMarks()
		text = w.leading(text)
		// White space alone opens nothing.
		if len(text) > 0 {
			w.code = len(w.out)
			w.out = append(w.out, style...)
			w.open, w.owner = style, owner
		}
	}
	if small != w.small && w.open != "`" {
		w.out = append(w.out, endOf[w.small]...)
		text = w.leading(text)
		w.out = append(w.out, small...)
		w.small = small
	}
	w.escape(text, int(to), w.open == "`")
}

// spaced returns text without white space at the beginning of a line, and with it between a picture and a word.
func (w *line) spaced(text []byte) []byte {
	if len(w.out) == w.start {
		return bytes.TrimLeft(text, " \n")
	}
	if r, _ := utf8.DecodeRune(text); w.afterPicture && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		w.out = append(w.out, ' ')
	}
	w.afterPicture = false
	return text
}

// enter opens link a, or -1 for none, before text, and returns the rest of text. Marks are closed before a link
// begins or ends, so that they nest.
func (w *line) enter(a int32, text []byte) []byte {
	if a == w.link {
		return text
	}
	w.closeMarks()
	w.closeLink()
	w.link = a
	text = w.leading(text)
	if a >= 0 {
		w.out = append(w.out, '[')
	}
	return text
}

// picture writes a picture within the line.
func (w *line) picture(i int32) {
	w.closeMarks()
	a := linkAround(w.p, i)
	if a != w.link {
		w.closeLink()
	}
	// Pictures have no text, so the white space beside them is not known.
	if len(w.out) > w.start && w.out[len(w.out)-1] != ' ' {
		w.out = append(w.out, ' ')
	}
	w.enter(a, nil)
	w.image(i)
	w.afterPicture = true
}

// style returns the mark of text i, the tag of its superscript or subscript, and the element of the mark.
func (w *line) style(i int32) (mark, small string, owner int32) {
	flags, owner := w.p.Nodes[i].Flags, int32(-1)
	for range maxNesting {
		if i = w.p.Nodes[i].Parent; i < 0 {
			break
		}
		m := ""
		switch tag := w.p.Nodes[i].Tag; tag {
		case page.TagCode, page.TagKbd, page.TagSamp:
			m = "`"
		case page.TagB, page.TagStrong:
			// Bold text in a heading or in a block that is all bold needs no mark.
			if w.block.Flags&(page.InHeading|page.InBold) == 0 {
				m = "**"
			}
		case page.TagEm, page.TagI:
			if w.block.Flags&page.InHeading == 0 && i > w.block.Node {
				m = "*"
			}
		case page.TagSup, page.TagSub:
			if small == "" && i > w.block.Node {
				small = "<" + w.p.Name(int(i)) + ">"
			}
		}
		// Code is in no other style, and bold type is stronger than italic type.
		if strength(m) > strength(mark) {
			mark, owner = m, i
		}
		if i <= w.block.Node && flags&page.InCode == 0 {
			break
		}
	}
	return mark, small, owner
}

func strength(mark string) int {
	switch mark {
	case "`":
		return 3
	case "**":
		return 2
	}
	return len(mark)
}

// endOf closes superscript and subscript, for which Markdown needs HTML.
var endOf = map[string]string{"<sup>": "</sup>", "<sub>": "</sub>"}

func (w *line) closeMarks() {
	w.out = append(w.out, endOf[w.small]...)
	if w.open == "`" {
		w.closeCode()
	} else {
		w.out = append(w.out, w.open...)
	}
	w.open, w.small = "", ""
}

// closeCode ends code. The marks around it are longer than any run of backticks in it.
func (w *line) closeCode() {
	inside := w.out[w.code+1:]
	fence := "`"
	for bytes.Contains(inside, []byte(fence)) && len(fence) < 64 {
		fence += "`"
	}
	if len(fence) > 1 {
		// A space divides a backtick at an end from the mark, and is not part of the code.
		padded := append(append([]byte{' '}, inside...), ' ')
		w.out = append(append(w.out[:w.code], fence...), padded...)
	}
	w.out = append(w.out, fence...)
}

func (w *line) closeLink() {
	if a := w.link; a >= 0 && w.notes.mark(a) == "" {
		// Markdown has no base URL.
		href, _ := w.p.Attr(int(a), "href")
		w.out = append(w.out, "]("...)
		w.url(w.p.Resolve(href))
		w.out = append(w.out, ')')
	}
	w.link = -1
}

// url writes a URL without brackets and spaces, which would end it.
func (m *markdown) url(u string) {
	for _, c := range []byte(u) {
		if c == '(' || c == ')' || c == '<' || c == '>' || c == ' ' {
			m.out = append(m.out, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
			continue
		}
		m.out = append(m.out, c)
	}
}

// leading writes the white space before text and returns the rest. Marks must touch words: CommonMark takes "**
// bold**" for plain text.
func (m *markdown) leading(text []byte) []byte {
	rest := bytes.TrimLeft(text, " \n")
	if len(rest) < len(text) {
		m.out = append(m.out, ' ')
	}
	return rest
}

// escape writes text, which ends at offset end of the page's text, so that nothing in it is read as a mark. It escapes
// only characters that mean something in the middle of a line, and none in formulae.
func (m *markdown) escape(text []byte, end int, code bool) {
	at := end - len(text)
	// The foot of a table comes after the rows below it in the source.
	if m.formula > 0 && int(m.p.Formulas[m.formula-1].Start) >= at {
		m.formula, _ = slices.BinarySearchFunc(m.p.Formulas, at, func(f page.Span, at int) int { return int(f.End) - at })
	}
	for i, c := range text {
		for m.formula < len(m.p.Formulas) && int(m.p.Formulas[m.formula].End) <= at+i {
			m.formula++
		}
		tex := m.formula < len(m.p.Formulas) && int(m.p.Formulas[m.formula].Start) <= at+i
		switch {
		case !code && !tex && (bytes.IndexByte([]byte("\\`*_[]<|"), c) >= 0 || c == '&' && isReference(text[i:]) ||
			c == '~' && bytes.HasPrefix(text[i:], []byte("~~"))):
			m.out = append(m.out, '\\')
		case tex && texSigns[c] != "":
			m.out = append(m.out, texSigns[c]...)
			continue
		}
		m.out = append(m.out, c)
	}
}

// isReference reports whether text begins like a character reference.
func isReference(text []byte) bool {
	end := bytes.IndexByte(text[:min(len(text), maxReference)], ';')
	return end > 1 && html.UnescapeString(string(text[:end+1])) != string(text[:end+1])
}

// maxReference is more than the longest name of a reference takes.
const maxReference = 34

// texSigns are commands for characters of a formula that would end a cell, or begin markup or a link in renderers
// without formulae. The TeX comes from the page and may be hostile.
var texSigns = map[byte]string{'|': `\vert `, '<': `\lt `, '[': `\lbrack `, '`': "'"}

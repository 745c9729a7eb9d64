package boilerpipe

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Elements that do not simply end a block. All others do.
var (
	// The content of these is not text. A block ends at each of them, even at a <link> in the middle of a line.
	ignored = map[string]bool{
		"style": true, "script": true, "option": true, "object": true, "embed": true, "applet": true, "link": true,
		"noscript": true,
	}
	// These have no effect: the words before and after may be parts of one.
	inline = map[string]bool{
		"strike": true, "u": true, "b": true, "i": true, "em": true, "strong": true, "span": true, "sup": true, "code": true,
		"tt": true, "sub": true, "var": true, "font": true,
	}
	// Their tags are written as white space, so a word ends there, but the block continues.
	spaced = map[string]bool{"abbr": true, "acronym": true} // the same, with white space around
)

// divider divides the text of a page into blocks. Its fields live longer than a block. An open link, for example, or
// white space written last, continues across the end of one.
type divider struct {
	blocks []block
	text   strings.Builder
	marks  []mark // in text
	inLink bool   // before text
	space  bool   // the last thing written was white space
	flush  bool   // the block ends before the next text
	body   bool   // inside the body
	skip   int    // number of open ignored elements
	links  int    // number of open <a>
}

// mark is the position of a link's beginning or end in the text. Marks are separate from the text, because tokens must
// be those of the text alone. Method count walks both at once.
type mark struct {
	pos    int // bytes
	begins bool
}

// opened is an open element.
type opened struct {
	name string
	end  int
}

// blocksOf returns the blocks of p's body. In the list of a page's nodes, an element comes before its content, and End
// is the first node after it. So a loop with a stack sees each element begin and end. It needs no recursion, which a
// deep page could exhaust.
func blocksOf(p *page.Page) []block {
	var d divider
	var stack []opened
	for i := range p.Nodes {
		// Elements are closed before the next node. Several may end at the same node, the innermost first.
		for len(stack) > 0 && stack[len(stack)-1].end <= i {
			d.leave(stack[len(stack)-1].name)
			stack = stack[:len(stack)-1]
		}
		if p.Nodes[i].Tag == page.TagText {
			d.write(p.Content(i))
			continue
		}
		// The name is used instead of the tag's number: elements unknown to package page divide too, and differ in
		// name.
		name := p.Name(i)
		d.enter(name)
		stack = append(stack, opened{name, int(p.Nodes[i].End)})
	}
	// These end with the page: at least body and html, which close the last block.
	for len(stack) > 0 {
		d.leave(stack[len(stack)-1].name)
		stack = stack[:len(stack)-1]
	}
	return d.blocks
}

func (d *divider) enter(name string) {
	switch name {
	// Text before the body, such as the title, is collected like any text. Method end discards it because body is not
	// set yet.
	case "body":
		d.end()
		d.body = true
	// A link inside a link or an ignored element changes nothing: only the outermost counts, and only with text to
	// mark.
	case "a":
		if d.links++; d.links == 1 && d.skip == 0 {
			d.link(true)
		}
	default:
		d.tag(name, 1)
	}
}

func (d *divider) leave(name string) {
	switch name {
	case "body":
		d.end()
		d.body = false
	case "a":
		if d.links--; d.links == 0 && d.skip == 0 {
			d.link(false)
		}
	default:
		d.tag(name, -1)
	}
	// A start tag only requests the end of the block, which comes with the next text. An end tag ends it at once.
	if d.flush {
		d.end()
	}
}

// tag handles the tags of other elements, at the start (1) or the end (-1).
func (d *divider) tag(name string, open int) {
	// The count in skip requires an end for each start, which the parser's tree guarantees.
	switch {
	case ignored[name]:
		d.skip += open
		d.flush = true
	case spaced[name]:
		d.whiteSpace()
	case !inline[name]:
		d.flush = true
	}
}

// link marks the beginning or end of a link's text.
func (d *divider) link(begins bool) {
	// White space separates the link's first or last word from the text around it, so that a mark is always between
	// tokens.
	d.whiteSpace()
	d.marks = append(d.marks, mark{d.text.Len(), begins})
}

// whiteSpace writes white space, unless the text already ends with it.
func (d *divider) whiteSpace() {
	if !d.space {
		d.text.WriteByte(' ')
		d.space = true
	}
}

// write writes a text. White space inside stays, and that at each end becomes one character.
func (d *divider) write(s string) {
	if d.flush {
		// A tag before this text requested a new block.
		d.end()
		d.flush = false
	}
	// This comes after the end of the block: an ignored element divides although nothing of it is written.
	if d.skip > 0 || s == "" {
		return
	}
	inner := strings.TrimLeftFunc(s, isSpace)
	// A text of white space alone becomes this one character.
	if len(inner) < len(s) {
		d.whiteSpace()
	}
	trimmed := strings.TrimRightFunc(inner, isSpace)
	if trimmed == "" {
		return
	}
	// Inside, several spaces stay several. Tokens are divided by any number of them, so this only shows in the text.
	for _, r := range trimmed {
		if isSpace(r) {
			r = ' '
		}
		d.text.WriteRune(r)
	}
	d.space = false
	if len(trimmed) < len(inner) {
		d.whiteSpace()
	}
}

// end ends the block.
func (d *divider) end() {
	// One line is assumed, so that the density of a block without words is a number.
	b := block{lines: 1}
	tokens := 0
	// Outside the body nothing is counted, and without tokens nothing is kept.
	if d.body {
		b, tokens = d.count()
	}
	// A link open at the end of the block is open at the beginning of the next. The last mark decides; without one,
	// nothing changes.
	if len(d.marks) > 0 {
		d.inLink = d.marks[len(d.marks)-1].begins
	}
	if tokens > 0 {
		// Like Java's String.trim, this removes all characters up to U+0020, including controls.
		b.texts = []string{strings.TrimFunc(d.text.String(), func(r rune) bool { return r <= ' ' })}
		d.blocks = append(d.blocks, b)
	}
	d.text.Reset()
	d.marks = d.marks[:0]
}

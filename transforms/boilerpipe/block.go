package boilerpipe

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Elements that are not divided at. All others that are not named here end a block.
var (
	// What is in these is not text at all. A block ends at each of them, even at a <link> in the
	// middle of a line.
	ignored = map[string]bool{
		"style": true, "script": true, "option": true, "object": true, "embed": true, "applet": true, "link": true,
		"noscript": true,
	}
	// At these nothing happens: the words before and after may be parts of one.
	inline = map[string]bool{
		"strike": true, "u": true, "b": true, "i": true, "em": true, "strong": true, "span": true, "sup": true, "code": true,
		"tt": true, "sub": true, "var": true, "font": true,
	}
	// Their tags are written as white space, so that a word ends there, but the block goes on.
	spaced = map[string]bool{"abbr": true, "acronym": true} // likewise, with white space around
)

// divider goes over a page and divides its text into blocks. A divider's fields live longer than a block: that a link
// is open, or that white space was written last, holds across the end of one.
type divider struct {
	blocks []block
	text   strings.Builder
	marks  []mark // in text
	inLink bool   // before text
	space  bool   // the last thing written was white space
	flush  bool   // the block ends before the next text
	body   bool   // within it
	skip   int    // ignored elements that are open
	links  int    // <a> that are open
}

// mark is where in the text a link begins or ends. Marks are kept beside the text and not in it, because the tokens
// are to be those of the text alone; count walks both at once.
type mark struct {
	pos    int // bytes
	begins bool
}

// opened is an element in which the divider is.
type opened struct {
	name string
	end  int
}

// blocksOf returns the blocks of p's body. The nodes of a page are a list in which an element is before all that
// it holds, and End is the first node after it. So a loop with a stack sees each element begin and end, without
// recursion that a deep page could exhaust.
func blocksOf(p *page.Page) []block {
	var d divider
	var stack []opened
	for i := range p.Nodes {
		// An element is left before the node that follows it is looked at; several may end at the
		// same node, the innermost first.
		for len(stack) > 0 && stack[len(stack)-1].end <= i {
			d.leave(stack[len(stack)-1].name)
			stack = stack[:len(stack)-1]
		}
		if p.Nodes[i].Tag == page.TagText {
			d.write(p.Content(i))
			continue
		}
		// p.Name, not the tag's number: elements unknown to package page divide too, and are told
		// apart by their names.
		name := p.Name(i)
		d.enter(name)
		stack = append(stack, opened{name, int(p.Nodes[i].End)})
	}
	// What ends with the page: body and html at least, which close the last block.
	for len(stack) > 0 {
		d.leave(stack[len(stack)-1].name)
		stack = stack[:len(stack)-1]
	}
	return d.blocks
}

func (d *divider) enter(name string) {
	switch name {
	// What precedes the body, such as the title, is collected like any text; end throws it away
	// because body is not yet set.
	case "body":
		d.end()
		d.body = true
	// A link in a link, and a link in an ignored element, changes nothing: only the outermost counts,
	// where there is text to mark.
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
	// A start tag only asks for the end of the block, which comes with the next text; an end tag ends
	// it at once.
	if d.flush {
		d.end()
	}
}

// tag does what the tags of other elements do, be it the start (1) or the end (-1).
func (d *divider) tag(name string, open int) {
	// The counting of skip relies on each start being met by an end, which the parser's tree ensures.
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

// link notes where the text of a link begins or ends.
func (d *divider) link(begins bool) {
	// The white space keeps the link's first or last word apart from the text around it, so that a
	// mark always is between tokens.
	d.whiteSpace()
	d.marks = append(d.marks, mark{d.text.Len(), begins})
}

// whiteSpace writes white space, unless that is the last thing written.
func (d *divider) whiteSpace() {
	if !d.space {
		d.text.WriteByte(' ')
		d.space = true
	}
}

// write writes a text: its white space inside as it is, that at its ends as one character.
func (d *divider) write(s string) {
	if d.flush {
		// A tag before this text asked for a new block.
		d.end()
		d.flush = false
	}
	// Behind the end of the block, not before it: an ignored element divides although nothing of it
	// is written.
	if d.skip > 0 || s == "" {
		return
	}
	inner := strings.TrimLeftFunc(s, isSpace)
	// What is white space alone comes to this one character, and text goes no further.
	if len(inner) < len(s) {
		d.whiteSpace()
	}
	trimmed := strings.TrimRightFunc(inner, isSpace)
	if trimmed == "" {
		return
	}
	// Inside, several spaces stay several. Tokens are divided at any number of them, so that it shows
	// in the text only.
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
	// One line, so that the density of a block without words is a number.
	b := block{lines: 1}
	tokens := 0
	// Outside the body nothing is counted, and with no tokens nothing is kept.
	if d.body {
		b, tokens = d.count()
	}
	// A link that is open at the end of the block is open at the beginning of the next. The last mark
	// tells; with none, it stays as it was.
	if len(d.marks) > 0 {
		d.inLink = d.marks[len(d.marks)-1].begins
	}
	if tokens > 0 {
		// As Java's String.trim does: what is not above U+0020, control characters too.
		b.texts = []string{strings.TrimFunc(d.text.String(), func(r rune) bool { return r <= ' ' })}
		d.blocks = append(d.blocks, b)
	}
	d.text.Reset()
	d.marks = d.marks[:0]
}

package boilerpipe

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Elements that are not divided at. All others that are not named here end a block.
var (
	ignored = map[string]bool{
		"style": true, "script": true, "option": true, "object": true, "embed": true, "applet": true, "link": true,
		"noscript": true,
	}
	inline = map[string]bool{
		"strike": true, "u": true, "b": true, "i": true, "em": true, "strong": true, "span": true, "sup": true, "code": true,
		"tt": true, "sub": true, "var": true, "font": true,
	}
	spaced = map[string]bool{"abbr": true, "acronym": true} // likewise, with white space around
)

// divider goes over a page and divides its text into blocks.
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

// mark is where in the text a link begins or ends.
type mark struct {
	pos    int // bytes
	begins bool
}

// opened is an element in which the divider is.
type opened struct {
	name string
	end  int
}

// blocksOf returns the blocks of p's body.
func blocksOf(p *page.Page) []block {
	var d divider
	var stack []opened
	for i := range p.Nodes {
		for len(stack) > 0 && stack[len(stack)-1].end <= i {
			d.leave(stack[len(stack)-1].name)
			stack = stack[:len(stack)-1]
		}
		if p.Nodes[i].Tag == page.TagText {
			d.write(p.Content(i))
			continue
		}
		name := p.Name(i)
		d.enter(name)
		stack = append(stack, opened{name, int(p.Nodes[i].End)})
	}
	for len(stack) > 0 {
		d.leave(stack[len(stack)-1].name)
		stack = stack[:len(stack)-1]
	}
	return d.blocks
}

func (d *divider) enter(name string) {
	switch name {
	case "body":
		d.end()
		d.body = true
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
	if d.flush {
		d.end()
	}
}

// tag does what the tags of other elements do, be it the start (1) or the end (-1).
func (d *divider) tag(name string, open int) {
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
		d.end()
		d.flush = false
	}
	if d.skip > 0 || s == "" {
		return
	}
	inner := strings.TrimLeftFunc(s, isSpace)
	if len(inner) < len(s) {
		d.whiteSpace()
	}
	trimmed := strings.TrimRightFunc(inner, isSpace)
	if trimmed == "" {
		return
	}
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
	b := block{lines: 1}
	tokens := 0
	if d.body {
		b, tokens = d.count()
	}
	if len(d.marks) > 0 {
		d.inLink = d.marks[len(d.marks)-1].begins
	}
	if tokens > 0 {
		b.texts = []string{strings.TrimFunc(d.text.String(), func(r rune) bool { return r <= ' ' })}
		d.blocks = append(d.blocks, b)
	}
	d.text.Reset()
	d.marks = d.marks[:0]
}

package page

import "bytes"

// builder makes the nodes of one page (HTML Living Standard, section 13.2.6). It reads one text or piece of markup
// after another and keeps the stack of open elements. Tokenizer and tree construction are one, since the open element
// decides what the next bytes are: the content of a script is not markup. Pages share its memory.
type builder struct {
	p        *Page
	src      []byte
	pos      int
	stack    []open
	opened   [numTags]int32 // number of open elements by tag
	phase    phase
	head     int32 // <head>
	form     int32 // open <form>, which its end tag ends at any depth; or -1
	fostered []foster
	framed   bool // a frameset is ruled out
	rooted   bool // there are shadow roots
	skipLF   bool // a following line feed belongs to the tag before
	cut      cuts
	order    order
	active   []activeLink
	reopened []reopened // in the order of creation
	classes  classCache
}

// phase is the progress of the document. Each is one or several of the standard's insertion modes; modes that depend
// on open elements (in table, in cell) come from the stack.
type phase uint8

const (
	beforeHead phase = iota
	inHeadPhase
	afterHead
	inBody
	inFrames // a frameset replaces the body
)

// cuts are the limits that truncated a page.
type cuts struct{ bytes, nodes, depth, attributes bool }

// list returns the names for Page.Truncated, in a fixed order.
func (c cuts) list() []string {
	var list []string
	for _, l := range []struct {
		name string
		cut  bool
	}{{"bytes", c.bytes}, {"nodes", c.nodes}, {"depth", c.depth}, {"attributes", c.attributes}} {
		if l.cut {
			list = append(list, l.name)
		}
	}
	return list
}

func (b *builder) build(p *Page) {
	// Reset all state of the last page; order and the stacks keep their memory.
	b.p, b.src, b.pos = p, p.Source, 0
	b.stack, b.fostered = b.stack[:0], b.fostered[:0]
	b.opened, b.classes = [numTags]int32{}, classCache{}
	b.active, b.reopened = b.active[:0], b.reopened[:0]
	b.phase, b.form, b.framed, b.rooted, b.skipLF = beforeHead, -1, false, false, false
	if bytes.HasPrefix(b.src, []byte("\xEF\xBB\xBF")) {
		b.pos = 3
	}
	// <html> exists before any tag, as everything is in it. If its tag comes, it gets the attributes.
	p.Nodes = append(p.Nodes, Node{Parent: -1, Tag: TagHTML})
	b.stack = append(b.stack, open{tag: TagHTML, traits: elements[TagHTML].traits})
	// At the limit of nodes, the rest of the page would have no place.
	for b.pos < len(b.src) && !b.cut.nodes {
		b.step()
	}
	for len(b.stack) > 0 {
		b.pop()
	}
	// Only pages with misplaced content in tables, or with shadow roots, pay for this.
	var index []int32
	if len(b.fostered) > 0 {
		p.Nodes = b.order.sort(p.Nodes, b.fostered)
		index = b.order.index
	}
	if b.rooted {
		index = through(index, flatten(p))
	}
	p.reopened = b.settled(index)
}

// through combines the new indices of nodes that were sorted twice; first may be nil.
func through(first, second []int32) []int32 {
	if first == nil {
		return second
	}
	for i, k := range first {
		first[i] = second[k]
	}
	return first
}

// step reads one text or piece of markup, at least one byte, so the loop in build ends.
func (b *builder) step() {
	end := b.textEnd()
	if end > b.pos {
		start := b.pos
		b.pos = end
		b.characters(start, end)
		return
	}
	// textEnd has made sure that a byte follows the "<".
	switch c := b.src[b.pos+1]; {
	case c == '!' || c == '?':
		b.declaration()
	case c == '/':
		b.end()
	default:
		b.start()
	}
}

// textEnd returns the start of the next markup at or after pos, or the source's end. A "<" that begins nothing is
// text.
func (b *builder) textEnd() int {
	for i := b.pos; ; i++ {
		n := bytes.IndexByte(b.src[i:], '<')
		if n < 0 {
			return len(b.src)
		}
		if i += n; b.markup(i) {
			return i
		}
	}
}

// markup reports whether the < at i begins a tag, a comment or a declaration. At the end of the source it begins
// nothing.
func (b *builder) markup(i int) bool {
	if i+1 >= len(b.src) {
		return false
	}
	c := b.src[i+1]
	return isLetter(c) || c == '!' || c == '?' || c == '/' && i+2 < len(b.src)
}

// declaration skips a comment, doctype, processing instruction or CDATA section. No reader of pages needs comments.
func (b *builder) declaration() {
	rest := b.src[b.pos:]
	switch {
	// Two abrupt ends that the standard allows, "<!-->" and "<!--->".
	case bytes.HasPrefix(rest, []byte("<!-->")):
		b.pos += 5
	case bytes.HasPrefix(rest, []byte("<!--->")):
		b.pos += 6
	case bytes.HasPrefix(rest, []byte("<!--")):
		b.comment()
	// CDATA exists only in SVG and MathML; elsewhere it is a bogus comment that ends at the first ">".
	case b.top().kind != ofHTML && bytes.HasPrefix(rest, []byte("<![CDATA[")):
		b.pos += 9
		start, end := b.pos, b.index("]]>")
		b.pos = min(end+3, len(b.src))
		if end > start {
			// CDATA has no references, and NUL is replaced.
			b.text(start, end, literal|keepsNUL)
		}
	// Doctypes, instructions and bogus comments end at the first ">".
	default:
		b.pos = min(b.index(">")+1, len(b.src))
	}
}

// comment skips a comment, which ends in --> or in --!>.
func (b *builder) comment() {
	b.pos += 4
	for {
		i := bytes.Index(b.src[b.pos:], []byte("--"))
		if i < 0 {
			b.pos = len(b.src)
			return
		}
		b.pos += i + 2
		rest := b.src[b.pos:]
		switch {
		case len(rest) > 0 && rest[0] == '>':
			b.pos++
			return
		case len(rest) > 1 && rest[0] == '!' && rest[1] == '>':
			b.pos += 2
			return
		}
		// "--->" holds two "--", the second of which begins one byte on.
		b.pos--
	}
}

func (b *builder) index(s string) int {
	i := bytes.Index(b.src[b.pos:], []byte(s))
	if i < 0 {
		return len(b.src)
	}
	return b.pos + i
}

// characters adds text. Text other than white space begins the body; white space before the body is dropped. In a
// template the phase does not matter.
func (b *builder) characters(start, end int) {
	// The line feed after <pre> and the like belongs to the tag.
	if b.skipLF {
		b.skipLF = false
		start += lineEnd(b.src[start:end])
	}
	if b.phase != inBody && b.opened[TagTemplate] == 0 {
		// NULs are ignored here like white space.
		for start < end && (isSpace(b.src[start]) || b.src[start] == 0) {
			start++
		}
		// Framesets have no text.
		if start == end || b.phase == inFrames {
			return
		}
		// Text begins the body if its tag is omitted.
		b.openBody(unwritten(TagBody, start))
	}
	if start == end {
		return
	}
	var m marks
	// In SVG and MathML a NUL becomes U+FFFD, in HTML it is dropped.
	if b.top().kind == ofForeign {
		m = keepsNUL
	}
	b.text(start, end, m)
}

// lineEnd is the length of the line end at the start of s: CR LF, LF or CR. Browsers normalize them before parsing;
// here the source stays as it is.
func lineEnd(s []byte) int {
	switch {
	case bytes.HasPrefix(s, []byte("\r\n")):
		return 2
	case len(s) > 0 && (s[0] == '\n' || s[0] == '\r'):
		return 1
	}
	return 0
}

// openHead opens the head. b.head is remembered, since elements of the head may come later.
func (b *builder) openHead(n *Node) {
	b.push(n)
	b.head = b.top().node
	b.phase = inHeadPhase
}

// openBody ends the head and opens the body. Popping to 1 leaves only <html> open.
func (b *builder) openBody(n *Node) {
	if b.phase == beforeHead {
		b.openHead(unwritten(TagHead, int(n.srcStart)))
	}
	b.popTo(1)
	b.phase = inBody
	b.push(n)
}

// unwritten is an element that the source omits at pos. Its empty source there has no attributes.
func unwritten(t Tag, pos int) *Node {
	return &Node{Tag: t, Own: tagFlags[t], srcStart: int32(pos), srcEnd: int32(pos)}
}

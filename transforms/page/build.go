package page

import "bytes"

// builder makes the nodes of one page: it reads one text or one piece of markup after another and keeps the stack of
// open elements (HTML Living Standard, section 13.2.6).
type builder struct {
	p        *Page
	src      []byte
	pos      int
	stack    []open
	opened   [numTags]int32 // how many elements with this tag are in the stack
	phase    phase
	head     int32 // the <head>
	form     int32 // the <form> that is open, which its end tag ends wherever it stands; or -1
	fostered []foster
	framed   bool // whether a frameset may come was asked and denied
	skipLF   bool // a line feed that comes next is part of the tag before
	cut      cuts
	order    order
	classes  classCache
}

// phase is how far the document has come.
type phase uint8

const (
	beforeHead phase = iota
	inHeadPhase
	afterHead
	inBody
	inFrames // a frameset stands in the body's place
)

// cuts are the limits that cut a page.
type cuts struct{ bytes, nodes, depth, attributes bool }

// list names the limits, as Page.Truncated has them.
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
	b.p, b.src, b.pos = p, p.Source, 0
	b.stack, b.fostered = b.stack[:0], b.fostered[:0]
	b.opened, b.classes = [numTags]int32{}, classCache{}
	b.phase, b.form, b.framed, b.skipLF = beforeHead, -1, false, false
	if bytes.HasPrefix(b.src, []byte("\xEF\xBB\xBF")) {
		b.pos = 3
	}
	p.Nodes = append(p.Nodes, Node{Parent: -1, Tag: TagHTML})
	b.stack = append(b.stack, open{tag: TagHTML, traits: elements[TagHTML].traits})
	for b.pos < len(b.src) && !b.cut.nodes {
		b.step()
	}
	for len(b.stack) > 0 {
		b.pop()
	}
	if len(b.fostered) > 0 {
		p.Nodes = b.order.sort(p.Nodes, b.fostered)
	}
}

// step reads one text or one piece of markup.
func (b *builder) step() {
	end := b.textEnd()
	if end > b.pos {
		start := b.pos
		b.pos = end
		b.characters(start, end)
		return
	}
	switch c := b.src[b.pos+1]; {
	case c == '!' || c == '?':
		b.declaration()
	case c == '/':
		b.end()
	default:
		b.start()
	}
}

// textEnd returns where the next markup begins, at or behind pos, or the source's end.
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

// markup tells whether the < at i begins a tag, a comment or a declaration.
func (b *builder) markup(i int) bool {
	if i+1 >= len(b.src) {
		return false
	}
	c := b.src[i+1]
	return isLetter(c) || c == '!' || c == '?' || c == '/' && i+2 < len(b.src)
}

// declaration passes a comment, a doctype, a processing instruction or a section of CDATA.
func (b *builder) declaration() {
	rest := b.src[b.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!-->")):
		b.pos += 5
	case bytes.HasPrefix(rest, []byte("<!--->")):
		b.pos += 6
	case bytes.HasPrefix(rest, []byte("<!--")):
		b.comment()
	case b.top().kind != ofHTML && bytes.HasPrefix(rest, []byte("<![CDATA[")):
		b.pos += 9
		start, end := b.pos, b.index("]]>")
		b.pos = min(end+3, len(b.src))
		if end > start {
			b.text(start, end, literal|keepsNUL)
		}
	default:
		b.pos = min(b.index(">")+1, len(b.src))
	}
}

// comment passes a comment, which ends in --> or in --!>.
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
		b.pos--
	}
}

// index returns where s begins next, or the source's end.
func (b *builder) index(s string) int {
	i := bytes.Index(b.src[b.pos:], []byte(s))
	if i < 0 {
		return len(b.src)
	}
	return b.pos + i
}

// characters adds text; what is not white space begins the body.
func (b *builder) characters(start, end int) {
	if b.skipLF {
		b.skipLF = false
		start += lineEnd(b.src[start:end])
	}
	if b.phase != inBody && b.opened[TagTemplate] == 0 {
		for start < end && (isSpace(b.src[start]) || b.src[start] == 0) {
			start++
		}
		if start == end || b.phase == inFrames {
			return
		}
		b.openBody(unwritten(TagBody, start))
	}
	if start == end {
		return
	}
	var m marks
	if b.top().kind == ofForeign {
		m = keepsNUL
	}
	b.text(start, end, m)
}

// lineEnd is the length of the line end at the start of s.
func lineEnd(s []byte) int {
	switch {
	case bytes.HasPrefix(s, []byte("\r\n")):
		return 2
	case len(s) > 0 && (s[0] == '\n' || s[0] == '\r'):
		return 1
	}
	return 0
}

// openHead opens the head.
func (b *builder) openHead(n Node) {
	b.push(n)
	b.head = b.top().node
	b.phase = inHeadPhase
}

// openBody ends the head and opens the body.
func (b *builder) openBody(n Node) {
	if b.phase == beforeHead {
		b.openHead(unwritten(TagHead, int(n.srcStart)))
	}
	b.popTo(1)
	b.phase = inBody
	b.push(n)
}

// unwritten is an element that the source leaves out at pos.
func unwritten(t Tag, pos int) Node {
	return Node{Tag: t, Own: tagFlags[t], srcStart: int32(pos), srcEnd: int32(pos)}
}

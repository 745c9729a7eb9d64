package page

import "bytes"

// builder makes the nodes and blocks of one page.
type builder struct {
	p      *Page
	src    []byte
	pos    int
	stack  []open
	opened [numTags]int32
	phase  phase
	w      writer
	cut    cuts
}

// open is an element of the stack of open elements.
type open struct {
	node   int32
	owner  int32 // the nearest element around, or itself, that is a block
	tag    Tag
	traits trait
}

// phase is how far the document has come.
type phase uint8

const (
	beforeHead phase = iota
	inHeadPhase
	afterHead
	inBody
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
	b.p, b.src, b.pos, b.phase = p, p.Source, 0, beforeHead
	b.stack = b.stack[:0]
	b.opened = [numTags]int32{}
	b.w = writer{block: Block{Node: -1}}
	if bytes.HasPrefix(b.src, []byte("\xEF\xBB\xBF")) {
		b.pos = 3
	}
	p.Nodes = append(p.Nodes, Node{Parent: -1, Tag: TagHtml})
	b.stack = append(b.stack, open{tag: TagHtml, traits: elements[TagHtml].traits})
	for b.pos < len(b.src) && !b.cut.nodes {
		b.step()
	}
	for len(b.stack) > 0 {
		b.pop()
	}
}

// step reads one text or one piece of markup.
func (b *builder) step() {
	i := bytes.IndexByte(b.src[b.pos:], '<')
	if i < 0 {
		i = len(b.src) - b.pos
	}
	for i+b.pos < len(b.src) && !b.markup(b.pos+i) {
		next := bytes.IndexByte(b.src[b.pos+i+1:], '<')
		if next < 0 {
			i = len(b.src) - b.pos
			break
		}
		i += next + 1
	}
	if i > 0 {
		b.characters(b.pos, b.pos+i)
		b.pos += i
		return
	}
	if b.pos+1 < len(b.src) {
		b.tag()
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

func (b *builder) tag() {
	switch c := b.src[b.pos+1]; {
	case c == '!' || c == '?':
		b.declaration()
	case c == '/':
		b.end()
	default:
		b.start()
	}
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
	case b.foreign() && bytes.HasPrefix(rest, []byte("<![CDATA[")):
		b.pos += 9
		end := b.find("]]>")
		b.characters(b.pos, end)
		b.pos = min(end+3, len(b.src))
	default:
		b.pos = min(b.find(">")+1, len(b.src))
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

// find returns where s begins next, or the source's end.
func (b *builder) find(s string) int {
	i := bytes.Index(b.src[b.pos:], []byte(s))
	if i < 0 {
		return len(b.src)
	}
	return b.pos + i
}

// characters adds text; what is not white space begins the body.
func (b *builder) characters(start, end int) {
	if b.phase < inBody {
		for start < end && isSpace(b.src[start]) {
			start++
		}
		if start == end {
			return
		}
		b.openBody(start)
	}
	b.text(start, end)
}

// top is the innermost open element.
func (b *builder) top() *open { return &b.stack[len(b.stack)-1] }

// foreign tells whether the innermost open element is of SVG or MathML.
func (b *builder) foreign() bool { return b.p.Nodes[b.top().node].Flags&InForeign != 0 }

// append adds a node that has no children yet and returns its index, or -1 when there may be no more.
func (b *builder) append(n Node) int32 {
	i := len(b.p.Nodes)
	if i >= b.p.o.MaxNodes {
		b.cut.nodes = true
		return -1
	}
	n.End = int32(i + 1)
	n.TextStart = int32(len(b.p.Text))
	n.TextEnd = n.TextStart
	b.p.Nodes = append(b.p.Nodes, n)
	return int32(i)
}

// push opens an element.
func (b *builder) push(n Node) {
	e := elements[n.Tag]
	if e.traits&block != 0 {
		b.flush()
	}
	parent := b.top()
	n.Parent = parent.node
	n.Depth = b.p.Nodes[n.Parent].Depth + 1
	n.Flags |= b.p.Nodes[n.Parent].Flags
	i := b.append(n)
	if i < 0 || e.traits&void != 0 && n.Flags&InForeign == 0 || n.self {
		return
	}
	if len(b.stack) >= b.p.o.MaxDepth {
		b.cut.depth = true
		return
	}
	owner := parent.owner
	if e.traits&block != 0 {
		owner = i
	}
	b.opened[n.Tag]++
	b.stack = append(b.stack, open{node: i, owner: owner, tag: n.Tag, traits: e.traits})
}

// pop closes the innermost open element.
func (b *builder) pop() {
	top := b.top()
	if top.traits&block != 0 {
		b.flush()
	}
	n := &b.p.Nodes[top.node]
	n.End = int32(len(b.p.Nodes))
	n.TextEnd = int32(len(b.p.Text))
	b.opened[top.tag]--
	b.stack = b.stack[:len(b.stack)-1]
}

// popTo closes open elements until height are left.
func (b *builder) popTo(height int) {
	for len(b.stack) > height {
		b.pop()
	}
}

// openHead and openBody open what the source leaves out, or names at pos.
func (b *builder) openHead(pos int) {
	b.push(Node{Tag: TagHead, Own: InSkipped, Flags: InSkipped, srcStart: int32(pos), srcEnd: int32(pos)})
	b.phase = inHeadPhase
}

func (b *builder) openBody(pos int) {
	b.popTo(1)
	b.phase = inBody
	b.push(Node{Tag: TagBody, srcStart: int32(pos), srcEnd: int32(pos)})
}

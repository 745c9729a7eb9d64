package page

import "bytes"

// end reads an end tag and closes what it ends.
func (b *builder) end() {
	src := b.src
	i := b.pos + 2
	switch c := src[i]; {
	case c == '>':
		b.pos = i + 1
		return
	case !isLetter(c):
		b.pos = min(b.find(">")+1, len(src))
		return
	}
	start := i
	var buf [16]byte
	name := buf[:0]
	for ; i < len(src) && !isSpace(src[i]) && src[i] != '/' && src[i] != '>'; i++ {
		if len(name) < len(buf) {
			name = append(name, lower(src[i]))
		}
	}
	written := src[start:i]
	for {
		var a attribute
		if a, i = nextAttr(src, i); a.name == nil {
			break
		}
	}
	b.pos = i
	if src[i-1] != '>' {
		return // the source ends within the tag
	}
	b.endElement(tagOf(name), written)
}

func (b *builder) endElement(t Tag, written []byte) {
	switch t {
	case TagHead:
		if b.phase == inHeadPhase {
			b.popTo(1)
			b.phase = afterHead
		}
		return
	case TagHtml, TagBody:
		return // what comes behind is still of the body
	case TagBr:
		if b.phase < inBody {
			b.openBody(b.pos)
		}
		b.lineBreak(Node{Tag: TagBr, srcStart: int32(b.pos), srcEnd: int32(b.pos)})
		return
	case TagP:
		if b.opened[TagP] == 0 && b.phase == inBody {
			b.flush()
			return
		}
	}
	if b.opened[t] == 0 {
		return
	}
	b.closeElement(t, written)
}

// closeElement closes the element t if it is open and not behind a bound.
func (b *builder) closeElement(t Tag, written []byte) {
	heading := headings.has(t)
	traits := elements[t].traits
	for i := len(b.stack) - 1; i > 0; i-- {
		e := &b.stack[i]
		if e.tag == t && (t != TagOther || bytes.EqualFold(written, nameOf(b.src[b.p.Nodes[e.node].srcStart:]))) || heading && headings.has(e.tag) {
			b.popTo(i)
			return
		}
		if b.stops(e, t, traits) {
			return
		}
	}
}

// stops tells whether the end tag of t does not see what is open around e.
func (b *builder) stops(e *open, t Tag, traits trait) bool {
	switch {
	case t == TagTable || traits&tablePart != 0:
		return e.tag == TagTable || e.tag == TagTemplate
	case traits&(block|marker) != 0:
		return e.traits&marker != 0
	}
	return e.traits&special != 0
}

package page

import "bytes"

// rawContent reads what the raw element t that was just opened holds, as one text, and its end tag.
func (b *builder) rawContent(t Tag) {
	isOpen := b.top().tag == t // not when the page is cut
	m := literal | keepsNUL
	if t == TagTitle || t == TagTextarea {
		m = keepsNUL
	}
	if t == TagTextarea {
		b.pos += lineEnd(b.src[b.pos:])
	}
	start := b.pos
	b.pos = b.rawEnd(t, start)
	if b.pos > start && isOpen {
		b.text(start, b.pos, m)
	}
	if b.pos < len(b.src) {
		b.pos = tagEnd(b.src, b.pos+len("</")+len(elements[t].name))
	}
	if isOpen {
		b.popTo(len(b.stack) - 1)
	}
}

// rawEnd returns where the end tag of the raw element t begins, at or behind pos, or the source's end.
func (b *builder) rawEnd(t Tag, pos int) int {
	switch t {
	case TagPlaintext:
		return len(b.src)
	case TagScript:
		return b.scriptEnd(pos)
	}
	return b.endTag(elements[t].name, pos)
}

// endTag returns where the next end tag called name begins, at or behind pos, or the source's end.
func (b *builder) endTag(name string, pos int) int {
	for {
		i := bytes.Index(b.src[pos:], []byte("</"))
		if i < 0 {
			return len(b.src)
		}
		pos += i
		if b.named(pos+2, name) {
			return pos
		}
		pos += 2
	}
}

// named tells whether name (in any case) and the end of a tag's name follow at pos.
func (b *builder) named(pos int, name string) bool {
	end := pos + len(name)
	return end < len(b.src) && hasFold(b.src[pos:], name) && nameEnds[b.src[end]] != 0
}

// scriptEnd is the end of a script: within <!-- and -->, a <script> hides the </script> that follows it (the "script
// data double escaped state", section 13.2.5.27).
func (b *builder) scriptEnd(pos int) int {
	end := b.endTag("script", pos)
	for {
		i := bytes.Index(b.src[pos:end], []byte("<!--"))
		if i < 0 {
			return end
		}
		var closed bool
		if pos, closed = b.escapedEnd(pos + i + 2); closed {
			return pos
		}
		if pos > end {
			end = b.endTag("script", pos)
		}
	}
}

// escapedEnd returns where the escaped part of a script ends that goes on at pos: behind its -->, or at the end tag of
// the script, when closed is true.
func (b *builder) escapedEnd(pos int) (end int, closed bool) {
	double := false
	for ; pos < len(b.src); pos++ {
		switch c := b.src[pos]; {
		case c == '-' && bytes.HasPrefix(b.src[pos:], []byte("-->")):
			return pos + 3, false
		case c != '<':
		case !double && b.named(pos+1, "script"):
			double = true
		case b.src[min(pos+1, len(b.src)-1)] == '/' && b.named(pos+2, "script"):
			if !double {
				return pos, true
			}
			double = false
		}
	}
	return pos, true
}

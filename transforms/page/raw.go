package page

import "bytes"

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
	if end >= len(b.src) || !hasFold(b.src[pos:], name) {
		return false
	}
	c := b.src[end]
	return isSpace(c) || c == '/' || c == '>'
}

// scriptEnd is the end of a script: within <!-- and -->, a <script> hides the </script> that follows it (the "script
// data double escaped state", section 13.2.5.27).
func (b *builder) scriptEnd(pos int) int {
	end := b.endTag("script", pos)
	open := bytes.Index(b.src[pos:end], []byte("<!--"))
	if open < 0 {
		return end
	}
	pos += open + 2
	for {
		end = b.endTag("script", pos)
		shut := bytes.Index(b.src[pos:], []byte("-->"))
		inner := b.startTag("script", pos, end)
		if inner < 0 || shut >= 0 && pos+shut < inner {
			if shut < 0 || pos+shut > end {
				return end
			}
			return b.scriptEnd(pos + shut + 3)
		}
		if end == len(b.src) {
			return end
		}
		pos = end + 2
	}
}

// startTag returns where a start tag called name begins in src[pos:end], or -1.
func (b *builder) startTag(name string, pos, end int) int {
	for pos < end {
		i := bytes.IndexByte(b.src[pos:end], '<')
		if i < 0 {
			break
		}
		pos += i + 1
		if b.named(pos, name) {
			return pos - 1
		}
	}
	return -1
}

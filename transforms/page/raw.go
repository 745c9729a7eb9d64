package page

import "bytes"

// rawContent reads the content of the raw element t, which was just opened, as one text, and its end tag. Raw elements
// are read as RCDATA, RAWTEXT, script data or PLAINTEXT (section 13.2.5.2 to 13.2.5.5).
func (b *builder) rawContent(t Tag) {
	isOpen := b.top().tag == t // false at a limit
	// Titles and text areas hold references (RCDATA); others do not.
	m := literal | keepsNUL
	if t == TagTitle || t == TagTextarea {
		m = keepsNUL
	}
	// The first line feed in a <textarea> belongs to the tag.
	if t == TagTextarea {
		b.pos += lineEnd(b.src[b.pos:])
	}
	start := b.pos
	b.pos = b.rawEnd(t, start)
	// At the limit of nodes or depth the element was not opened: skip its content.
	if b.pos > start && isOpen {
		b.text(start, b.pos, m)
	}
	// Read the end tag here, as its attributes may hold a ">".
	if b.pos < len(b.src) {
		b.pos = tagEnd(b.src, b.pos+len("</")+len(elements[t].name))
	}
	if isOpen {
		b.popTo(len(b.stack) - 1)
	}
}

// rawEnd returns the start of the end tag of raw element t at or after pos, or the source's end. Only the element's
// own end tag counts: "</b>" in a title is text.
func (b *builder) rawEnd(t Tag, pos int) int {
	switch t {
	case TagPlaintext:
		return len(b.src)
	case TagScript:
		return b.scriptEnd(pos)
	}
	return b.endTag(elements[t].name, pos)
}

// endTag returns the start of the next end tag called name at or after pos, or the source's end. The library's search
// for "</" makes scripts of a megabyte cheap.
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

// named reports whether name (in any case) and the end of a tag's name follow at pos. "</scripty>" does not end a
// script.
func (b *builder) named(pos int, name string) bool {
	end := pos + len(name)
	return end < len(b.src) && hasFold(b.src[pos:], name) && nameEnds[b.src[end]] != 0
}

// scriptEnd is the end of a script. Within <!-- and -->, a <script> hides the </script> that follows it (the "script
// data double escaped state", section 13.2.5.27). Old pages put <!-- around scripts for browsers that did not know
// them.
func (b *builder) scriptEnd(pos int) int {
	// The first end tag is right for nearly all scripts: those without <!-- before it.
	end := b.endTag("script", pos)
	for {
		i := bytes.Index(b.src[pos:end], []byte("<!--"))
		if i < 0 {
			return end
		}
		var closed bool
		// i+2 and not i+4: "<!-->" closes itself, with its own hyphens.
		if pos, closed = b.escapedEnd(pos + i + 2); closed {
			return pos
		}
		// The comment hid that end tag.
		if pos > end {
			end = b.endTag("script", pos)
		}
	}
}

// escapedEnd returns the end of the escaped part of a script at pos. It is after its -->, or with closed the start of
// the script's end tag. Variable double is the standard's "double escaped": within it, an end tag closes the inner
// <script>.
func (b *builder) escapedEnd(pos int) (end int, closed bool) {
	double := false
	for ; pos < len(b.src); pos++ {
		switch c := b.src[pos]; {
		case c == '-' && bytes.HasPrefix(b.src[pos:], []byte("-->")):
			return pos + 3, false
		case c != '<':
		case !double && b.named(pos+1, "script"):
			double = true
		// min keeps the index inside; at the last byte it is a "<", not a slash.
		case b.src[min(pos+1, len(b.src)-1)] == '/' && b.named(pos+2, "script"):
			if !double {
				return pos, true
			}
			double = false
		}
	}
	// Neither was found: the script ends with the source.
	return pos, true
}

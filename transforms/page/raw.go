package page

import "bytes"

// rawContent reads what the raw element t that was just opened holds, as one text, and its end tag. Raw elements are
// those whose content the tokenizer reads as RCDATA, RAWTEXT, script data or PLAINTEXT (section 13.2.5.2 to
// 13.2.5.5).
func (b *builder) rawContent(t Tag) {
	isOpen := b.top().tag == t // not when the page is cut
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
	// At the limit of nodes or depth the element was not opened: its content is passed over.
	if b.pos > start && isOpen {
		b.text(start, b.pos, m)
	}
	// The end tag is read here, as its attributes may hold a ">".
	if b.pos < len(b.src) {
		b.pos = tagEnd(b.src, b.pos+len("</")+len(elements[t].name))
	}
	if isOpen {
		b.popTo(len(b.stack) - 1)
	}
}

// rawEnd returns where the end tag of the raw element t begins, at or after pos, or the source's end. Only the
// element's own end tag counts: "</b>" in a title is text.
func (b *builder) rawEnd(t Tag, pos int) int {
	switch t {
	// <plaintext> has no end.
	case TagPlaintext:
		return len(b.src)
	case TagScript:
		return b.scriptEnd(pos)
	}
	return b.endTag(elements[t].name, pos)
}

// endTag returns where the next end tag called name begins, at or after pos, or the source's end. Looking for "</"
// with the library's search is what makes scripts of a megabyte cheap.
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

// named reports whether name (in any case) and the end of a tag's name follow at pos. "</scripty>" is not the end of a
// script.
func (b *builder) named(pos int, name string) bool {
	end := pos + len(name)
	return end < len(b.src) && hasFold(b.src[pos:], name) && nameEnds[b.src[end]] != 0
}

// scriptEnd is the end of a script: within <!-- and -->, a <script> hides the </script> that follows it (the "script
// data double escaped state", section 13.2.5.27). Old pages put <!-- around scripts for browsers that did not know
// them, and the rules have stayed.
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
		// The comment reached after that end tag, which was hidden in it.
		if pos > end {
			end = b.endTag("script", pos)
		}
	}
}

// escapedEnd returns where the escaped part of a script ends that goes on at pos: after its -->, or at the end tag of
// the script, when closed is true. double is the standard's "double escaped": within it, an end tag closes the inner
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

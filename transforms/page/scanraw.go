package page

import (
	"bytes"

	"golang.org/x/net/html/atom"
)

// rawElement returns a when what such an element holds is no markup, and 0 otherwise.
func rawElement(a atom.Atom) atom.Atom {
	switch a {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Noscript, atom.Plaintext, atom.Script, atom.Style,
		atom.Textarea, atom.Title, atom.Xmp:
		return a
	}
	return 0
}

// rawText moves to the end tag of the raw element that was opened last, or to the source's end.
func (s *scanner) rawText() {
	element := s.raw
	s.raw = 0
	begin := s.pos
	switch element {
	case atom.Plaintext:
		s.pos = len(s.src)
	case atom.Script:
		s.script()
	default:
		s.pos = s.endTag(element.String(), s.pos)
	}
	s.tok.nesting = bytes.IndexByte(s.src[begin:s.pos], '<') >= 0
	s.tok.atom = element
}

// endTag returns where the next end tag called name begins, at or behind pos, or the source's end.
func (s *scanner) endTag(name string, pos int) int {
	for pos < len(s.src) {
		i := bytes.IndexByte(s.src[pos:], '<')
		if i < 0 {
			break
		}
		pos += i
		if s.isTag(pos+1, "/", name) {
			return pos
		}
		pos++
	}
	return len(s.src)
}

// isTag tells whether prefix, name (any case) and the end of a tag's name follow at pos.
func (s *scanner) isTag(pos int, prefix, name string) bool {
	end := pos + len(prefix) + len(name)
	if end >= len(s.src) {
		return false
	}
	if string(s.src[pos:pos+len(prefix)]) != prefix || !bytes.EqualFold(s.src[pos+len(prefix):end], []byte(name)) {
		return false
	}
	c := s.src[end]
	return isSpace(c) || c == '/' || c == '>'
}

// script moves to the end of a script: within <!-- and -->, a <script> hides the </script> that follows it (the
// "script data double escaped state", section 13.2.5.27).
func (s *scanner) script() {
	var escaped, double bool
	for ; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case '-':
			if escaped && s.closesEscape() {
				escaped, double = false, false
			}
		case '<':
			if !double && s.isTag(s.pos+1, "/", "script") {
				return
			}
			escaped, double = s.scriptLess(escaped, double)
		}
	}
}

// closesEscape tells whether the dash at s.pos is the second of "-->".
func (s *scanner) closesEscape() bool {
	return s.pos+1 < len(s.src) && s.src[s.pos+1] == '>' && s.src[s.pos-1] == '-'
}

// scriptLess returns the state after the "<" at s.pos, which is not that of the end tag that counts.
func (s *scanner) scriptLess(escaped, double bool) (bool, bool) {
	rest := s.src[s.pos:]
	switch {
	case !escaped:
		if bytes.HasPrefix(rest, []byte("<!--")) {
			s.pos++ // the dashes of "<!-->" close what they open
			escaped = true
		}
	case double:
		double = !s.isTag(s.pos+1, "/", "script")
	case len(rest) > 1 && isLetter(rest[1]):
		double = s.isTag(s.pos+1, "", "script")
	case len(rest) > 1 && rest[1] != '/':
		escaped = false // x/net leaves the escape here, where the standard stays in it
	}
	return escaped, double
}

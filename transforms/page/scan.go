package page

import (
	"bytes"

	"golang.org/x/net/html/atom"
)

// tokenKind says what a token of the scanner is.
type tokenKind uint8

const (
	textToken    tokenKind = iota
	rawToken               // the content of a script, style, textarea, …
	startToken             //
	endToken               //
	commentToken           // also declarations and whatever else starts with <! or <?
)

// span is a piece of the source: the bytes from start to end.
type span struct{ start, end int }

// attribute is one attribute of a start tag, name and value as written, without quotes.
type attribute struct{ key, value span }

// token is one token of the source.
type token struct {
	kind    tokenKind
	all     span
	name    span // of a tag
	atom    atom.Atom
	closed  bool // the tag ends in "/>"
	nAttrs  int  // how many attributes the tag has; attrs holds the first of them
	attrs   []attribute
	nesting bool // of rawToken: it holds "<", which would be markup were it not raw
}

// scanner splits HTML where the tokenizer of golang.org/x/net/html splits it (section 13.2.5 of the HTML Living
// Standard), without decoding anything and in constant memory: that tokenizer keeps every attribute name of a tag in
// a map, so that it must not be shown a tag with a million.
type scanner struct {
	src      []byte
	pos      int
	maxAttrs int       // kept in a token
	raw      atom.Atom // the element whose raw text comes next
	tok      token     // the token that next found
	keep     []attribute
}

// next finds the next token and tells whether there was one.
func (s *scanner) next() bool {
	if s.pos >= len(s.src) {
		return false
	}
	start := s.pos
	s.tok = token{all: span{start, start}}
	if s.raw != 0 {
		if s.rawText(); s.pos > start {
			return s.emit(rawToken, start)
		}
	}
	s.text()
	if s.pos > start {
		return s.emit(textToken, start)
	}
	return s.markup(start)
}

func (s *scanner) emit(k tokenKind, start int) bool {
	s.tok.kind, s.tok.all = k, span{start, s.pos}
	return true
}

// text moves to the next "<" that begins markup.
func (s *scanner) text() {
	for s.pos < len(s.src) {
		i := bytes.IndexByte(s.src[s.pos:], '<')
		if i < 0 || s.pos+i+1 >= len(s.src) {
			s.pos = len(s.src)
			return
		}
		s.pos += i
		if c := s.src[s.pos+1]; isLetter(c) || c == '!' || c == '?' || c == '/' && s.pos+2 < len(s.src) {
			return
		}
		s.pos++
	}
}

// markup reads the tag, comment or declaration at s.pos. A tag that the source's end cuts is none.
func (s *scanner) markup(start int) bool {
	kind := commentToken
	switch c := s.src[s.pos+1]; {
	case isLetter(c):
		kind = startToken
		s.pos++
	case c == '/' && isLetter(s.src[s.pos+2]):
		kind = endToken
		s.pos += 2
	case c == '/' && s.src[s.pos+2] == '>':
		s.pos += 3
		return s.emit(commentToken, start)
	default:
		s.declaration()
		return s.emit(commentToken, start)
	}
	if !s.tag() {
		s.pos = len(s.src)
		return false
	}
	if kind == startToken {
		s.raw = rawElement(s.tok.atom)
	}
	return s.emit(kind, start)
}

// declaration moves past what starts with "<!", "<?" or "</" and is no tag.
func (s *scanner) declaration() {
	if bytes.HasPrefix(s.src[s.pos:], []byte("<!--")) {
		s.comment()
		return
	}
	s.pos = s.after('>', s.pos+2)
}

// after returns the position after the next c at or behind pos, or the source's end.
func (s *scanner) after(c byte, pos int) int {
	pos = min(pos, len(s.src))
	if i := bytes.IndexByte(s.src[pos:], c); i >= 0 {
		return pos + i + 1
	}
	return len(s.src)
}

// comment moves past the comment at s.pos: it ends at "-->" or "--!>", or at once with ">" or "->".
func (s *scanner) comment() {
	begin := s.pos + len("<!--")
	for i := begin; i < len(s.src); {
		i = s.after('>', i)
		body := s.src[begin:i]
		if bytes.Equal(body, []byte(">")) || bytes.Equal(body, []byte("->")) ||
			bytes.HasSuffix(body, []byte("-->")) || bytes.HasSuffix(body, []byte("--!>")) {
			s.pos = i
			return
		}
	}
	s.pos = len(s.src)
}

// tag reads a tag's name and attributes; s.pos is at its name. It returns false when the source ends first.
func (s *scanner) tag() bool {
	begin := s.pos
	for s.pos < len(s.src) && !isSpace(s.src[s.pos]) && s.src[s.pos] != '/' && s.src[s.pos] != '>' {
		s.pos++
	}
	s.tok.name = span{begin, s.pos}
	s.tok.atom = lookupAtom(s.src[begin:s.pos])
	s.keep = s.keep[:0]
	for s.skipSpace(); s.pos < len(s.src); s.skipSpace() {
		if s.src[s.pos] == '>' {
			s.tok.closed = s.src[s.pos-1] == '/' && !s.endsUnquoted()
			s.tok.attrs = s.keep
			s.pos++
			return true
		}
		s.attribute()
	}
	return false
}

// endsUnquoted tells whether the slash at s.pos-1 belongs to the last attribute's value: <p a=/>.
func (s *scanner) endsUnquoted() bool {
	n := len(s.keep)
	return n > 0 && s.keep[n-1].value.end == s.pos && s.keep[n-1].value.start < s.pos
}

// attribute reads one attribute, or a lone slash.
func (s *scanner) attribute() {
	begin := s.pos
	for s.pos < len(s.src) && !s.endsName(begin) {
		s.pos++
	}
	a := attribute{key: span{begin, s.pos}}
	s.skipSpace()
	if s.pos < len(s.src) && s.src[s.pos] == '=' {
		s.pos++
		s.skipSpace()
		a.value = s.value()
	} else if s.pos < len(s.src) && s.src[s.pos] == '/' {
		s.pos++
	}
	if a.key.end == a.key.start {
		return
	}
	s.tok.nAttrs++
	if len(s.keep) < s.maxAttrs {
		s.keep = append(s.keep, a)
	}
}

// endsName tells whether the byte at s.pos ends the attribute name that began at begin.
func (s *scanner) endsName(begin int) bool {
	switch c := s.src[s.pos]; c {
	case '/', '>':
		return true
	case '=':
		return s.pos > begin
	default:
		return isSpace(c)
	}
}

func (s *scanner) value() span {
	if s.pos >= len(s.src) {
		return span{s.pos, s.pos}
	}
	switch c := s.src[s.pos]; c {
	case '>':
		return span{s.pos, s.pos}
	case '"', '\'':
		begin := s.pos + 1
		s.pos = s.after(c, begin)
		return span{begin, max(begin, s.pos-1)}
	}
	begin := s.pos
	for s.pos < len(s.src) && !isSpace(s.src[s.pos]) && s.src[s.pos] != '>' {
		s.pos++
	}
	return span{begin, s.pos}
}

func (s *scanner) skipSpace() {
	for s.pos < len(s.src) && isSpace(s.src[s.pos]) {
		s.pos++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// lookupAtom returns the atom of a tag name in any case, or 0.
func lookupAtom(name []byte) atom.Atom {
	var lower [16]byte // no element of HTML has a longer name
	if len(name) > len(lower) {
		return 0
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return atom.Lookup(lower[:len(name)])
}

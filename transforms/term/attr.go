package term

import (
	"strings"
	"unicode/utf8"
)

// maxValue is how many bytes of a value a quotation mark holds together, so that one that is not closed does not take
// the page with it.
const maxValue = 10_000

// attribute reads an attribute, or white space before the tag's end. One without a value takes that of the next for its
// own, which has no name then; bare is true when there is none.
func (s *scanner) attribute() (key, value string, bare bool) {
	s.skipSpace()
	key = strings.ToLower(s.read(" =\r\n>", len(s.src)))
	if key == "" && s.peek() == '>' {
		return "", "", false
	}
	for ; s.peek() != '='; s.pos++ {
		switch s.peek() {
		case 0, '>':
			return key, "", true
		case ' ', '\t', '\r', '\n':
		default:
			key = ""
		}
	}
	s.pos++
	s.skipSpace()
	return key, s.read(" \r\n>", maxValue), false
}

// peek returns the next byte, 0 at the end: the page has no others, see Of.
func (s *scanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

func (s *scanner) skipSpace() {
	for c := s.peek(); c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; c = s.peek() {
		s.pos++
	}
}

// read returns what precedes one of the characters stop, or the end. These do not count within quotation marks,
// which may stand anywhere, are left out, and hold together no more than limit bytes.
func (s *scanner) read(stop string, limit int) string {
	var text strings.Builder
	var quote byte
	for start := s.pos; s.pos < len(s.src); s.pos++ {
		c := s.src[s.pos]
		if s.pos-start > limit {
			quote = 0
		}
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && strings.IndexByte(stop, c) >= 0:
			return text.String()
		default:
			text.WriteByte(c)
		}
	}
	return text.String()
}

// attributeOf counts the words of attributes that have some.
func (s *scanner) attributeOf(name, key, value string) {
	switch {
	case name == "meta" && key == "content":
		for w := range strings.FieldsSeq(value) {
			s.meta.count(strings.ToLower(w), weightMeta)
		}
	case name == "img" && (key == "alt" || key == "title" || key == "id"):
		for w := range strings.FieldsSeq(value) {
			if w = trimEnds(w); w != "" {
				s.words.add(w, weightImage)
			}
		}
	}
}

// trimEnds cuts off the first and the last character if they are not parts of words.
func trimEnds(w string) string {
	if r, n := utf8.DecodeRuneInString(w); !isWordPart(r) {
		w = w[n:]
	}
	if r, n := utf8.DecodeLastRuneInString(w); !isWordPart(r) {
		w = w[:len(w)-n]
	}
	return w
}

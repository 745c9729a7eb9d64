package term

import (
	"strings"
	"unicode/utf8"
)

// maxValue is the maximum number of bytes inside quotation marks, so that an unclosed one does not take the whole
// page.
const maxValue = 10_000

// attribute reads an attribute, or white space before the tag's end. An attribute without a value takes the value of
// the next, which then has no name. Result bare is true if there is no value at all.
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

// peek returns the next byte, or 0 at the end. The page has no other zeros, see Of.
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

// read returns the text before one of the characters in stop, or before the end. Inside quotation marks these
// characters do not count. Quotation marks may be anywhere, are left out, and enclose at most limit bytes.
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

// attributeOf counts the words of attributes that have words.
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

// trimEnds removes the first and the last character if they are not parts of words.
func trimEnds(w string) string {
	if r, n := utf8.DecodeRuneInString(w); !isWordPart(r) {
		w = w[n:]
	}
	if r, n := utf8.DecodeLastRuneInString(w); !isWordPart(r) {
		w = w[:len(w)-n]
	}
	return w
}

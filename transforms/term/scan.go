package term

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner reads a page once.
type scanner struct {
	src      string
	pos      int
	inTitle  bool
	inOption bool
	title    strings.Builder
	words    weights
	meta     weights
}

func (s *scanner) scan() {
	for s.pos < len(s.src) {
		switch r, n := utf8.DecodeRuneInString(s.src[s.pos:]); {
		case isSpace(r):
			s.pos += n
		case r != '<':
			s.word()
		case strings.HasPrefix(s.src[s.pos:], "<!--"):
			s.comment()
		default:
			s.tag()
		}
	}
}

// isSpace reports whether r is white space at which lines may be broken.
func isSpace(r rune) bool { return unicode.IsSpace(r) && r != 0xA0 }

// word reads a word, possibly empty, and the character at its end unless that is a tag.
func (s *scanner) word() {
	var word strings.Builder
	for s.pos < len(s.src) && s.src[s.pos] != '<' {
		r, n, inWord := character(s.src[s.pos:])
		s.pos += n
		if s.inTitle {
			s.title.WriteRune(r)
		}
		if !inWord {
			break
		}
		word.WriteRune(r)
	}
	switch {
	case word.Len() == 0:
	case s.inTitle:
		s.words.add(word.String(), weightTitle)
	case s.inOption:
		s.words.add(word.String(), weightOption)
	default:
		s.words.add(word.String(), weightText)
	}
}

// maxReference is the maximum length of a character reference, in bytes.
const maxReference = 12

// character reads the first character of text, n bytes, or resolves a reference there, and reports whether it is part
// of a word. Every decimal reference is, and so is a semicolon.
func character(text string) (r rune, n int, inWord bool) {
	r, n = utf8.DecodeRuneInString(text)
	if r != '&' {
		return r, n, isWordPart(r) || r == ';'
	}
	end := strings.IndexByte(text[:min(len(text), maxReference)], ';')
	if end < 0 {
		return r, n, true
	}
	if digits, ok := strings.CutPrefix(text[1:end], "#"); ok {
		code, err := strconv.ParseUint(digits, 10, 16)
		if err != nil {
			return r, n, true
		}
		return rune(code), end + 1, true
	}
	meant, size := utf8.DecodeRuneInString(html.UnescapeString(text[:end+1]))
	switch {
	case size == end+1 || meant > unicode.MaxLatin1:
		return r, n, true // read unchanged
	case meant == 0xA0:
		return ' ', end + 1, false
	case unicode.IsLetter(meant) || meant == '<' || meant == '>' || meant == '"' || meant == '©':
		return meant, end + 1, isWordPart(meant)
	case meant == '&' && text[:end+1] == "&amp;":
		return meant, end + 1, true
	}
	return r, n, true
}

// isWordPart reports whether words may contain r. The range is Devanagari to Gurmukhi, with marks.
func isWordPart(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '&' || r == '#' || r >= 0x902 && r <= 0xA5A
}

// comment skips the beginning of a comment: up to a ">", or the character after two hyphens.
func (s *scanner) comment() {
	s.skipTo(" \r\n>")
	for hyphens := 0; s.pos < len(s.src); {
		c := s.src[s.pos]
		s.pos++
		if c == '>' || hyphens >= 2 {
			return
		}
		hyphens++
		if c != '-' {
			hyphens = 0
		}
	}
}

// tag reads a tag and its relevant attributes, and skips scripts and styles.
func (s *scanner) tag() {
	s.pos++
	name, ends := tagName(s.skipTo(" \r\n>"))
	bare := false // the last attribute has no value
	for s.pos < len(s.src) && s.src[s.pos] != '>' {
		var key, value string
		key, value, bare = s.attribute()
		s.attributeOf(name, key, value)
	}
	s.pos = min(s.pos+1, len(s.src))
	switch {
	case name == "option":
		s.inOption = !ends
	case bare: // ACHE forgets the name of the element
	case name == "title":
		s.inTitle = !ends
	case (name == "script" || name == "style") && !ends:
		s.skipScript()
	}
}

// tagName returns the name of a tag, and whether it ends an element. Like ACHE, it regards <br/> as an end.
func tagName(tag string) (name string, ends bool) {
	name = strings.ReplaceAll(tag, "/", "")
	return strings.ToLower(name), len(name) < len(tag)
}

// skipTo returns the text before one of the characters in stop, or before the end.
func (s *scanner) skipTo(stop string) string {
	start := s.pos
	if i := strings.IndexAny(s.src[start:], stop); i >= 0 {
		s.pos += i
	} else {
		s.pos = len(s.src)
	}
	return s.src[start:s.pos]
}

// skipScript skips a script or style.
func (s *scanner) skipScript() {
	for {
		i := strings.Index(s.src[s.pos:], "</")
		if i < 0 {
			s.pos = len(s.src)
			return
		}
		s.pos += i + len("</")
		for _, name := range []string{"script>", "style>"} {
			if rest := s.src[s.pos:]; len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name) {
				s.pos += len(name)
				return
			}
		}
	}
}

package object

import (
	"bytes"
	"math"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	EOF        Kind = iota
	Integer         // Num
	Real            // Num
	Text            // Bytes: a string, unescaped
	NameToken       // Bytes: a name without its solidus
	Keyword         // Bytes: an operator or any other word
	ArrayOpen       // [
	ArrayClose      // ]
	DictOpen        // <<
	DictClose       // >>
)

// Token is one lexical unit of a file, a content stream or a CMap. Bytes is a part of the source, or of the scanner's
// arena if it had escapes. In the former case it is valid as long as the source is.
type Token struct {
	Kind  Kind
	Num   float64
	Bytes []byte // valid until Release
}

// Scanner divides bytes into tokens (section 7.2). It needs memory only for strings with escapes, so scanning a
// content stream is little more than a pass over its bytes.
type Scanner struct {
	data  []byte
	pos   int
	arena []byte // unescaped strings and names
}

// NewScanner returns a Scanner over data, which it does not change.
func NewScanner(data []byte) *Scanner { return &Scanner{data: data} }

// Release lets the Scanner reuse the memory of the tokens that it has returned.
func (s *Scanner) Release() { s.arena = s.arena[:0] }

// class classifies bytes: 1 is white space, 2 a delimiter (tables 1 and 2 of section 7.2.3).
var class = func() (c [256]uint8) {
	for _, b := range "\x00\t\n\f\r " {
		c[b] = 1
	}
	for _, b := range "()<>[]{}/%" {
		c[b] = 2
	}
	return c
}()

// skip skips white space and comments.
func (s *Scanner) skip() {
	for s.pos < len(s.data) {
		switch b := s.data[s.pos]; {
		case class[b] == 1:
			s.pos++
		case b == '%':
			s.line()
		default:
			return
		}
	}
}

// line skips the rest of the line. A comment ends at any line end.
func (s *Scanner) line() {
	if n := bytes.IndexAny(s.data[s.pos:], "\r\n"); n >= 0 {
		s.pos += n
		return
	}
	s.pos = len(s.data)
}

// Next returns the next token, of kind EOF at the end and ever after.
func (s *Scanner) Next() Token {
	// The zero Token is EOF.
	s.skip()
	if s.pos >= len(s.data) {
		return Token{}
	}
	b := s.data[s.pos]
	// Regular characters make words; the first byte decides everything else.
	if class[b] == 0 {
		return s.word()
	}
	s.pos++
	switch b {
	case '/':
		return Token{Kind: NameToken, Bytes: s.name()}
	case '(':
		return Token{Kind: Text, Bytes: s.literal()}
	case '[':
		return Token{Kind: ArrayOpen}
	case ']':
		return Token{Kind: ArrayClose}
	case '<':
		// "<<" opens a dictionary, "<" a hexadecimal string.
		if s.pos < len(s.data) && s.data[s.pos] == '<' {
			s.pos++
			return Token{Kind: DictOpen}
		}
		return Token{Kind: Text, Bytes: s.hex()}
	case '>':
		if s.pos < len(s.data) && s.data[s.pos] == '>' {
			s.pos++
			return Token{Kind: DictClose}
		}
	}
	return Token{Kind: Keyword, Bytes: s.data[s.pos-1 : s.pos]} // a brace, or a delimiter out of place
}

// word returns a number or a keyword. A word ends at white space or a delimiter.
func (s *Scanner) word() Token {
	start := s.pos
	for s.pos < len(s.data) && class[s.data[s.pos]] == 0 {
		s.pos++
	}
	w := s.data[start:s.pos]
	// A word that begins like this is a number, or was meant as one.
	if c := w[0]; c <= '9' && (c >= '0' || c == '-' || c == '+' || c == '.') {
		// Some writers leave out the space before an operator: "12Tf".
		if n := digitsBefore(w); n > 0 {
			s.pos = start + n
			w = w[:n]
		}
		return number(w)
	}
	return Token{Kind: Keyword, Bytes: w}
}

// digitsBefore returns the length of the number before the letters of a word, or 0 if it is not made of these two.
func digitsBefore(w []byte) int {
	rest := bytes.TrimLeft(w, "+-.0123456789")
	n := len(w) - len(rest)
	letters := bytes.TrimRight(rest, "*")
	if len(letters) == 0 || w[n-1] < '0' || len(bytes.Trim(letters, letterBytes)) > 0 {
		return 0
	}
	return n
}

const letterBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// number reads a word that begins like a number. Writers make mistakes that all readers accept: two signs, a minus
// inside ("12-34" is 12), no digits at all ("-" and "." are 0).
func number(w []byte) Token {
	sign, i := 1.0, 0
	for ; i < len(w) && (w[i] == '-' || w[i] == '+'); i++ {
		if w[i] == '-' {
			sign = -1
		}
	}
	// Digits are summed as one integer and divided once by a power of ten, which is exact up to 53 bits.
	v, kind, scale := 0.0, Integer, 1.0
	for ; i < len(w); i++ {
		switch c := w[i]; {
		case c >= '0' && c <= '9':
			v = v*10 + float64(c-'0')
			if kind == Real {
				scale *= 10
			}
		case c == '.' && kind == Integer:
			kind = Real
		// The rest of the word is dropped.
		case c == '-':
			i = len(w)
		// This is another word, such as an operator that begins with a digit.
		default:
			return Token{Kind: Keyword, Bytes: w}
		}
	}
	v = sign * v / scale
	// A page has no such positions; zero keeps sums finite.
	if math.IsNaN(v) || math.Abs(v) > 1<<53 {
		v = 0
	}
	return Token{Kind: kind, Num: v}
}

// name returns the name that begins at pos, after its solidus. It may be empty: "/" alone is a name.
func (s *Scanner) name() []byte {
	start := s.pos
	for s.pos < len(s.data) && class[s.data[s.pos]] == 0 {
		s.pos++
	}
	raw := s.data[start:s.pos]
	// Names without escapes are a part of the source.
	if bytes.IndexByte(raw, '#') < 0 {
		return raw
	}
	from := len(s.arena)
	for i := 0; i < len(raw); i++ {
		// A "#" without two digits is literal, as in files of PDF 1.1.
		if raw[i] == '#' && i+2 < len(raw) && hexDigit[raw[i+1]] >= 0 && hexDigit[raw[i+2]] >= 0 {
			s.arena = append(s.arena, byte(hexDigit[raw[i+1]]<<4|hexDigit[raw[i+2]]))
			i += 2
			continue
		}
		s.arena = append(s.arena, raw[i])
	}
	// The third index bounds the capacity, so that appending cannot overwrite the next token.
	return s.arena[from:len(s.arena):len(s.arena)]
}

// hexDigit holds the values of hexadecimal digits, and -1 for other bytes.
var hexDigit = func() (d [256]int8) {
	for i := range d {
		d[i] = -1
	}
	for i := range 10 {
		d['0'+i] = int8(i)
	}
	for i := range 6 {
		d['a'+i], d['A'+i] = int8(10+i), int8(10+i)
	}
	return d
}()

// hex returns the hexadecimal string that begins at pos, after its bracket. It skips all characters but digits.
func (s *Scanner) hex() []byte {
	from := len(s.arena)
	high := int8(-1)
	for s.pos < len(s.data) {
		c := s.data[s.pos]
		s.pos++
		if c == '>' {
			break
		}
		switch d := hexDigit[c]; {
		// This is white space or damage.
		case d < 0:
		case high < 0:
			high = d
		default:
			s.arena = append(s.arena, byte(high)<<4|byte(d))
			high = -1
		}
	}
	// A missing last digit counts as 0 (section 7.3.4.3).
	if high >= 0 {
		s.arena = append(s.arena, byte(high)<<4)
	}
	return s.arena[from:len(s.arena):len(s.arena)]
}

// literal returns the string that begins at pos, after its parenthesis (section 7.3.4.2).
func (s *Scanner) literal() []byte {
	start, depth := s.pos, 1
	for ; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		// Balanced parentheses need no escape.
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				s.pos++
				return s.data[start : s.pos-1]
			}
		case '\\', '\r':
			from := len(s.arena)
			// The text so far is copied; the rest is unescaped after it.
			s.arena = append(s.arena, s.data[start:s.pos]...)
			s.escaped(depth)
			return s.arena[from:len(s.arena):len(s.arena)]
		}
	}
	// An unclosed string takes the rest.
	return s.data[start:]
}

// escaped continues a literal string from its first escape or carriage return, which needs a copy.
func (s *Scanner) escaped(depth int) {
	for s.pos < len(s.data) {
		c := s.data[s.pos]
		s.pos++
		switch c {
		case '\\':
			s.escape()
			continue
		// Any line end in a string counts as LF.
		case '\r':
			s.skipByte('\n')
			c = '\n'
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return
			}
		}
		s.arena = append(s.arena, c)
	}
}

func (s *Scanner) skipByte(b byte) {
	if s.pos < len(s.data) && s.data[s.pos] == b {
		s.pos++
	}
}

// escapes maps characters after a reverse solidus to the characters that they mean.
var escapes = [256]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', '(': '(', ')': ')', '\\': '\\'}

// escape reads the rest of an escape after its reverse solidus. Before any other character the reverse solidus is
// dropped.
func (s *Scanner) escape() {
	if s.pos >= len(s.data) {
		return
	}
	c := s.data[s.pos]
	s.pos++
	switch {
	case escapes[c] != 0:
		s.arena = append(s.arena, escapes[c])
	case c >= '0' && c <= '7':
		// There are up to three octal digits. Overflow of a byte is ignored, as the standard says.
		v := c - '0'
		for i := 0; i < 2 && s.pos < len(s.data) && s.data[s.pos] >= '0' && s.data[s.pos] <= '7'; i++ {
			v = v<<3 | (s.data[s.pos] - '0')
			s.pos++
		}
		s.arena = append(s.arena, v)
	case c == '\r':
		s.skipByte('\n')
	case c == '\n': // a continued line
	default:
		s.arena = append(s.arena, c)
	}
}

// SkipInlineImage skips the data of an inline image after ID, and its EI (section 8.9.7). The length of the data is
// not given. It ends at an EI that stands alone and is not followed by binary data.
func (s *Scanner) SkipInlineImage() {
	// This many bytes after EI are enough to tell text from compressed data.
	const look = 12
	for s.pos < len(s.data) {
		n := bytes.Index(s.data[s.pos:], []byte("EI"))
		if n < 0 {
			s.pos = len(s.data)
			return
		}
		at := s.pos + n
		s.pos = at + 2
		behind := s.data[s.pos:min(s.pos+look, len(s.data))]
		// EI needs white space on both sides. In random data that happens once in some hundred megabytes. The check of
		// the bytes after it makes this rarer still. Some writers leave out the white space before it.
		ends := len(behind) == 0 || class[behind[0]] == 1
		begins := at > 0 && class[s.data[at-1]] == 1 || followsImage(behind)
		// Strings may have any bytes.
		if text := bytes.IndexByte(behind, '('); text > 2 {
			behind = behind[:text]
		}
		if begins && ends && bytes.IndexFunc(behind, isBinary) < 0 {
			return
		}
	}
}

// followsImage reports whether a stream ends or goes on as one does after an image.
func followsImage(behind []byte) bool {
	words := bytes.Fields(behind)
	if len(words) == 0 {
		return true
	}
	switch string(words[0]) {
	case "Q", "q", "BT", "BI", "EMC":
		return true
	}
	return false
}

// isBinary reports whether a character does not occur in operators and operands.
func isBinary(r rune) bool { return r >= 0x7f || r < ' ' && r != '\n' && r != '\r' && r != '\t' }

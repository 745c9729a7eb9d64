package page

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"
)

// maxCharRef bounds the name of a character reference with its & and ;. "&CounterClockwiseContourIntegral;", the
// longest, has 33.
const maxCharRef = 34

// Unescape resolves the character references of a value that was escaped for HTML, as in an attribute. So the
// parameters of a URL stay: "&region=eu" has no "&reg".
func Unescape(s string) string {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s
	}
	var out []byte
	rest := 0 // start of the part that out lacks
	for i < len(s) {
		next := strings.IndexByte(s[i:], '&')
		if next < 0 {
			break
		}
		i += next
		r, second, n := charRef([]byte(s[i:min(len(s), i+maxCharRef+1)]), true)
		if n == 0 {
			i++
			continue
		}
		out = utf8.AppendRune(append(out, s[rest:i]...), r)
		if second != 0 {
			out = utf8.AppendRune(out, second)
		}
		i += n
		rest = i
	}
	if rest == 0 {
		return s
	}
	return string(append(out, s[rest:]...))
}

// charRef reads the character reference at the start of s, which begins with &. It returns one or two characters
// (second is 0 otherwise) and the reference's length, which is 0 if there is none. In attributes, a name without its
// semicolon does not count if a letter, a digit or = follows (section 13.2.5.73). The five most frequent names are
// handled here, others by the standard library's table.
func charRef(s []byte, attribute bool) (r, second rune, n int) {
	// The shortest is &gt.
	if len(s) < 3 {
		return 0, 0, 0
	}
	if s[1] == '#' {
		r, n = numericRef(s)
		return r, 0, n
	}
	end := 1
	for end < len(s) && end < maxCharRef && isAlnum(s[end]) {
		end++
	}
	// "& " is an ampersand.
	if end == 1 {
		return 0, 0, 0
	}
	// Without a semicolon only old names count, which UnescapeString knows.
	closed := end < len(s) && s[end] == ';'
	if closed {
		switch string(s[1:end]) {
		case "amp":
			return '&', 0, end + 1
		case "nbsp":
			return '\u00A0', 0, end + 1
		case "lt":
			return '<', 0, end + 1
		case "gt":
			return '>', 0, end + 1
		case "quot":
			return '"', 0, end + 1
		}
		end++
	}
	return namedRef(s, end, attribute)
}

// namedRef looks up s[:end], or its longest prefix that is a reference's name. The table of package html is not
// exported, so it unescapes the name. The rest of the result does not belong to the name: "&notit;" is "¬it;".
func namedRef(s []byte, end int, attribute bool) (r, second rune, n int) {
	name := string(s[:end])
	text := html.UnescapeString(name)
	if text == name {
		return 0, 0, 0
	}
	// text is the one or two characters, then the rest of the name.
	r, size := utf8.DecodeRuneInString(text)
	rest := text[size:]
	// A remainder that is not a suffix of the name begins with the second character of the reference.
	if !strings.HasSuffix(name, rest) { // some names stand for two characters
		second, size = utf8.DecodeRuneInString(rest)
		rest = rest[size:]
	}
	n = len(name) - len(rest)
	// For URLs such as "?a=1&copy=2", which are written without escaping.
	if attribute && s[n-1] != ';' && n < len(s) && (s[n] == '=' || isAlnum(s[n])) {
		return 0, 0, 0
	}
	return r, second, n
}

// replacements are the characters for numeric references to C1 controls (section 13.2.5.80): pages in Windows-1252
// used its codes.
var replacements = [32]rune{
	'\u20AC', '\u0081', '\u201A', '\u0192', '\u201E', '\u2026', '\u2020', '\u2021', '\u02C6', '\u2030', '\u0160', '\u2039',
	'\u0152', '\u008D', '\u017D', '\u008F', '\u0090', '\u2018', '\u2019', '\u201C', '\u201D', '\u2022', '\u2013', '\u2014',
	'\u02DC', '\u2122', '\u0161', '\u203A', '\u0153', '\u009D', '\u017E', '\u0178',
}

// numericRef reads a numeric reference. s begins with "&#".
func numericRef(s []byte) (rune, int) {
	i, base := 2, rune(10)
	if i < len(s) && s[i]|0x20 == 'x' {
		i, base = 3, 16
	}
	start, r := i, rune(0)
	for ; i < len(s); i++ {
		d, ok := digit(s[i], base)
		if !ok {
			break
		}
		// Bounded just above Unicode, so that digits without end do not overflow.
		r = min(r*base+d, utf8.MaxRune+1)
	}
	if i == start {
		return 0, 0
	}
	if i < len(s) && s[i] == ';' {
		i++
	}
	switch {
	case r >= 0x80 && r < 0xA0:
		r = replacements[r-0x80]
	// NUL, surrogates, and numbers beyond Unicode.
	case r == 0 || !utf8.ValidRune(r):
		r = utf8.RuneError
	}
	return r, i
}

func digit(c byte, base rune) (rune, bool) {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0'), true
	case base == 16 && c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10, true
	}
	return 0, false
}

func isAlnum(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isSpace(c byte) bool { return spaceBytes[c] }

var spaceBytes = [256]bool{' ': true, '\n': true, '\t': true, '\r': true, '\f': true}

// decode returns s with line ends normalized, NULs replaced and character references resolved, as m says. Nearly all
// text needs only the conversion to a string.
func decode(s []byte, m marks) string {
	if bytes.IndexByte(s, '&') < 0 && bytes.IndexByte(s, '\r') < 0 && bytes.IndexByte(s, 0) < 0 {
		return string(s)
	}
	// Few references are shorter than the UTF-8 they stand for, so the text hardly ever grows.
	return string(appendDecoded(make([]byte, 0, len(s)), s, m))
}

// appendDecoded appends s, decoded.
func appendDecoded(out, s []byte, m marks) []byte {
	for i := 0; i < len(s); {
		// Runs of other characters are copied at once.
		n := i
		for n < len(s) && s[n] != '&' && s[n] != '\r' && s[n] != 0 {
			n++
		}
		if out, i = append(out, s[i:n]...), n; i == len(s) {
			break
		}
		switch c := s[i]; {
		// The text of scripts and styles is literal.
		case c == '&' && m&literal == 0:
			r, second, n := charRef(s[i:], m&inAttribute != 0)
			if n == 0 {
				r, n = '&', 1
			}
			out = utf8.AppendRune(out, r)
			if second != 0 {
				out = utf8.AppendRune(out, second)
			}
			i += n
			continue
		case c == '\r':
			out = append(out, '\n')
			i += lineEnd(s[i:])
			continue
		// In attributes and raw text NUL becomes U+FFFD; in other text no case matches, which drops it.
		case c == 0 && m&(keepsNUL|inAttribute) != 0:
			out = utf8.AppendRune(out, utf8.RuneError)
		case c != 0:
			out = append(out, c)
		}
		i++
	}
	return out
}

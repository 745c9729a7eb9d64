package schemas

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A file's name is bytes, and a record is text. So records have names in their own form, from which the bytes can be
// restored. Bytes that are not text, and text that a terminal would obey, are written as \xHH with two hexadecimal
// digits in upper case. So is a backslash before text that would be read as such an escape. All other names, which is
// nearly all names, are as they are. Bash's printf %b, C and Python read the same escapes.
const (
	escape    = `\x`
	hexDigits = "0123456789ABCDEF"
)

// NameOf returns the name of a file, as records hold it, for a path as the system has it: "caf\xe9" is `caf\xE9`. The
// name is UTF-8 and has no control characters, line ends or marks that turn the direction of text. PathOf is its
// inverse.
func NameOf(path string) string { return escaped(path, true) }

// PathOf returns the path that the system knows a file by, for a name that NameOf gave.
func PathOf(name string) string {
	if !strings.Contains(name, escape) {
		return name
	}
	var b strings.Builder
	for len(name) > 0 {
		if c, ok := escapedByte(name); ok {
			b.WriteByte(c)
			name = name[len(`\xHH`):]
			continue
		}
		b.WriteByte(name[0])
		name = name[1:]
	}
	return b.String()
}

// Printable returns s so that it can be shown on one line of a terminal: what NameOf would escape is escaped, except
// for backslashes. It is for people, and gives nothing back.
func Printable(s string) string { return escaped(s, false) }

// escaped escapes bytes that are not text, text that a terminal would obey, and backslashes where this is necessary to
// restore s.
func escaped(s string, reversible bool) string {
	var b strings.Builder
	done := 0 // bytes of s that are in b
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		bad := r == utf8.RuneError && n == 1 || obeyed(r)
		if !bad && r == '\\' && reversible {
			_, bad = escapedByte(s[i:])
		}
		if bad {
			b.WriteString(s[done:i])
			for _, c := range []byte(s[i : i+n]) {
				b.WriteString(escape)
				b.WriteByte(hexDigits[c>>4])
				b.WriteByte(hexDigits[c&15])
			}
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return s
	}
	return b.String() + s[done:]
}

// obeyed reports whether a terminal or a reader of lines may do something at r instead of showing it: control
// characters (C0, DEL, C1), ends of lines and paragraphs, and what turns the direction of text (Unicode Standard Annex
// 9).
func obeyed(r rune) bool {
	switch {
	case r == '\u061c', r == '\u200e', r == '\u200f', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}

// escapedByte returns the byte that the escape at the beginning of s stands for. Of the printable characters of ASCII
// only the backslash is ever escaped: an escape never hides a slash or a dot.
func escapedByte(s string) (c byte, ok bool) {
	if len(s) < len(`\xHH`) || !strings.HasPrefix(s, escape) {
		return 0, false
	}
	high, low := strings.IndexByte(hexDigits, s[2]), strings.IndexByte(hexDigits, s[3])
	if high < 0 || low < 0 {
		return 0, false
	}
	c = byte(high<<4 | low)
	return c, c < ' ' && c != 0 || c > '~' || c == '\\'
}

package ooxml

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// escapeLen is the length of "_x000D_".
const escapeLen = 7

// unescape undoes the escapes in strings of workbooks and properties for characters that XML does not allow. An
// example is _x000D_ for a carriage return (ST_Xstring, part 1, section 22.9.2.19). A literal underscore that looks
// like the start of an escape is written _x005F_. Control characters become spaces, and a carriage return before a
// line feed is dropped.
func unescape(text []byte) []byte {
	at := bytes.Index(text, []byte("_x"))
	if at < 0 {
		return text
	}
	out := text[:at:at] // the first append copies
	for text = text[at:]; len(text) > 0; {
		c, ok := escaped(text)
		if !ok {
			out = append(out, text[0])
			text = text[1:]
			continue
		}
		text = text[escapeLen:]
		if low, ok := escaped(text); ok && utf16.DecodeRune(c, low) != utf8.RuneError {
			c, text = utf16.DecodeRune(c, low), text[escapeLen:]
		}
		switch {
		case c == '\r' && len(text) > 0 && text[0] == '\n':
		case c == '\r' || c == '\n':
			out = append(out, '\n')
		case c == 0 || c == utf8.RuneError || utf16.IsSurrogate(c):
		case c < ' ' || c == 0x7F:
			out = append(out, ' ')
		default:
			out = utf8.AppendRune(out, c)
		}
	}
	return out
}

// escaped returns the UTF-16 unit of the escape at the beginning of text.
func escaped(text []byte) (rune, bool) {
	if len(text) < escapeLen || text[0] != '_' || text[1] != 'x' || text[escapeLen-1] != '_' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:escapeLen-1]), 16, 16)
	return rune(n), err == nil
}

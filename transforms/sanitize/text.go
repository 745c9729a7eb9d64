package sanitize

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// source returns the text node i, its character references resolved.
func (w *writer) source(i int32) []byte {
	s := w.p.Raw(int(i))
	if bytes.IndexByte(s, '&') >= 0 || bytes.IndexByte(s, '\r') >= 0 {
		return []byte(w.p.Content(int(i)))
	}
	return s
}

// text writes text: escaped, without control characters, its white space collapsed unless a <pre> is open.
func (w *writer) text(s []byte) {
	pre := named(w.stack, "pre")
	for len(s) > 0 && !w.full {
		n := spaces(s)
		switch {
		case n == 0:
			n = w.visible(s)
		case pre:
			w.verbatim(s[:n])
		default:
			w.space(s[:n])
		}
		s = s[n:]
	}
}

func named(stack []open, name string) bool {
	return slices.ContainsFunc(stack, func(o open) bool { return o.name == name })
}

// visible writes the beginning of s, which is not white space, and returns how much of s that was.
func (w *writer) visible(s []byte) int {
	if n := plain(s); n > 0 {
		put(w, s[:n])
		return n
	}
	r, n := utf8.DecodeRune(s)
	if printable(r) {
		if e := escape(r); e != "" {
			put(w, e)
		} else {
			put(w, s[:n])
		}
	}
	return n
}

// put writes s, all of it or nothing.
func put[T string | []byte](w *writer, s T) {
	if w.flow(); w.flush(len(s)) {
		w.out = append(w.out, s...)
	}
}

// verbatim writes the white space s of a <pre>. It leaves out newlines at its beginning, of which parsers drop the
// first, and what stands between the parts of a table.
func (w *writer) verbatim(s []byte) {
	for i, c := range s {
		first := c == '\n' && named(w.stack[w.written:], "pre")
		if !first && !w.structural() && c != '\f' && c != '\r' {
			put(w, s[i:i+1])
		}
	}
}

// space writes the white space s as one character, where it shows: not between the parts of a table, behind other white
// space, or at the beginning of a block. Of elements within the line that have nothing in them yet it stands outside.
func (w *writer) space(s []byte) {
	if len(w.out) == 0 || isSpace(w.out[len(w.out)-1]) || w.structural() {
		return
	}
	if w.written < len(w.stack) {
		if k := w.stack[w.written].kind; k != phrasing && k != formatting {
			return
		}
	}
	if w.full = w.full || len(w.out)+w.ends+1 > w.o.MaxBytes; w.full {
		return
	}
	if bytes.IndexByte(s, '\n') >= 0 {
		w.out = append(w.out, '\n')
	} else {
		w.out = append(w.out, ' ')
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// spaces returns how much white space s begins with.
func spaces(s []byte) int {
	n := 0
	for n < len(s) && isSpace(s[n]) {
		n++
	}
	return n
}

// maxRun is the most that is written, or left out at the limit, at once.
const maxRun = 1 << 10

// plain returns how much of s stands for itself: ASCII, with single spaces between words.
func plain(s []byte) int {
	n := 0
	for n < min(len(s), maxRun) {
		switch {
		case stands[s[n]]:
			n++
		case s[n] == ' ' && n > 0 && n+1 < len(s) && stands[s[n+1]]:
			n += 2
		default:
			return n
		}
	}
	return n
}

// stands are the ASCII characters that show and mean nothing to a parser.
var stands = func() (table [256]bool) {
	for c := byte('!'); c < 0x7F; c++ {
		table[c] = escape(rune(c)) == ""
	}
	return table
}()

// printable tells whether r may stand in a document: no control character, nothing that is not a character, and no byte
// order mark, which is lost wherever it comes first.
func printable(r rune) bool {
	return r >= ' ' && r != 0x7F && (r < 0x80 || r > 0x9F) && r&0xFFFE != 0xFFFE && (r < 0xFDD0 || r > 0xFDEF) &&
		r != 0xFEFF || r == '\n' || r == '\t'
}

// escape returns how r is written in text and in quoted attribute values, or "" when as it is.
func escape(r rune) string {
	switch r {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '"':
		return "&#34;"
	case utf8.RuneError:
		return "\uFFFD"
	}
	return ""
}

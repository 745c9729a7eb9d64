package sanitize

import (
	"bytes"
	"unicode/utf8"
)

// source returns the text of node i, with its character references resolved.
func (w *writer) source(i int32) []byte {
	s := w.p.Raw(int(i))
	// Most texts have no reference and are not copied. A parser reads a carriage return as a newline, and Content does
	// so too.
	if bytes.IndexByte(s, '&') >= 0 || bytes.IndexByte(s, '\r') >= 0 {
		w.content = w.p.AppendContent(w.content[:0], int(i))
		return w.content
	}
	return s
}

// text writes text: escaped, without control characters, with white space collapsed outside <pre>. Runs of white space
// and of visible text alternate. The loop ends with the text or at the limit.
func (w *writer) text(s []byte) {
	// This checks the output's stack instead of the page: a <pre> too deep to be written does not keep white space.
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
	for i := range stack {
		if stack[i].name == name {
			return true
		}
	}
	return false
}

// visible writes the beginning of s, which is not white space, and returns its length in s.
func (w *writer) visible(s []byte) int {
	// Runs of ASCII are written at once. Other characters are written one by one, as each may need escaping or
	// omission.
	if n := plain(s); n > 0 {
		put(w, s[:n])
		return n
	}
	r, n := utf8.DecodeRune(s)
	// A character that is not printable is skipped.
	if printable(r) {
		if e := escape(r); e != "" {
			put(w, e)
		} else {
			// A byte that is not UTF-8 decodes as RuneError, and escape replaces that by the replacement character.
			put(w, s[:n])
		}
	}
	return n
}

// put writes s, all of it or nothing. It first makes a place for content, then writes the waiting start tags. Each
// reference or character is one s, so the output never has half of one.
func put[T string | []byte](w *writer, s T) {
	if w.flow(); w.flush(len(s)) {
		w.out = append(w.out, s...)
	}
}

// verbatim writes the white space s of a <pre>. It leaves out newlines at its beginning, since parsers drop the first,
// and white space between the parts of a table.
func (w *writer) verbatim(s []byte) {
	for i, c := range s {
		// The tag of the <pre> is not written yet, so this is the first content in it.
		first := c == '\n' && named(w.stack[w.written:], "pre")
		if !first && !w.structural() && c != '\f' && c != '\r' {
			put(w, s[i:i+1])
		}
	}
}

// space writes the white space s as one character if it is visible. It is not visible between the parts of a table,
// after other white space, or at the beginning of a block. Before the first content of an inline element it is written
// outside of the element.
func (w *writer) space(s []byte) {
	// White space at the very beginning and after other white space is not visible. The last byte of the output may
	// belong to another element, which is also how browsers collapse it.
	if len(w.out) == 0 || isSpace(w.out[len(w.out)-1]) || w.structural() {
		return
	}
	// Tags are waiting, so this is the beginning of an element. In a block white space is not visible there. In an
	// inline element it is, and is written now, before the tag.
	if w.written < len(w.stack) {
		if k := w.stack[w.written].kind; k != phrasing && k != formatting {
			return
		}
	}
	// The room is checked here instead of by flush, which would write the waiting tags.
	if w.full = w.full || len(w.out)+w.ends+1 > w.o.MaxBytes; w.full {
		return
	}
	// A line end stays one, so that lines of the output have a readable length.
	if bytes.IndexByte(s, '\n') >= 0 {
		w.out = append(w.out, '\n')
	} else {
		w.out = append(w.out, ' ')
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// spaces returns the length of the white space at the beginning of s.
func spaces(s []byte) int {
	n := 0
	for n < len(s) && isSpace(s[n]) {
		n++
	}
	return n
}

// maxRun is the maximum length written, or left out at the limit, at once. So the output stays below its limit by at
// most that much.
const maxRun = 1 << 10

// plain returns the length of the part of s that needs no escaping: ASCII, with single spaces between words. A space
// at the end of the run is left to method space, which knows whether it is visible.
func plain(s []byte) int {
	n := 0
	for {
		for n < len(s) && n < maxRun && stands[s[n]] {
			n++
		}
		// Single spaces between such characters are always visible, and are included for speed.
		if n == 0 || n >= maxRun || n+1 >= len(s) || s[n] != ' ' || !stands[s[n+1]] {
			return n
		}
		n += 2
	}
}

// stands are the visible ASCII characters without a meaning for a parser. The table is computed from escape, so that
// the two agree.
var stands = func() (table [256]bool) {
	for c := byte('!'); c < 0x7F; c++ {
		table[c] = escape(rune(c)) == ""
	}
	return table
}()

// printable reports whether r may be in a document. It refuses control characters, noncharacters, and byte order
// marks, which get lost at the beginning.
func printable(r rune) bool {
	// HTML parsers report these as errors, or drop them. In the output, a reader with other rules could misread them.
	return r >= ' ' && r != 0x7F && (r < 0x80 || r > 0x9F) && r&0xFFFE != 0xFFFE && (r < 0xFDD0 || r > 0xFDEF) &&
		r != 0xFEFF || r == '\n' || r == '\t'
}

// escape returns the escaped form of r, or "" if it needs none. It is the same in text and quoted attribute values:
// more than either needs, but safe in both.
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

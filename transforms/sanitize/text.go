package sanitize

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// source returns the text node i, its character references resolved.
func (w *writer) source(i int32) []byte {
	s := w.p.Raw(int(i))
	// Most texts have no reference, and are used where they are in the page, without a copy. A
	// carriage return is a newline to a parser, which Content knows.
	if bytes.IndexByte(s, '&') >= 0 || bytes.IndexByte(s, '\r') >= 0 {
		return []byte(w.p.Content(int(i)))
	}
	return s
}

// text writes text: escaped, without control characters, its white space collapsed unless a <pre> is open. The text
// is taken in runs, of white space and of what shows in turn. The loop ends with the text or with the limit,
// whichever comes first.
func (w *writer) text(s []byte) {
	// The output's stack is asked, not the page: a <pre> that was too deep to be written does not
	// keep white space.
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
	// Runs of ASCII go at once; the rest by the character, as each may have to be escaped or left
	// out.
	if n := plain(s); n > 0 {
		put(w, s[:n])
		return n
	}
	r, n := utf8.DecodeRune(s)
	// What is not printable is passed over without a trace: it has a length but is not written.
	if printable(r) {
		if e := escape(r); e != "" {
			put(w, e)
		} else {
			// A byte that is not UTF-8 decodes as RuneError, for which escape has the replacement
			// character.
			put(w, s[:n])
		}
	}
	return n
}

// put writes s, all of it or nothing. It first makes a place for content, then writes the start tags that have waited
// for it. Half a reference or half a character can not be in the output for that reason: each comes as one s.
func put[T string | []byte](w *writer, s T) {
	if w.flow(); w.flush(len(s)) {
		w.out = append(w.out, s...)
	}
}

// verbatim writes the white space s of a <pre>. It leaves out newlines at its beginning, of which parsers drop the
// first, and what is between the parts of a table.
func (w *writer) verbatim(s []byte) {
	for i, c := range s {
		// The <pre> is among the elements whose tags are not yet written: this is the first thing in
		// it.
		first := c == '\n' && named(w.stack[w.written:], "pre")
		if !first && !w.structural() && c != '\f' && c != '\r' {
			put(w, s[i:i+1])
		}
	}
}

// space writes the white space s as one character, where it shows: not between the parts of a table, after other white
// space, or at the beginning of a block. Of elements within the line that have nothing in them yet it stands outside.
func (w *writer) space(s []byte) {
	// White space at the very beginning, and after other white space, does not show. The last byte
	// of the output may be that of another element, which is as a browser collapses it.
	if len(w.out) == 0 || isSpace(w.out[len(w.out)-1]) || w.structural() {
		return
	}
	// Tags wait to be written, so this is at the beginning of an element. In a block it does not
	// show. In an element within the line it does, and is written now, before the tag.
	if w.written < len(w.stack) {
		if k := w.stack[w.written].kind; k != phrasing && k != formatting {
			return
		}
	}
	// The room is asked for here and not by flush, which would write the tags that wait.
	if w.full = w.full || len(w.out)+w.ends+1 > w.o.MaxBytes; w.full {
		return
	}
	// A line end stays one, so that the output has lines of a length that people can read.
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

// maxRun is the most that is written, or left out at the limit, at once. It bounds how far the output stays below its
// limit because a run did not fit.
const maxRun = 1 << 10

// plain returns how much of s stands for itself: ASCII, with single spaces between words. A space at the end of the
// run is left to space, which knows whether it shows.
func plain(s []byte) int {
	n := 0
	for {
		for n < len(s) && n < maxRun && stands[s[n]] {
			n++
		}
		// Single spaces between such characters always show, and are taken along for speed.
		if n == 0 || n >= maxRun || n+1 >= len(s) || s[n] != ' ' || !stands[s[n+1]] {
			return n
		}
		n += 2
	}
}

// stands are the ASCII characters that show and mean nothing to a parser: computed from escape, so that the two cannot
// come to differ.
var stands = func() (table [256]bool) {
	for c := byte('!'); c < 0x7F; c++ {
		table[c] = escape(rune(c)) == ""
	}
	return table
}()

// printable reports whether r may be in a document: no control character, nothing that is not a character, and no byte
// order mark, which is lost wherever it comes first.
func printable(r rune) bool {
	// These are what HTML's parser reports as errors in a page, or drops. Left in, they could be
	// taken for something else by a reader with other rules.
	return r >= ' ' && r != 0x7F && (r < 0x80 || r > 0x9F) && r&0xFFFE != 0xFFFE && (r < 0xFDD0 || r > 0xFDEF) &&
		r != 0xFEFF || r == '\n' || r == '\t'
}

// escape returns how r is written in text and in quoted attribute values, or "" when as it is. The same for both
// places, which is more than either needs, and cannot be mistaken for the other.
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

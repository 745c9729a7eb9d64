package charset

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// mixture says what a body's bytes above 0x7F are. Both are counts, and compared as shares.
type mixture struct {
	good int // sequences of several bytes that are valid UTF-8
	bad  int // bytes that are neither ASCII nor part of such a sequence
}

// Shares of bad bytes up to which a body passes as UTF-8. Pages get bad bytes where something in another encoding was
// pasted in. Text in other encodings has more bad bytes than good sequences: the first share is for bytes alone, the
// second where UTF-8 is declared or nothing is.
const (
	goodPerBad         = 1000
	goodPerBadDeclared = 10
)

// ascii, isUTF8 and mostlyUTF8 are the three answers that a mixture gives.
func (m mixture) ascii() bool      { return m.good == 0 && m.bad == 0 }
func (m mixture) isUTF8() bool     { return m.good > 0 && m.bad <= m.good/goodPerBad }
func (m mixture) mostlyUTF8() bool { return m.good > 0 && m.bad <= m.good/goodPerBadDeclared }

// measure counts. It stops early when the rest cannot make the body pass as UTF-8 any more, and its numbers are then
// too low. A rune cut by the end of the body counts as neither, unless there is no other: then it is not evidence.
func measure(body []byte) mixture {
	first := firstHigh(body)
	if first < 0 {
		return mixture{}
	}
	rest := body[first:]
	// Valid as a whole: how many sequences there are does not matter any more.
	if utf8.Valid(rest) {
		return mixture{good: 1}
	}
	var m mixture
	for len(rest) > 0 {
		skip := firstHigh(rest)
		if skip < 0 {
			break
		}
		rest = rest[skip:]
		_, size := utf8.DecodeRune(rest)
		// RuneError of size 1 is what is not valid; a U+FFFD in the text has three bytes.
		switch {
		case size > 1:
			m.good++
		// The end of body cuts a rune.
		case !utf8.FullRune(rest):
			return m.cut(len(rest))
		default:
			m.bad++
			// Even if all that is left were good sequences of two bytes, there would be too many bad
			// ones.
			if m.bad > (m.good+len(rest)/2)/goodPerBadDeclared+1 {
				return m
			}
		}
		rest = rest[size:]
	}
	return m
}

// cut accounts for the n bytes at the end that begin a rune.
func (m mixture) cut(n int) mixture {
	if m.good == 0 {
		m.bad += n
	}
	return m
}

// firstHigh returns the index of the first byte above 0x7F, or -1. Eight bytes are tested at once, for most pages are
// ASCII for long stretches. The loop behind it finds the byte within the eight, and looks at the last seven.
func firstHigh(b []byte) int {
	const high = 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		if binary.LittleEndian.Uint64(b[i:])&high != 0 {
			// The byte order of the machine does not matter for the test, and Uint64 is one load.
			break
		}
	}
	for ; i < len(b); i++ {
		if b[i] >= utf8.RuneSelf {
			return i
		}
	}
	return -1
}

// countHigh returns how many bytes of b are above 0x7F. The highest bit is the count, without a branch.
func countHigh(b []byte) int {
	n := 0
	for _, c := range b {
		n += int(c >> 7)
	}
	return n
}

// repair returns b with U+FFFD for each stretch of bytes that does not form a rune, one for as many bytes as could
// have begun one, as the UTF-8 decoder of the Encoding Standard does. Growing by an eighth is enough for most: a
// wrong byte becomes three.
func repair(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/8+utf8.UTFMax)
	for len(b) > 0 {
		n := firstInvalid(b)
		out = append(out, b[:n]...)
		b = b[n:]
		if len(b) > 0 {
			out = append(out, "\uFFFD"...)
			// At least one byte, so it ends.
			b = b[brokenLen(b):]
		}
	}
	return out
}

// firstInvalid returns the length of the valid UTF-8 at the start of b. DecodeRune tells U+FFFD in the text, which
// has three bytes, from an error.
func firstInvalid(b []byte) int {
	i := 0
	for i < len(b) {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return i
}

// brokenLen returns how many bytes at the start of b, which is not valid there, one U+FFFD stands for. The bytes are
// as many as could have begun one rune ("maximal subpart", Unicode chapter 3.9).
func brokenLen(b []byte) int {
	n := 1
	// As long as the bytes could still become a rune, and the next one goes on with it.
	for n < len(b) && n < utf8.UTFMax-1 && !utf8.FullRune(b[:n]) && !utf8.RuneStart(b[n]) {
		n++
	}
	// The last byte made it whole and wrong: it is not part of the beginning.
	if n > 1 && utf8.FullRune(b[:n]) {
		n--
	}
	return n
}

// wideMarkup recognises UTF-16 without a byte order mark by markup whose every other byte is NUL (appendix F.1 of the
// XML recommendation; browsers do so for the XML declaration only). Four characters have to be plain and the first a
// "<": binary files with zeroes are not taken for it.
func wideMarkup(body []byte) string {
	const enough = 8
	if len(body) < enough || !bytes.Contains(body[:enough], []byte{0}) {
		return ""
	}
	// Both orders are counted side by side; only one of them can be complete.
	low, high := 0, 0
	for i := 0; i < enough; i += 2 {
		if body[i] == 0 && isPlain(body[i+1]) {
			high++
		}
		if body[i+1] == 0 && isPlain(body[i]) {
			low++
		}
	}
	switch {
	case low == enough/2 && body[0] == '<':
		return nameUTF16LE
	case high == enough/2 && body[1] == '<':
		return nameUTF16BE
	}
	return ""
}

// isPlain says whether c is an ASCII character that texts have.
func isPlain(c byte) bool {
	return c >= ' ' && c < 0x7F || c == '\n' || c == '\r' || c == '\t'
}

// hasJapaneseEscape says whether body switches to JIS X 0208 and back to ASCII, as ISO-2022-JP does. ESC $ B and ESC
// $ @ switch to the two versions of JIS X 0208, ESC ( back.
func hasJapaneseEscape(body []byte) bool {
	into := bytes.Index(body, []byte("\x1B$"))
	if into < 0 || into+2 >= len(body) || body[into+2] != 'B' && body[into+2] != '@' {
		return false
	}
	return bytes.Contains(body[into:], []byte("\x1B("))
}

package charset

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// mixture says what a body's bytes above 0x7F are. All are counts, and compared as shares.
type mixture struct {
	good int // sequences of several bytes that are valid UTF-8
	bad  int // bytes that are neither ASCII nor part of such a sequence
	lone int // of the bad: what repair knows, and text in other encodings hardly has
}

// Shares of bad bytes up to which a body passes as UTF-8. Pages get bad bytes where something in another encoding was
// pasted in. Text in other encodings has more bad bytes than good sequences: the first share is for bytes alone, the
// second where nothing is declared, the third where UTF-8 is.
const (
	goodPerBad           = 1000
	goodPerBadUndeclared = 10
	goodPerBadDeclared   = 1
)

// ascii, isUTF8, mostlyUTF8 and canBeUTF8 are the answers that a mixture gives. EUC-JP is the encoding with the most
// good sequences: two in three bad bytes.
func (m mixture) ascii() bool      { return m.good == 0 && m.bad == 0 }
func (m mixture) isUTF8() bool     { return m.good > 0 && m.bad <= m.good/goodPerBad }
func (m mixture) mostlyUTF8() bool { return m.good > 0 && m.bad <= m.good/goodPerBadUndeclared }
func (m mixture) canBeUTF8() bool {
	return m.good+m.lone > 0 && m.bad-m.lone <= m.good/goodPerBadDeclared
}

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
		if size == 1 && surrogates(rest) != 0 {
			size = surrogatesLen
		}
		// RuneError of size 1 is what is not valid; a U+FFFD in the text has three bytes.
		switch {
		case size > 1:
			m.good++
		// The end of body cuts a rune.
		case !utf8.FullRune(rest):
			return m.cut(len(rest))
		default:
			var known bool
			size, known = wrong(body, len(body)-len(rest))
			m.bad += size
			if known {
				m.lone += size
			}
			// Even if all that is left were good sequences of two bytes, there would be too many bad
			// ones.
			if m.bad-m.lone > (m.good+len(rest)/2)/goodPerBadDeclared+1 {
				return m
			}
		}
		rest = rest[size:]
	}
	return m
}

// wrong returns how many bytes at i are not UTF-8, some at a time, and whether repair knows them: a rune that is cut,
// or signs of Windows. Letters of Windows are what all pages in its encodings have.
func wrong(b []byte, i int) (size int, known bool) {
	if n := brokenLen(b[i:]); n > 1 {
		return n, true
	}
	end := stretchEnd(b[:min(len(b), i+maxSigns+1)], i)
	return end - i, isWestern(b, i, end) && !hasLetter(b[i:end])
}

// cut accounts for the n bytes at the end that begin a rune.
func (m mixture) cut(n int) mixture {
	if m.good == 0 {
		m.bad += n
	}
	return m
}

// firstHigh returns the index of the first byte above 0x7F, or -1. Eight bytes are tested at once, for most pages are
// ASCII for long stretches. The loop after it finds the byte within the eight, and looks at the last seven.
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

// hasJapaneseEscape reports whether body switches to JIS X 0208 and back to ASCII, as ISO-2022-JP does. ESC $ B and ESC
// $ @ switch to the two versions of JIS X 0208, ESC ( back.
func hasJapaneseEscape(body []byte) bool {
	into := bytes.Index(body, []byte("\x1B$"))
	if into < 0 || into+2 >= len(body) || body[into+2] != 'B' && body[into+2] != '@' {
		return false
	}
	return bytes.Contains(body[into:], []byte("\x1B("))
}

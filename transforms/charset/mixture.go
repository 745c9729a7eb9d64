package charset

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// mixture describes a body's bytes above 0x7F. All fields are counts, compared as shares.
type mixture struct {
	good int  // multi-byte sequences of valid UTF-8
	bad  int  // bytes that are neither ASCII nor part of a valid sequence
	lone int  // bad bytes that repair understands, and that other encodings hardly ever have
	all  bool // the whole body is valid UTF-8
}

// Shares of bad bytes up to which a body counts as UTF-8. Pages have bad bytes if text in another encoding was pasted
// in. Text in other encodings has more bad bytes than good sequences. The first share is for bytes alone, the second
// without a declaration, the third if UTF-8 is declared.
const (
	goodPerBad           = 1000
	goodPerBadUndeclared = 4
	goodPerBadDeclared   = 1
)

// ascii, isUTF8, mostlyUTF8 and canBeUTF8 evaluate a mixture. Of other encodings EUC-JP has the most good sequences:
// two for three bad bytes.
func (m mixture) ascii() bool      { return m.good == 0 && m.bad == 0 }
func (m mixture) isUTF8() bool     { return m.good > 0 && m.bad <= m.good/goodPerBad }
func (m mixture) mostlyUTF8() bool { return m.good > 0 && m.bad <= m.good/goodPerBadUndeclared }
func (m mixture) canBeUTF8() bool {
	return m.good+m.lone > 0 && m.bad-m.lone <= m.good/goodPerBadDeclared
}

// measure counts the bytes. It stops early, with too low numbers, if the rest cannot make the body count as UTF-8. A
// rune cut by the end of the body does not count, unless there is no other: then there is no evidence for UTF-8.
func measure(body []byte) mixture {
	first := firstHigh(body)
	if first < 0 {
		return mixture{all: true}
	}
	rest := body[first:]
	// The rest is valid as a whole, so the number of sequences does not matter.
	if utf8.Valid(rest) {
		return mixture{good: 1, all: true}
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
		// RuneError of size 1 means invalid; a U+FFFD in the text has three bytes.
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
			// There would be too many bad bytes even if the rest were good sequences of two bytes.
			if m.bad-m.lone > (m.good+len(rest)/2)/goodPerBadDeclared+1 {
				return m
			}
		}
		rest = rest[size:]
	}
	return m
}

// wrong returns the number of bytes from i on that are not UTF-8, a few at a time, and whether repair can convert them.
// Repair converts truncated runes and signs of Windows. Letters of Windows are excluded, since all pages in its
// encodings have them.
func wrong(b []byte, i int) (size int, known bool) {
	if n := brokenLen(b[i:]); n > 1 {
		return n, true
	}
	end := stretchEnd(b[:min(len(b), i+maxSigns+1)], i)
	return end - i, isWestern(b, i, end) && !hasLetter(b[i:end])
}

// cut counts the n bytes of a partial rune at the end.
func (m mixture) cut(n int) mixture {
	if m.good == 0 {
		m.bad += n
	}
	return m
}

// firstHigh returns the index of the first byte above 0x7F, or -1. It tests eight bytes at once, since most pages have
// long runs of ASCII. The loop after it finds the byte within the eight, and tests the last seven.
func firstHigh(b []byte) int {
	const high = 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		if binary.LittleEndian.Uint64(b[i:])&high != 0 {
			// The machine's byte order does not matter for the test, and Uint64 is one load.
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

// countHigh returns the number of bytes in b above 0x7F. It adds the highest bits, without a branch.
func countHigh(b []byte) int {
	n := 0
	for _, c := range b {
		n += int(c >> 7)
	}
	return n
}

// hasJapaneseEscape reports whether body switches to JIS X 0208 and back to ASCII, as ISO-2022-JP does. ESC $ B and
// ESC $ @ switch to the two versions of JIS X 0208, ESC ( switches back.
func hasJapaneseEscape(body []byte) bool {
	into := bytes.Index(body, []byte("\x1B$"))
	if into < 0 || into+2 >= len(body) || body[into+2] != 'B' && body[into+2] != '@' {
		return false
	}
	return bytes.Contains(body[into:], []byte("\x1B("))
}

package charset

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

const (
	// surrogatesLen is the length in CESU-8 of a character above U+FFFF: two of three bytes (Unicode Technical Report
	// 26).
	surrogatesLen = 6
	// maxSigns is the maximum number of adjacent Windows signs, such as an ellipsis and a quote.
	maxSigns = 3
)

// repair returns b, which is mostly UTF-8, with its invalid bytes repaired one by one. CESU-8 is decoded, and so is
// windows-1252 if its neighbours suggest it: databases and word processors put both into pages. All other bytes become
// U+FFFD, one for each maximal beginning of a rune, as in the UTF-8 decoder of the Encoding Standard. Growth by an
// eighth is enough for most pages: a wrong byte becomes three.
func repair(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/8+utf8.UTFMax)
	for i := 0; i < len(b); {
		n := firstInvalid(b[i:])
		out = append(out, b[i:i+n]...)
		if i += n; i == len(b) {
			break
		}
		if r := surrogates(b[i:]); r != 0 {
			out = utf8.AppendRune(out, r)
			i += surrogatesLen
			continue
		}
		if n = brokenLen(b[i:]); n > 1 {
			out = utf8.AppendRune(out, utf8.RuneError)
			i += n
			continue
		}
		end := stretchEnd(b, i)
		western := isWestern(b, i, end)
		for ; i < end; i++ {
			r := utf8.RuneError
			if western {
				r = charmap.Windows1252.DecodeByte(b[i])
			}
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// surrogates returns the CESU-8 character at the beginning of b, or 0.
func surrogates(b []byte) rune {
	if len(b) < surrogatesLen || b[0] != 0xED || b[1]&0xF0 != 0xA0 || b[3] != 0xED || b[4]&0xF0 != 0xB0 ||
		b[2]&0xC0 != 0x80 || b[5]&0xC0 != 0x80 {
		return 0
	}
	return 0x10000 + rune(b[1]&0xF)<<16 + rune(b[2]&0x3F)<<10 + rune(b[4]&0xF)<<6 + rune(b[5]&0x3F)
}

// stretchEnd returns the end of the run of bytes from i on that do not belong to a rune.
func stretchEnd(b []byte, i int) int {
	for i < len(b) {
		if r, size := utf8.DecodeRune(b[i:]); r != utf8.RuneError || size > 1 || brokenLen(b[i:]) > 1 ||
			surrogates(b[i:]) != 0 {
			break
		}
		i++
	}
	return i
}

// isWestern reports whether b[start:end], a run of invalid bytes, is windows-1252: a few signs, or a letter or two in
// a word. A euro before another sign is the rest of a UTF-8 quote. A capital A with a circumflex or a tilde is the
// rest of most letters.
func isWestern(b []byte, start, end int) bool {
	n := end - start
	// The end of the body may cut a rune.
	if n > maxSigns || end == len(b) && !utf8.FullRune(b[start:]) {
		return false
	}
	for _, c := range b[start:end] {
		r := charmap.Windows1252.DecodeByte(c)
		if unicode.IsControl(r) || n > 1 && c == 0x80 || c == 0xC2 || c == 0xC3 {
			return false
		}
	}
	if !hasLetter(b[start:end]) {
		return true
	}
	before := start > 0 && isLetter(b[start-1])
	behind := end < len(b) && isLetter(b[end])
	return n == 1 && (before || behind) || n == 2 && before && behind
}

// hasLetter reports whether some byte is a letter in windows-1252.
func hasLetter(b []byte) bool {
	return slices.ContainsFunc(b, func(c byte) bool { return unicode.IsLetter(charmap.Windows1252.DecodeByte(c)) })
}

// firstInvalid returns the length of the valid UTF-8 at the start of b. The size from DecodeRune distinguishes U+FFFD
// in the text, which has three bytes, from an error.
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

// brokenLen returns the number of bytes at the start of b, which is invalid there, that become one U+FFFD. They are as
// many as could have begun one rune ("maximal subpart", Unicode chapter 3.9).
func brokenLen(b []byte) int {
	n := 1
	// This continues while the bytes could still become a rune, and the next one continues it.
	for n < len(b) && n < utf8.UTFMax-1 && !utf8.FullRune(b[:n]) && !utf8.RuneStart(b[n]) {
		n++
	}
	// The last byte completed an invalid rune, so it is not part of the beginning.
	if n > 1 && utf8.FullRune(b[:n]) {
		n--
	}
	return n
}

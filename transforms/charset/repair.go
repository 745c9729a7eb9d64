package charset

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

const (
	// surrogatesLen is how many bytes CESU-8 has for a character above U+FFFF: two of three bytes (Unicode Technical
	// Report 26).
	surrogatesLen = 6
	// maxSigns is how many signs of Windows stand together, such as an ellipsis and a quote.
	maxSigns = 3
)

// repair returns b, which is UTF-8 except for some bytes, with these mended one by one. What is CESU-8 or, by its
// neighbours, windows-1252 is read so: both get into pages from databases and word processors. Everything else becomes
// U+FFFD, one for as many bytes as could have begun a rune, as in the UTF-8 decoder of the Encoding Standard.
// Growing by an eighth is enough for most: a wrong byte becomes three.
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

// surrogates returns the character that b begins with in CESU-8, or 0.
func surrogates(b []byte) rune {
	if len(b) < surrogatesLen || b[0] != 0xED || b[1]&0xF0 != 0xA0 || b[3] != 0xED || b[4]&0xF0 != 0xB0 ||
		b[2]&0xC0 != 0x80 || b[5]&0xC0 != 0x80 {
		return 0
	}
	return 0x10000 + rune(b[1]&0xF)<<16 + rune(b[2]&0x3F)<<10 + rune(b[4]&0xF)<<6 + rune(b[5]&0x3F)
}

// stretchEnd returns the end of the bytes from i on that are each no part of a rune.
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

// isWestern reports whether b[start:end], a stretch of bytes that are not UTF-8, is windows-1252: a few signs, or a
// letter or two in a word. A euro before another sign is what is left of a quote in UTF-8, and a capital A with a
// circumflex or a tilde what is left of most letters.
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

// hasLetter reports whether bytes are letters in windows-1252.
func hasLetter(b []byte) bool {
	return slices.ContainsFunc(b, func(c byte) bool { return unicode.IsLetter(charmap.Windows1252.DecodeByte(c)) })
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
	// As long as the bytes could still become a rune, and the next one continues with it.
	for n < len(b) && n < utf8.UTFMax-1 && !utf8.FullRune(b[:n]) && !utf8.RuneStart(b[n]) {
		n++
	}
	// The last byte made it whole and wrong: it is not part of the beginning.
	if n > 1 && utf8.FullRune(b[:n]) {
		n--
	}
	return n
}

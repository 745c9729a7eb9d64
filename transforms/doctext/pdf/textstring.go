package pdf

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// textString returns the text of a text string (section 7.9.2.2): UTF-16 or UTF-8 with a byte order mark, otherwise
// PDFDocEncoding. UTF-8 came with PDF 2.0. The little-endian mark is not in the standard, but writers use it. Others
// write UTF-8 without a mark, or the encoding of their system.
func textString(s object.String) string {
	b := string(s)
	switch {
	case strings.HasPrefix(b, "\xfe\xff"):
		return fromUTF16(b[2:], 0, 1)
	case strings.HasPrefix(b, "\xff\xfe"):
		return fromUTF16(b[2:], 1, 0)
	case strings.HasPrefix(b, "\xef\xbb\xbf"):
		return strings.ToValidUTF8(b[3:], "\ufffd")
	case utf8.ValidString(b) && len(b) > utf8.RuneCountInString(b):
		return b
	}
	if text := ofSystem([]byte(b)); text != "" {
		return text
	}
	var text strings.Builder
	for i := range len(b) {
		if r := docEncoding(b[i]); r != 0 {
			text.WriteRune(r)
		}
	}
	return text.String()
}

// ofSystem returns the text of a string in the encoding of a system with another script than Latin, or "". More letters
// with accents than without are in no language with Latin letters.
func ofSystem(s []byte) string {
	const fewest = 4 // letters that a guess needs
	high, plain := 0, 0
	for _, c := range s {
		switch {
		case c >= 0x80:
			high++
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			plain++
		}
	}
	if high < fewest || high <= plain {
		return ""
	}
	text, _, err := charset.Decode(s, charset.Detect(s, "", charset.Options{}).Name)
	if err != nil {
		return "" // the name comes from the same package
	}
	others := 0
	for _, r := range string(text) {
		switch {
		case r == utf8.RuneError:
			return ""
		case unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r):
			others++
		}
	}
	// Scripts in two bytes have half as many letters.
	if others*2+plain < high {
		return ""
	}
	return string(text)
}

// fromUTF16 decodes units whose high and low bytes are at the given positions. It leaves out language codes. The
// escape (U+001B) comes before and after a language code (section 7.9.2.2).
func fromUTF16(b string, high, low int) string {
	units := make([]uint16, 0, len(b)/2)
	escaped := false
	for ; len(b) >= 2; b = b[2:] {
		u := uint16(b[high])<<8 | uint16(b[low])
		if u == 0x1b {
			escaped = !escaped
			continue
		}
		if !escaped {
			units = append(units, u)
		}
	}
	return string(utf16.Decode(units))
}

// docEncoding returns the character of a code in PDFDocEncoding (annex D.3), or 0. It differs from Latin-1 in accents
// at 0x18, typography from 0x80, and the euro at 0xA0.
func docEncoding(b byte) rune {
	switch {
	case b >= 0x18 && b < 0x20:
		return []rune("˘ˇˆ˙˝˛˚˜")[b-0x18]
	case b >= 0x80 && b <= 0x9e:
		return []rune("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž")[b-0x80]
	case b == 0xa0:
		return '€'
	case b < 0x20 && b != '\t' && b != '\n' && b != '\r', b == 0x7f, b == 0x9f, b == 0xad:
		return 0
	}
	return rune(b)
}

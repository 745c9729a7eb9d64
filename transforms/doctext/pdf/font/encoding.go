package font

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// winAnsi returns the text of a code in WinAnsiEncoding, or "" for unused codes. In the standard (annex D.2) unused
// codes are bullets, but that would be wrong more often than right.
func winAnsi(code byte) string {
	r := charmap.Windows1252.DecodeByte(code)
	// Windows1252 gives control characters (C1) for codes that the page does not have.
	if code < ' ' || r == 0x7f || r == 0xfffd || code > 0x80 && r < 0xa0 {
		return ""
	}
	return string(r)
}

// macRoman returns the text of a code in MacRomanEncoding.
func macRoman(code byte) string {
	if code < ' ' || code == 0x7f {
		return ""
	}
	return string(charmap.Macintosh.DecodeByte(code))
}

// standardName returns the glyph name of a code in StandardEncoding. That is the own encoding of Times-Roman, so the
// metrics of the standard fonts have it.
func standardName(code byte) string { return standard14()["Times-Roman"].names[code] }

// legacy is an encoding whose codes predefined CMaps use (table 116).
type legacy struct {
	encoding encoding.Encoding
	double   bool // all codes have two bytes, each without its high bit
}

// legacies are found by a part of the CMap's name, the first that matches. The order matters: shorter parts would
// match "GBK2K" and "UniGB-UTF16" too.
var legacies = []struct {
	part string
	legacy
}{
	{"UTF16", legacy{encoding: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}},
	{"UCS2", legacy{encoding: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}},
	{"UTF32", legacy{encoding: utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)}},
	{"UTF8", legacy{encoding: unicode.UTF8}},
	{"RKSJ", legacy{encoding: japanese.ShiftJIS}},
	{"GBK2K", legacy{encoding: simplifiedchinese.GB18030}},
	{"GB", legacy{encoding: simplifiedchinese.GBK}},
	{"B5", legacy{encoding: traditionalchinese.Big5}},
	{"KSC", legacy{encoding: korean.EUCKR}},
	{"EUC-", legacy{encoding: japanese.EUCJP}},
}

// legacyOf returns the encoding of the predefined CMap with that name. H and V are the JIS encodings: row and cell of
// JIS X 0208. The EUC form sets their high bits.
func legacyOf(cmap string) (legacy, bool) {
	switch cmap {
	case "H", "V":
		return legacy{japanese.EUCJP, true}, true
	// There is no decoder for CNS 11643 in EUC, so texts come from the collection.
	case "CNS-EUC-H", "CNS-EUC-V":
		return legacy{}, false
	}
	for _, l := range legacies {
		if strings.Contains(cmap, l.part) {
			return l.legacy, true
		}
	}
	return legacy{}, false
}

// next returns the text of the first code of s, and the code's length in bytes. Decoders have no interface for one
// character, so prefixes of growing length are tried, up to four bytes.
func (l legacy) next(s string) (string, int) {
	if l.double {
		n := min(2, len(s))
		b := []byte(s[:n])
		for i := range b {
			b[i] |= 0x80
		}
		text, _ := l.encoding.NewDecoder().Bytes(b)
		return string(text), n
	}
	// A code is the shortest prefix that the encoding decodes to a character.
	for n := 1; n <= min(4, len(s)); n++ {
		text, err := l.encoding.NewDecoder().String(s[:n])
		// An error means that the prefix is only the beginning of a character.
		if err == nil && text != "" && !strings.ContainsRune(text, utf8.RuneError) {
			return text, n
		}
	}
	// No prefix is a character. Two bytes are the most frequent length in such encodings.
	return "", min(2, len(s))
}

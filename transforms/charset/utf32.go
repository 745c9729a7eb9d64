package charset

import (
	"bytes"
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// The names of UTF-32, which the Encoding Standard does not have.
const (
	nameUTF32LE = "utf-32le"
	nameUTF32BE = "utf-32be"
)

// leastUTF32 is how many characters are enough to recognise UTF-32 without a mark.
const leastUTF32 = 8

// UTF32 returns "utf-32le" or "utf-32be" for text in UTF-32, with or without a byte order mark, and "" for all other
// bodies. Without a mark, the sample must be printable characters alone: in other bodies, four bytes seldom are.
func UTF32(body []byte) string {
	little, big := byteOrderMark(nameUTF32LE), byteOrderMark(nameUTF32BE)
	switch {
	case bytes.HasPrefix(body, little) && isUTF32(body[len(little):], binary.LittleEndian, 0):
		return nameUTF32LE
	case bytes.HasPrefix(body, big) && isUTF32(body[len(big):], binary.BigEndian, 0):
		return nameUTF32BE
	case isUTF32(body, binary.LittleEndian, leastUTF32):
		return nameUTF32LE
	case isUTF32(body, binary.BigEndian, leastUTF32):
		return nameUTF32BE
	}
	return ""
}

// isUTF32 reports whether the beginning of body is at least so many printable characters, and nothing else.
func isUTF32(body []byte, order binary.ByteOrder, least int) bool {
	sample := body[:min(len(body), wideSample)]
	n := 0
	for ; len(sample) >= utf8.UTFMax; sample = sample[utf8.UTFMax:] {
		r := rune(order.Uint32(sample))
		if r < 0 || !utf8.ValidRune(r) || !unicode.IsPrint(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) {
			return false
		}
		n++
	}
	return n >= least
}

// decodeUTF32 decodes body, which has no byte order mark.
func decodeUTF32(body []byte, name string) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	if name == nameUTF32BE {
		order = binary.BigEndian
	}
	text := make([]byte, 0, len(body)/2)
	for ; len(body) >= utf8.UTFMax; body = body[utf8.UTFMax:] {
		text = utf8.AppendRune(text, rune(order.Uint32(body)))
	}
	if len(body) > 0 { // cut
		text = utf8.AppendRune(text, utf8.RuneError)
	}
	return text
}

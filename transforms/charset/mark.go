package charset

import (
	"bytes"
)

// markOf returns the encoding whose byte order mark begins body, or "".
func markOf(body []byte) string {
	for _, name := range [...]string{nameUTF8, nameUTF16LE, nameUTF16BE} {
		if bytes.HasPrefix(body, byteOrderMark(name)) {
			return name
		}
	}
	return ""
}

// byteOrderMark returns the mark with which texts in the encoding may begin, or nil. The mark of GB18030 is U+FEFF in
// that encoding.
func byteOrderMark(name string) []byte {
	switch name {
	case nameUTF8:
		return []byte("\xEF\xBB\xBF")
	case nameUTF16LE:
		return []byte("\xFF\xFE")
	case nameUTF16BE:
		return []byte("\xFE\xFF")
	case nameUTF32LE:
		return []byte("\xFF\xFE\x00\x00")
	case nameUTF32BE:
		return []byte("\x00\x00\xFE\xFF")
	case "gb18030":
		return []byte("\x84\x31\x95\x33")
	}
	return nil
}

// canBe reports whether body, with mixture m, can be in the declared encoding. It refuses only the impossible; most
// encodings allow any bytes.
func canBe(name string, body []byte, m mixture) bool {
	switch name {
	case nameUTF8:
		// UTF-8 with wrong bytes is still UTF-8 if it is declared.
		return m.ascii() || m.canBeUTF8()
	case nameUTF32LE, nameUTF32BE:
		return false // UTF32 has looked
	case nameUTF16LE, nameUTF16BE:
		// All markup has characters below U+0100, which have a NUL in UTF-16.
		return bytes.IndexByte(body, 0) >= 0
	case nameISO2022JP:
		// It has seven bits; bytes of eight beside its escapes are damage.
		return m.ascii() || hasJapaneseEscape(body)
	}
	return true
}

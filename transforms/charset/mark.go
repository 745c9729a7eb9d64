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

// byteOrderMark returns the mark which texts in the encoding may begin with, nil if there is none. GB18030's is
// U+FEFF as that encoding writes it.
func byteOrderMark(name string) []byte {
	switch name {
	case nameUTF8:
		return []byte("\xEF\xBB\xBF")
	case nameUTF16LE:
		return []byte("\xFF\xFE")
	case nameUTF16BE:
		return []byte("\xFE\xFF")
	case "gb18030":
		return []byte("\x84\x31\x95\x33")
	}
	return nil
}

// canBe reports whether body, whose mixture is m, can be in the encoding that is declared. Only what is impossible is
// refused; most encodings can have any bytes.
func canBe(name string, body []byte, m mixture) bool {
	switch name {
	case nameUTF8:
		// UTF-8 with wrong bytes is still UTF-8 where that is declared.
		return m.ascii() || m.canBeUTF8()
	case nameUTF16LE, nameUTF16BE:
		// Every markup has characters below U+0100, and these have a NUL in UTF-16.
		return bytes.IndexByte(body, 0) >= 0
	}
	return true
}

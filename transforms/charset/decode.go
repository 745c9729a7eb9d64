package charset

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// Decode returns body as UTF-8 without a byte order mark. Invalid bytes become U+FFFD. In UTF-8 they become the
// intended character if that is clear. Text that is encoded twice is decoded twice. Hebrew in visual order is put into
// logical order: see IsVisual.
//
// In both cases of invalid bytes, replaced is true. It is also true for the rare body in another encoding that contains
// U+FFFD itself. The text is at most three times as long as body. The only error is ErrName.
//
// The text may share memory with body, so callers must not change body while they use text.
func Decode(body []byte, name string) (text []byte, replaced bool, err error) {
	canonical := canonicalName(name)
	if canonical == "" {
		return nil, false, fmt.Errorf("charset: %.40q: %w", name, ErrName)
	}
	body = bytes.TrimPrefix(body, byteOrderMark(canonical))
	switch canonical {
	// Valid text is returned unchanged, without a copy.
	case nameUTF8:
		if utf8.Valid(body) {
			return once(body), false, nil
		}
		return once(repair(body)), true, nil
	case nameUTF32LE, nameUTF32BE:
		text = decodeUTF32(body, canonical)
	// In these three, ASCII bytes may be parts of other characters, so body is always decoded.
	case nameUTF16LE, nameUTF16BE, nameISO2022JP:
		text, err = decodeAll(body, canonical)
	default:
		// All other encodings agree with ASCII.
		if firstHigh(body) < 0 {
			return body, false, nil
		}
		text, err = decodeAll(body, canonical)
		if IsVisual(body, canonical) {
			text = logical(text)
		}
	}
	// Decoders replace undecodable bytes, which shows in the result.
	return once(text), bytes.Contains(text, []byte("\uFFFD")), err
}

// decodeAll decodes body, which has no byte order mark.
func decodeAll(body []byte, name string) ([]byte, error) {
	if name == nameVisual || name == "iso-8859-8-i" {
		return decodeBytes(body, windowsHebrew), nil
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, fmt.Errorf("charset: %q: %w", name, ErrName)
	}
	if set, ok := e.(*charmap.Charmap); ok {
		return decodeBytes(body, set), nil
	}
	text := make([]byte, 0, len(body)+countHigh(body)/2+utf8.UTFMax) // two bytes become three; it grows if necessary
	text, _, err = transform.Append(e.NewDecoder(), text, body)
	if err != nil {
		return nil, fmt.Errorf("charset: decode %s: %w", name, err)
	}
	return text, nil
}

// decodeBytes decodes a single-byte encoding whose lower half is ASCII. It is several times as fast as the library's
// decoder, which checks each ASCII byte and grows its memory. It makes two passes: the first finds the size, so that
// the second never grows.
func decodeBytes(body []byte, set *charmap.Charmap) []byte {
	size := len(body)
	for _, c := range body {
		if c >= utf8.RuneSelf {
			size += utf8.RuneLen(set.DecodeByte(c)) - 1
		}
	}
	text := make([]byte, 0, size)
	for len(body) > 0 {
		// Runs of ASCII are copied at once.
		n := firstHigh(body)
		if n < 0 {
			return append(text, body...)
		}
		text = append(text, body[:n]...)
		for ; n < len(body) && body[n] >= utf8.RuneSelf; n++ {
			text = utf8.AppendRune(text, set.DecodeByte(body[n]))
		}
		body = body[n:]
	}
	return text
}

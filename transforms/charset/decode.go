package charset

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// Decode returns body as UTF-8 without a byte order mark. What is not valid in the encoding becomes U+FFFD, or, in
// UTF-8, what it was meant to be where that is plain; replaced is then true (as it is for the rare body in another
// encoding than UTF-8 that holds U+FFFD itself). The text
// is body's own memory when no byte needs to change; otherwise it is at most three times as long. The only error is
// ErrName. The caller must not change body as long as it uses text.
func Decode(body []byte, name string) (text []byte, replaced bool, err error) {
	canonical := canonicalName(name)
	if canonical == "" {
		return nil, false, fmt.Errorf("charset: %.40q: %w", name, ErrName)
	}
	body = bytes.TrimPrefix(body, byteOrderMark(canonical))
	switch canonical {
	// Valid text is returned as it is, without a copy.
	case nameUTF8:
		if utf8.Valid(body) {
			return body, false, nil
		}
		text = repair(body)
		return text, true, nil
	// In these three, ASCII bytes may be other characters, so body is always decoded.
	case nameUTF16LE, nameUTF16BE, nameISO2022JP:
		text, err = decodeAll(body, canonical)
	default:
		// All other encodings agree with ASCII.
		if firstHigh(body) < 0 {
			return body, false, nil
		}
		text, err = decodeAll(body, canonical)
	}
	// Decoders replace what they cannot decode; that is seen from the result.
	return text, bytes.Contains(text, []byte("\uFFFD")), err
}

// decodeAll decodes body, which has no byte order mark.
func decodeAll(body []byte, name string) ([]byte, error) {
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, fmt.Errorf("charset: %q: %w", name, ErrName)
	}
	if set, ok := e.(*charmap.Charmap); ok {
		return decodeBytes(body, set), nil
	}
	text := make([]byte, 0, len(body)+countHigh(body)/2+utf8.UTFMax) // two bytes become three; grows where it must
	text, _, err = transform.Append(e.NewDecoder(), text, body)
	if err != nil {
		return nil, fmt.Errorf("charset: decode %s: %w", name, err)
	}
	return text, nil
}

// decodeBytes decodes an encoding with one byte a character, of which the lower half is ASCII. It is several times as
// fast as the decoder of the library, which looks at each byte of ASCII and grows its memory while it goes. Two
// passes: the first finds the size, so that the second never grows.
func decodeBytes(body []byte, set *charmap.Charmap) []byte {
	size := len(body)
	for _, c := range body {
		if c >= utf8.RuneSelf {
			size += utf8.RuneLen(set.DecodeByte(c)) - 1
		}
	}
	text := make([]byte, 0, size)
	for len(body) > 0 {
		// Stretches of ASCII are copied at once.
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

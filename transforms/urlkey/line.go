package urlkey

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const hexUpper = "0123456789ABCDEF"

// Line returns a URL as a word for a line of text. White space, control characters, direction marks and invalid UTF-8
// are percent-encoded. URLs in an archive may have any of them. Unencoded, they could begin new lines, shift columns,
// or control a terminal.
func Line(url string) string {
	if !strings.ContainsFunc(url, breaksLine) {
		return url
	}
	b := make([]byte, 0, len(url)+16)
	for i := 0; i < len(url); {
		r, n := utf8.DecodeRuneInString(url[i:])
		if !breaksLine(r) || r == utf8.RuneError && n > 1 {
			b = append(b, url[i:i+n]...)
			i += n
			continue
		}
		for _, c := range []byte(url[i : i+n]) {
			b = append(b, '%', hexUpper[c>>4], hexUpper[c&15])
		}
		i += n
	}
	return string(b)
}

// Path returns a URL as the rest of a path: percent signs that begin no escape are escaped, since servers refuse the
// request otherwise. The key stays the same.
func Path(url string) string {
	if !strings.Contains(url, "%") {
		return url
	}
	b := make([]byte, 0, len(url)+8)
	for i := range len(url) {
		b = append(b, url[i])
		if url[i] == '%' && (i+2 >= len(url) || unhex[url[i+1]]|unhex[url[i+2]] > 0xf) {
			b = append(b, "25"...)
		}
	}
	return string(b)
}

// Text returns a URL as valid UTF-8. In URLs of old crawls in ISO 8859-1, Shift_JIS or GBK, non-ASCII bytes are
// percent-encoded unchanged, in the form in which they were sent. So different URLs stay different, and can be fetched
// again. A backslash after such a byte is encoded too. It may be the second byte of a letter, and browsers would turn
// it into a slash.
func Text(url string) string {
	if utf8.ValidString(url) {
		return url
	}
	b := make([]byte, 0, 3*len(url))
	beyond := false // the last byte was not ASCII
	for i := range len(url) {
		c := url[i]
		if c >= utf8.RuneSelf || c == '\\' && beyond {
			b = append(b, '%', hexUpper[c>>4], hexUpper[c&15])
		} else {
			b = append(b, c)
		}
		beyond = c >= utf8.RuneSelf
	}
	return string(b)
}

func breaksLine(r rune) bool {
	return r == utf8.RuneError || unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

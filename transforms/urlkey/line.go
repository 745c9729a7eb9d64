package urlkey

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const hexUpper = "0123456789ABCDEF"

// Line returns a URL as a word of a line of text: white space, control characters, marks of direction and bytes that
// are not UTF-8 are percent-encoded. A URL that an archive holds may have any of them; raw, they would begin lines of
// their own, shift columns, or be obeyed by a terminal.
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

// Text returns a URL as UTF-8. One that is none, as those of old crawls in ISO 8859-1, Shift_JIS or GBK, has its bytes
// beyond ASCII percent-encoded as they are, which is how they were sent: two URLs stay two, and can be fetched again.
// So is a backslash after such a byte: there it is the second byte of a letter, and browsers would make a slash of it.
func Text(url string) string {
	if utf8.ValidString(url) {
		return url
	}
	b := make([]byte, 0, 3*len(url))
	beyond := false // the byte before is beyond ASCII
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

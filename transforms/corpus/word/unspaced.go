package word

import (
	"unicode"
	"unicode/utf8"
)

// AppendCharacters is Append for languages written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese). In a
// word with characters outside ASCII each character is a word, with its marks.
func AppendCharacters(words []string, text string) []string {
	from := len(words)
	words = Append(words, text)
	chunks := append([]string(nil), words[from:]...)
	words = words[:from]
	for _, w := range chunks {
		if isASCII(w) {
			words = append(words, w)
			continue
		}
		for w != "" {
			size := characterLen(w)
			words, w = append(words, w[:size]), w[size:]
		}
	}
	return words
}

// characterLen returns the length of the first character of s and of the marks that follow it.
func characterLen(s string) int {
	_, end := decode(s)
	for end < len(s) && s[end] >= utf8.RuneSelf {
		r, size := decode(s[end:])
		if !unicode.IsMark(r) {
			break
		}
		end += size
	}
	return end
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

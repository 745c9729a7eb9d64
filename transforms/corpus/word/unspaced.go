package word

// AppendCharacters is Append for languages written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese). In a
// word with characters outside ASCII each character is a word, as in package quality.
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
			_, size := decode(w)
			words, w = append(words, w[:size]), w[size:]
		}
	}
	return words
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

package word

import "strings"

// Sentences counts the sentences of words. A sentence ends after a mark that ends sentences and the signs after it.
// Dots inside words do not count.
func Sentences(words []string) int {
	if len(words) == 0 {
		return 0
	}
	n, ended := 1, false
	for _, w := range words {
		switch ends, signs := isStop(w), isSigns(w); {
		case ended && !signs && !ends:
			n, ended = n+1, false
		case ends:
			ended = true
		}
	}
	return n
}

// isStop reports whether a word is one mark that ends sentences.
func isStop(w string) bool {
	r, size := decode(w)
	return size == len(w) && classOf(r)&stop != 0
}

func isSigns(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return classOf(r)&category == 0 })
}

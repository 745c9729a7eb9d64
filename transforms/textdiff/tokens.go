package textdiff

import (
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// tokens divides a paragraph into words, white space, and other signs one by one, as are letters of scripts that have
// no spaces between words. Together they are the paragraph.
func tokens(text string) (list []string) {
	start, class := 0, none
	for i, r := range text {
		c := classOf(r)
		if i > start && (c != class || c == single) {
			list = append(list, text[start:i])
			start = i
		}
		class = c
	}
	if start < len(text) {
		list = append(list, text[start:])
	}
	return list
}

const (
	none = iota
	word
	space
	single
)

func classOf(r rune) int {
	switch {
	case tokenize.IsPaired(r):
		return single
	case unicode.In(r, unicode.L, unicode.M, unicode.N):
		return word
	case unicode.IsSpace(r):
		return space
	}
	return single
}

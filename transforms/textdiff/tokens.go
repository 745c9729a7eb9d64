package textdiff

import (
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// tokens divides a paragraph into words, white space, and other signs one by one. Letters of scripts without spaces
// are single tokens too. Joined, they are the paragraph.
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
	// ASCII comes first, since most texts are ASCII.
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9':
		return word
	case r == ' ':
		return space
	case tokenize.IsPaired(r):
		return single
	case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
		return word
	case unicode.IsSpace(r):
		return space
	}
	return single
}

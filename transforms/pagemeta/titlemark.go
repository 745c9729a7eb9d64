package pagemeta

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// withoutOuterMarks removes separators with no name beside them: "Title - ", "Title |". A title may be about its last
// sign: "Operators & and |".
func withoutOuterMarks(title string) string {
	title = strings.Trim(strings.TrimLeft(title, "| "), " ")
	// Most titles end in a letter.
	if title == "" || title[len(title)-1]|0x20 >= 'a' && title[len(title)-1]|0x20 <= 'z' {
		return title
	}
	for {
		rest, mark := cutLastWord(title)
		if rest == "" || !isStray(mark) || joinsSign(rest) {
			return withoutBar(title)
		}
		title = rest
	}
}

// strayMarks are separators that templates leave at the end of a title if the site's name is missing, also several of
// one. A colon may be the title's own, and two bars an operator.
const strayMarks = "-–—―·•¦｜│"

func isStray(mark string) bool {
	return mark == "|" || mark == "::" || strings.Trim(mark, strayMarks) == ""
}

var (
	orWords = strings.Fields("or oder ou o of lub или eller")
	// joinsToo are words of andWords and orWords that also end a title whose last name is missing: "Sign in |".
	joinsToo = strings.Fields("in with mit avec con với en i a o of |")
)

// joinsSign reports whether a title ends in a word like "and", before another sign. Ambiguous words need a sign before
// them, too.
func joinsSign(title string) bool {
	rest, word := cutLastWord(title)
	if !slices.Contains(andWords, word) && !slices.Contains(orWords, word) {
		return false
	}
	_, before := cutLastWord(rest)
	return !slices.Contains(joinsToo, word) || before != "" && !strings.ContainsFunc(before, unicode.IsLetter)
}

// withoutBar removes a bar right after the last word: "Title|". Other bars beside words are signs: |x|.
func withoutBar(title string) string {
	for _, bar := range [...]string{"|", "｜", "¦"} {
		rest, ok := strings.CutSuffix(title, bar)
		if !ok {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(rest)
		ends := unicode.In(last, unicode.Letter, unicode.Mark, unicode.Digit) || strings.ContainsRune("?!.…)\"'”’", last)
		if ends && strings.Count(rest, bar) == strings.Count(rest, bar+" ") {
			return rest
		}
	}
	return title
}

// cutLastWord divides a text at its last space.
func cutLastWord(s string) (rest, word string) {
	i := strings.LastIndexByte(s, ' ')
	return s[:max(0, i)], s[i+1:]
}

package entity

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words around a person's name that are not part of it. Surnames (Bishop, Major, Judge) and words that stay with a
// name (King, Pope, Saint) are missing.
var (
	// roles are before or after a name. Without a space too, if a page has both in adjacent elements.
	roles = words(`analyst anchorman architect attorney author blogger ceo cfo chair chairman chairwoman chancellor cio
		cofounder co-founder columnist congressman congresswoman contributor coo coordinator correspondent cto designer
		developer director editor editor-in-chief engineer founder governor illustrator instructor journalist lecturer
		manager moderator owner photographer premier president professor publisher reporter researcher representative
		senator spokesman spokesperson spokeswoman strategist writer`)
	// titles are only before a name.
	titles = words("by capt dr gov hon lt mr mrs ms miss prof rep rev sen sgt sir")
	// ranks are only before a role: Senior Editor.
	ranks = words("assistant associate chief contributing deputy executive freelance managing senior staff vice")
)

// personName returns the range of a person's name in text, without titles and roles around it. A text that consists of
// these stays as it is.
func personName(text string) (start, end int) {
	start, end = 0, len(text)
	for {
		word, next := firstWord(text[start:end])
		if next == 0 || !isRole(word) {
			break
		}
		second, _ := firstWord(text[start+next : end])
		if ranks[strings.ToLower(word)] && !isRole(second) {
			break // Chief Joseph
		}
		start += next
	}
	start += gluedBefore(text[start:end])
	seen := false
	for ; ; seen = true {
		word, at := lastWord(text[start:end])
		w := strings.ToLower(word)
		// At least two words must remain: "The Editor" stays as it is.
		if !roles[w] && !(seen && ranks[w]) || !strings.Contains(text[start:start+at], " ") {
			break
		}
		end = start + at
	}
	return start, end - gluedAfter(text[start:end], seen)
}

// isRole reports whether a word before a name is a role, a title or a rank.
func isRole(word string) bool {
	w := strings.ToLower(strings.Trim(word, ".,:;"))
	return roles[w] || titles[w] || ranks[w]
}

const separators = " \u00A0,:;|-–—/·•()"

// firstWord returns the first word of text and the offset of the next, or 0.
func firstWord(text string) (word string, next int) {
	i := strings.IndexAny(text, " \u00A0,|/")
	if i < 0 {
		return text, 0
	}
	rest := strings.TrimLeft(text[i:], separators)
	if rest == "" {
		return text, 0
	}
	return text[:i], len(text) - len(rest)
}

// lastWord returns the last word of text and the end of the one before, or 0.
func lastWord(text string) (word string, at int) {
	i := strings.LastIndexAny(text, " \u00A0,|/")
	if i < 0 {
		return text, 0
	}
	_, n := utf8.DecodeRuneInString(text[i:])
	return strings.Trim(text[i+n:], separators), len(strings.TrimRight(text[:i], separators))
}

// gluedBefore returns the length of a role directly before the name in text: 6 of EditorJane Doe.
func gluedBefore(text string) int {
	// The role ends where a capital follows its last letter.
	for i := 1; i < len(text) && text[i] != ' '; i++ {
		next := text[i:]
		if isUpper(next) && len(next) > 1 && isLetter(next[1]) && next[1] >= 'a' && roles[strings.ToLower(text[:i])] {
			return i
		}
	}
	return 0
}

// gluedAfter returns the length of a role directly after the name in text: 6 of Jane DoeEditor. A name of one word
// stays, as products are written so. With ranked, a role was after it, and a rank counts too.
func gluedAfter(text string, ranked bool) int {
	space := strings.LastIndexByte(text, ' ')
	if space < 0 {
		return 0
	}
	for i := len(text) - 1; i > space+2; i-- {
		if !isUpper(text[i:]) || isUpper(text[i-1:]) {
			continue
		}
		if w := strings.ToLower(text[i:]); roles[w] || ranked && ranks[w] {
			return len(text) - i
		}
	}
	return 0
}

func isUpper(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r)
}

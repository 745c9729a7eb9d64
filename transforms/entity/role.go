package entity

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The words around a person's name that are not part of it. Words that are surnames as well (Bishop, Major, Judge) are
// left out, and so are those that stay with a name (King, Pope, Saint).
var (
	// roles are before or behind a name, and where a page puts both into elements side by side also without a space.
	roles = words(`analyst anchorman architect attorney author blogger ceo cfo chair chairman chairwoman chancellor cio
		cofounder co-founder columnist congressman congresswoman contributor coo coordinator correspondent cto designer
		developer director editor editor-in-chief engineer founder governor illustrator instructor journalist lecturer
		manager moderator owner photographer premier president professor publisher reporter researcher representative
		senator spokesman spokesperson spokeswoman strategist writer`)
	// titles stand only before a name.
	titles = words("by capt dr gov hon lt mr mrs ms miss prof rep rev sen sgt sir")
	// ranks stand only before a role: Senior Editor.
	ranks = words("assistant associate chief contributing deputy executive freelance managing senior staff vice")
)

// personName returns where in text, which is said to be a person's name, the name is: without the titles and roles
// around it. A text that is nothing but these stays as it is.
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
		// What is left has at least two words: "The Editor" is nobody's name, and stays as it is.
		if !roles[w] && !(seen && ranks[w]) || !strings.Contains(text[start:start+at], " ") {
			break
		}
		end = start + at
	}
	return start, end - gluedBehind(text[start:end], seen)
}

// isRole reports whether a word before a name is a role, a title or a rank.
func isRole(word string) bool {
	w := strings.ToLower(strings.Trim(word, ".,:;"))
	return roles[w] || titles[w] || ranks[w]
}

// separators are between a name and a role.
const separators = " \u00A0,:;|-–—/·•()"

// firstWord returns the first word of text and where the next one begins; 0 when there is none.
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

// lastWord returns the last word of text and where the one before it ends; 0 when there is none.
func lastWord(text string) (word string, at int) {
	i := strings.LastIndexAny(text, " \u00A0,|/")
	if i < 0 {
		return text, 0
	}
	_, n := utf8.DecodeRuneInString(text[i:])
	return strings.Trim(text[i+n:], separators), len(strings.TrimRight(text[:i], separators))
}

// gluedBefore returns how many bytes of a role stand directly before the name in text: 6 of EditorJane Doe.
func gluedBefore(text string) int {
	// The role ends where its last letter is followed by a capital, so the longest that fits is meant.
	for i := 1; i < len(text) && text[i] != ' '; i++ {
		next := text[i:]
		if isUpper(next) && len(next) > 1 && isLetter(next[1]) && next[1] >= 'a' && roles[strings.ToLower(text[:i])] {
			return i
		}
	}
	return 0
}

// gluedBehind returns how many bytes of a role stand directly behind the name in text: 6 of Jane DoeEditor. A name of
// one word is left alone, as products are written so. A rank is looked for where a role was after it.
func gluedBehind(text string, ranked bool) int {
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

// isUpper reports whether text begins with a capital letter.
func isUpper(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r)
}

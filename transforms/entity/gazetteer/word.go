package gazetteer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a word beside a match.
type word struct {
	text    string
	capital bool // it begins with a capital
	opens   bool // first of its sentence or line, so it has a capital anyway
	place   bool // it belongs to a match itself
}

// wordBefore returns the word before i, if a single space is between.
func wordBefore(text string, i int) word {
	end := i - 1
	// The dot of an abbreviated title.
	if end >= 1 && text[end] == ' ' && text[end-1] == '.' {
		end-- // Dr. Lyon
	}
	// Other signs separate them.
	if end < 1 || text[end] != ' ' && text[end] != '.' {
		return word{}
	}
	start := end
	// 40 bytes bound the search.
	for start > 0 && end-start < 40 {
		r, n := utf8.DecodeLastRuneInString(text[:start])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' {
			break
		}
		start -= n
	}
	w := newWord(text[start:end])
	w.opens = opens(text[:start])
	// i - 1 is a space; i + 1 begins the word.
	return w
}

// wordAfter returns the word after i, if a single space is between.
func wordAfter(text string, i int) word {
	if i+1 >= len(text) || text[i] != ' ' {
		return word{}
	}
	end := i + 1
	for end < len(text) && end-i < 40 {
		r, n := utf8.DecodeRuneInString(text[end:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		end += n
	}
	return newWord(text[i+1 : end])
}

func newWord(text string) word {
	r, _ := utf8.DecodeRuneInString(text)
	return word{text: text, capital: unicode.IsUpper(r)}
}

// joinedBefore reports whether the text before a name joins it to a longer one.
func joinedBefore(text string) bool {
	r, n := utf8.DecodeLastRuneInString(text)
	// U+FFFD at the start of the text is not in the list; n == len(text) means that the sign begins the text.
	if !strings.ContainsRune("-‐‑&/.@#_+=’'", r) || n == len(text) {
		return false
	}
	previous, _ := utf8.DecodeLastRuneInString(text[:len(text)-n])
	if r == '\'' || r == '’' { // d'Ottawa, l’Allemagne
		// An elided article has a small letter before its apostrophe; a capital means a name (O'Brien).
		return !unicode.IsLower(previous)
	}
	// @ and # join even at a word's start: handles and tags.
	return unicode.IsLetter(previous) || unicode.IsDigit(previous) || r == '@' || r == '#'
}

// joinedAfter reports whether the text after a name joins it to a longer one, unlike "London-based".
func joinedAfter(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	if strings.HasPrefix(text, " & ") { // Barnes & Noble
		next, _ := utf8.DecodeRuneInString(text[len(" & "):])
		return unicode.IsUpper(next)
	}
	if !strings.ContainsRune("-‐‑&/.@#_+=", r) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[n:])
	// "London-based", but "Stratford-Upon" in a name.
	if r == '-' && unicode.IsLower(next) {
		return false
	}
	return unicode.IsLetter(next) || unicode.IsDigit(next)
}

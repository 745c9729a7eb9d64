package query

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// window chooses the part of a text, of about so many letters, that has the most different matches, the first of equal
// ones. It begins and ends between words where one ends nearby.
func window(text string, matches []match, letters int) (from, to int) {
	if len(matches) == 0 {
		return 0, wordEnd(text, forward(text, 0, letters))
	}
	// -1, so that the first window counts even if it has no whole match.
	first, last, most := 0, 0, -1
	for i, end := 0, 0; i < len(matches); i++ {
		limit := forward(text, matches[i].From, letters)
		for end < len(matches) && matches[end].To <= limit {
			end++
		}
		set := uint64(0)
		for _, m := range matches[i:max(end, i)] {
			set |= m.bit
		}
		if n := bits.OnesCount64(set); n > most {
			first, last, most = i, max(end-1, i), n
		}
		if end == len(matches) {
			break // later windows have less
		}
	}
	found := utf8.RuneCountInString(text[matches[first].From:max(matches[last].To, matches[first].From)])
	// A third of what is left is before: readers need to know what precedes less than what follows.
	from = backward(text, matches[first].From, max(letters-found, 0)/3)
	to = forward(text, from, letters)
	if to == len(text) { // near its end there is more room before
		from = backward(text, to, letters)
	}
	return wordStart(text, from), wordEnd(text, to)
}

// forward is n letters after a place, or the end; backward is n letters before it, or the beginning.
func forward(text string, at, n int) int {
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}

func backward(text string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return at
}

// maxShift is how far, in bytes, an excerpt is made longer to begin and end between words.
const maxShift = 24

// wordStart is where the word begins that a place is in; the place itself when that is not nearby.
func wordStart(text string, at int) int {
	for i := at; i > 0 && at-i <= maxShift; {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if unicode.IsSpace(r) {
			return i
		}
		i -= size
	}
	if at <= maxShift {
		return 0
	}
	return at
}

// wordEnd is where the word ends that a place is in; the place itself when that is not nearby.
func wordEnd(text string, at int) int {
	for i, r := range text[at:] {
		// In bytes: a text without spaces is cut where it is.
		if i > maxShift {
			return at
		}
		if unicode.IsSpace(r) {
			return at + i
		}
	}
	if len(text)-at > maxShift {
		return at
	}
	return len(text)
}

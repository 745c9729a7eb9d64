package query

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// window chooses the part of a text, of about the given number of letters, with the most different matches; of equal
// ones the first. It begins and ends between words if a border is near.
func window(text string, matches []match, letters int) (from, to int) {
	if len(matches) == 0 {
		return 0, wordEnd(text, forward(text, 0, letters))
	}
	// With -1 the first window counts even if it has no whole match.
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
			break // later windows have fewer
		}
	}
	found := utf8.RuneCountInString(text[matches[first].From:max(matches[last].To, matches[first].From)])
	// A third of the rest comes before, since readers need the text before less than the text after.
	from = backward(text, matches[first].From, max(letters-found, 0)/3)
	to = forward(text, from, letters)
	if to == len(text) { // near the end there is more room before
		from = backward(text, to, letters)
	}
	return wordStart(text, from), wordEnd(text, to)
}

// forward returns the position n letters after another one, or the end; backward the position n letters before it, or
// the beginning.
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

// maxShift is the maximum number of bytes by which an excerpt grows to begin and end between words.
const maxShift = 24

// wordStart returns the start of the word at a position, or the position itself if the start is not near.
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

// wordEnd returns the end of the word at a position, or the position itself if the end is not near.
func wordEnd(text string, at int) int {
	for i, r := range text[at:] {
		// The limit is in bytes: a text without spaces is cut at the position.
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

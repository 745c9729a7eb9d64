package query

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// NewText makes a search for the terms of a text: anywhere, or side by side when it is a phrase. The error is that of a
// text without any term.
func NewText(text string, phrase bool) (*Text, error) {
	t := &Text{Query: text, Terms: terms(text, !phrase)}
	if len(t.Terms) == 0 {
		return nil, fmt.Errorf("%q has neither letters nor digits to search for", clip(text))
	}
	// Whether a phrase has one place or more depends on the terms: one word with a hyphen may be two.
	n := positions(text)
	t.Phrase = phrase && n > 1 // of one word nothing is beside
	if t.Phrase && n > maxPhrase {
		return nil, fmt.Errorf("a phrase has at most %d words, or letters of a script without spaces", maxPhrase)
	}
	return t, nil
}

// newSearch is NewText for what is in a filter.
func newSearch(raw string, quoted bool) (*Text, error) {
	if quoted {
		return NewText(unescaped(raw), true)
	}
	return NewText(raw, false)
}

// terms are the terms of a query, each once. A star after the last word, where stars are meant, makes that stand for
// all words that begin so.
func terms(text string, stars bool) (list []string) {
	var s tokenize.Scanner
	for _, t := range s.Query(text) {
		if single(t) {
			list = append(list, string(t)+"*")
		} else {
			list = append(list, string(t))
		}
	}
	// A term of a pair of letters is no beginning of a word, so a star after it means nothing.
	if n := len(list); n > 0 && stars && strings.HasSuffix(text, "*") && !tokenize.IsPaired(firstRune(list[n-1])) {
		list[n-1] += "*"
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(t string) bool {
		again := seen[t]
		seen[t] = true
		return again
	})
}

// single reports whether a term of a query is one letter of a script that is kept in pairs. It is wanted wherever the
// letter stands, and every pair or run's end there begins with it.
func single(term []byte) bool {
	r, n := utf8.DecodeRune(term)
	return n == len(term) && tokenize.IsPaired(r)
}

// positions counts the places of a text at which terms stand.
func positions(text string) (n int) {
	var s tokenize.Scanner
	for position := range s.Query(text) {
		n = position + 1
	}
	return n
}

// String writes the search so that the same comes of it: as a word, a phrase, or the value of text. One that is none of
// these, which Parse does not make, is written as the words that are wanted.
func (t *Text) String() string {
	for _, form := range []struct {
		ok     bool
		quoted bool
		text   string
	}{
		{isBare(t.Query, bareInWord), false, t.Query},
		{true, true, quote(t.Query)},
		{!strings.ContainsFunc(t.Query, endsValue), false, "text:" + t.Query},
	} {
		// The shortest form that reads back as the same search is taken: what a form gives is tried, since what needs
		// quotation marks depends on the tokenizer.
		if again, err := NewText(t.Query, form.quoted); form.ok && err == nil && again.equal(t) {
			return form.text
		}
	}
	var words []string
	for _, term := range t.Terms {
		words = append(words, quote(strings.TrimSuffix(term, "*")))
	}
	return "(" + strings.Join(words, " ") + ")"
}

// endsValue reports whether a value without quotation marks ends at r.
func endsValue(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(bareInValue, r) }

// equal reports whether the two ask for the same.
func (t *Text) equal(o *Text) bool { return t.Phrase == o.Phrase && slices.Equal(t.Terms, o.Terms) }

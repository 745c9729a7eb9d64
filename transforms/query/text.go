package query

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// NewText makes a search for the terms of a text: anywhere in any form, or exactly and in sequence for a phrase. It
// returns an error if the text has no term.
func NewText(text string, phrase bool) (*Text, error) {
	t := &Text{Query: text, Terms: terms(text, !phrase), Exact: phrase}
	if len(t.Terms) == 0 {
		return nil, fmt.Errorf("%q has neither letters nor digits to search for", clip(text))
	}
	// The number of positions in a phrase depends on the terms: one word with a hyphen may be two.
	n := positions(text)
	t.Phrase = phrase && n > 1 // a single word is not a phrase
	if t.Phrase && n > maxPhrase {
		return nil, fmt.Errorf("a phrase has at most %d words, or letters of a script without spaces", maxPhrase)
	}
	return t, nil
}

// newSearch is NewText for text in a filter.
func newSearch(raw string, quoted bool) (*Text, error) {
	if quoted {
		return NewText(unescaped(raw), true)
	}
	return NewText(raw, false)
}

// terms returns the terms of a query, each once. If stars is set, a star after the last word means any continuation.
func terms(text string, stars bool) (list []string) {
	var s tokenize.Scanner
	for _, t := range s.Query(text) {
		if tokenize.IsSingle(t) {
			list = append(list, string(t)+"*")
		} else {
			list = append(list, string(t))
		}
	}
	// A term of a pair of letters is not the beginning of a word, so a star after it has no meaning.
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

// positions counts the positions of terms in a text.
func positions(text string) (n int) {
	var s tokenize.Scanner
	for position := range s.Query(text) {
		n = position + 1
	}
	return n
}

// String writes the search so that Parse returns the same: as a word, a phrase, or the value of text. Other searches,
// which Parse does not make, are written as the wanted words.
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
		// It takes the shortest form that parses to the same search. Each form is tried, since the tokenizer decides
		// which texts need quotation marks.
		if again, err := NewText(t.Query, form.quoted); form.ok && err == nil && again.equal(t) {
			return form.text
		}
	}
	var words []string
	for _, term := range t.Terms {
		word := strings.TrimSuffix(term, "*")
		if t.Exact {
			word = quote(word)
		}
		words = append(words, word)
	}
	return "(" + strings.Join(words, " ") + ")"
}

// endsValue reports whether a value without quotation marks ends at r.
func endsValue(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(bareInValue, r) }

// equal reports whether the two search for the same.
func (t *Text) equal(o *Text) bool {
	return t.Phrase == o.Phrase && t.Exact == o.Exact && slices.Equal(t.Terms, o.Terms)
}

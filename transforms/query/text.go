package query

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/token"
)

// NewText makes a search for the terms of a text: anywhere, or side by side when it is a phrase. The error is that of a
// text without any term.
func NewText(text string, phrase bool) (*Text, error) {
	t := &Text{Query: text, Terms: terms(text, !phrase)}
	if len(t.Terms) == 0 {
		return nil, fmt.Errorf("%q has neither letters nor digits to search for", clip(text))
	}
	n := positions(text)
	t.Phrase = phrase && n > 1 // of one word nothing stands beside
	if t.Phrase && n > maxPhrase {
		return nil, fmt.Errorf("a phrase has at most %d words, or letters of a script without spaces", maxPhrase)
	}
	return t, nil
}

// newSearch is NewText for what stands in a filter.
func newSearch(raw string, quoted bool) (*Text, error) {
	if quoted {
		return NewText(unescaped(raw), true)
	}
	return NewText(raw, false)
}

// terms are the terms of a query, each once. A star behind the last word, where stars are meant, makes that stand for
// all words that begin so.
func terms(text string, stars bool) (list []string) {
	var s token.Scanner
	for _, t := range s.Query(text) {
		if single(t) {
			list = append(list, string(t)+"*")
		} else {
			list = append(list, string(t))
		}
	}
	if n := len(list); n > 0 && stars && strings.HasSuffix(text, "*") && !token.IsPaired(firstRune(list[n-1])) {
		list[n-1] += "*"
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(t string) bool {
		again := seen[t]
		seen[t] = true
		return again
	})
}

// single tells whether a term of a query is one letter of a script that is kept in pairs. It is wanted wherever the
// letter stands, and every pair or run's end there begins with it.
func single(term []byte) bool {
	r, n := utf8.DecodeRune(term)
	return n == len(term) && token.IsPaired(r)
}

// positions counts the places of a text at which terms stand.
func positions(text string) (n int) {
	var s token.Scanner
	for position := range s.Query(text) {
		n = position + 1
	}
	return n
}

// String writes the search so that the same comes of it.
func (t *Text) String() string {
	bare := isBare(strings.TrimSuffix(t.Query, "*"), bareInWord) && !t.Phrase
	if again, err := NewText(t.Query, false); bare && err == nil && sameTerms(again, t) {
		return t.Query
	}
	if again, err := NewText(t.Query, true); err == nil && sameTerms(again, t) {
		return quote(t.Query)
	}
	return "text:" + t.Query
}

func sameTerms(a, b *Text) bool {
	return a.Phrase == b.Phrase && strings.Join(a.Terms, " ") == strings.Join(b.Terms, " ")
}

// Package wordlist is the format of the word lists that transforms/langid embeds, for their generators. A line has a
// word, a tab, and its languages with weights in nats, separated by blanks:
//
//	ikke	da=2.1 nb=6.5
package wordlist

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// List has each word's languages and weights in the file's format.
type List map[string][]string

// Add adds a word's weight in a language. A line keeps the order of additions.
func (l List) Add(word, code string, weight float64) {
	l[word] = append(l[word], fmt.Sprintf("%s=%.1f", code, weight))
}

// Bytes returns the content of the file, sorted by the bytes of words.
func (l List) Bytes() []byte {
	var b bytes.Buffer
	for _, word := range slices.Sorted(maps.Keys(l)) {
		fmt.Fprintf(&b, "%s\t%s\n", word, strings.Join(l[word], " "))
	}
	return b.Bytes()
}

// IsBetweenWords reports whether a character is not part of a word, as in langid.
func IsBetweenWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

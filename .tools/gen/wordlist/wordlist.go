// Package wordlist is the form of the lists of words that transforms/langid embeds, for their generators. A line is a
// word, a tab, and the languages that have it with its weight there in nats, a blank between them:
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

// List has, for each word, its languages and weights as the file has them.
type List map[string][]string

// Add says that a word has a weight in a language. Languages are in a line in the order in which they are added.
func (l List) Add(word, code string, weight float64) {
	l[word] = append(l[word], fmt.Sprintf("%s=%.1f", code, weight))
}

// Bytes returns the list's file, in which words are in the order of their bytes.
func (l List) Bytes() []byte {
	var b bytes.Buffer
	for _, word := range slices.Sorted(maps.Keys(l)) {
		fmt.Fprintf(&b, "%s\t%s\n", word, strings.Join(l[word], " "))
	}
	return b.Bytes()
}

// IsBetweenWords reports whether a character is of no word, as langid has it.
func IsBetweenWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

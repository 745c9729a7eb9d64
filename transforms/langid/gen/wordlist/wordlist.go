// Package wordlist writes the lists of words that transforms/langid embeds, for their generators. A line is a word, a tab,
// and the languages that have it with its weight there in nats, a blank between them:
//
//	ikke	da=2.1 nb=6.5
package wordlist

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"
)

// List has, for each word, its languages and weights as the file has them.
type List map[string][]string

// Add says that a word has a weight in a language. Languages stand in a line in the order in which they are added.
func (l List) Add(word, code string, weight float64) {
	l[word] = append(l[word], fmt.Sprintf("%s=%.1f", code, weight))
}

// Write writes the list to a file, words in the order of their bytes.
func (l List) Write(name string) error {
	var b strings.Builder
	for _, word := range slices.Sorted(maps.Keys(l)) {
		fmt.Fprintf(&b, "%s\t%s\n", word, strings.Join(l[word], " "))
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}

// IsBetweenWords tells whether a character is of no word, as langid has it.
func IsBetweenWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

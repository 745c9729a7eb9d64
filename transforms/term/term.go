// Package term extracts the words of a page like the focused crawler ACHE for Elasticsearch. Each word comes once, in
// lower case, the highest weights first. The weight depends on the place. It is not a tokenizer for languages. It
// serves documents that must match queries written for ACHE's documents.
//
//	t := term.Of(src, "http://example.org/a")
//	fmt.Println(t.Title, t.Words, t.Meta)
//
// A word is a run of letters, digits, hyphens, ampersands and number signs; tags end words, too. Character references
// other than decimal numbers and Latin-1 stay unchanged and are parts of words. A comment ends at the first ">", so
// words of commented-out pages count. All this is as in ACHE. The differences are:
//
//   - Words of equal weight are in the order of the page instead of that of a hash table.
//   - References to accented letters (&eacute;) are resolved; in ACHE they end words.
//   - Words of more than 1,000 bytes, which are data, are left out, and so are words after the first 100,000.
package term

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Version changes whenever the same page may give other words.
const Version = "2"

// Terms are the words of a page.
type Terms struct {
	Title string   // of all <title>, without white space after characters outside words
	Words []string // of title, URL, text and images
	Meta  []string // of the content of <meta>, divided only at white space
}

// Weights of one occurrence of a word, by place.
const (
	weightTitle  = 7
	weightHost   = 3
	weightText   = 2
	weightOption = 1
	weightImage  = 1
	weightMeta   = 1
)

// Limits of a page: the bytes of a word, and the number of words. Later words are left out.
const (
	maxWord  = 1000
	maxWords = 100_000
)

// Of returns the terms of the page src, in UTF-8, at pageURL. Time and memory are linear in the size of both.
func Of(src []byte, pageURL string) Terms {
	s := scanner{src: strings.ReplaceAll(string(src), "\x00", " "), words: weights{}, meta: weights{}}
	for _, part := range hostParts(pageURL) {
		s.words.add(part, weightHost)
	}
	s.scan()
	return Terms{Title: strings.TrimSpace(s.title.String()), Words: s.words.sorted(), Meta: s.meta.sorted()}
}

// hostParts returns the parts of the URL's host that may show the page's topic.
func hostParts(pageURL string) []string {
	host := strings.Trim(urlkey.RawHost(pageURL), "[]")
	parts := strings.FieldsFunc(host, func(r rune) bool { return r == '.' || r == ':' })
	return slices.DeleteFunc(parts, func(p string) bool {
		return slices.Contains([]string{"www", "org", "gov", "com", "br", "onion"}, p)
	})
}

// weights maps words to their weights.
type weights map[string]weight

type weight struct{ sum, first int }

// add counts word with weight w, and also the word without its accents if it has any.
func (ws weights) add(word string, w int) {
	word = strings.ToLower(word)
	ws.count(word, w)
	if plain := accents.Replace(word); plain != word {
		ws.count(plain, w)
	}
}

func (ws weights) count(word string, w int) {
	have, ok := ws[word]
	if !ok {
		if len(word) > maxWord || len(ws) >= maxWords {
			return
		}
		have.first = len(ws)
	}
	have.sum += w
	ws[word] = have
}

// sorted returns the words, the highest weights first, and equal ones in the order of occurrence.
func (ws weights) sorted() []string {
	words := make([]string, 0, len(ws))
	for w := range ws {
		words = append(words, w)
	}
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(ws[b].sum, ws[a].sum), cmp.Compare(ws[a].first, ws[b].first))
	})
	return words
}

// accents removes the accents of Latin-1 letters.
var accents = strings.NewReplacer("à", "a", "á", "a", "â", "a", "ã", "a", "ä", "a", "å", "a", "ç", "c", "è", "e", "é",
	"e", "ê", "e",
	"ë", "e", "ì", "i", "í", "i", "î", "i", "ï", "i", "ñ", "n", "ò", "o", "ó", "o", "ô", "o", "õ", "o", "ö", "o", "ù", "u",
	"ú", "u",
	"û", "u", "ü", "u", "ý", "y", "ÿ", "y")

// Package term takes the words of a page as the focused crawler ACHE does for Elasticsearch: every word once, in lower
// case, those first that weigh most by where they stand. It is not a tokenizer for languages; it is there for documents
// that are to be found by the queries that were written for ACHE's.
//
//	t := term.Of(src, "http://example.org/a")
//	fmt.Println(t.Title, t.Words, t.Meta)
//
// A word is what is between characters that are not letters, digits, hyphens, ampersands or number signs; tags end
// words, too. Character references that are not decimal numbers and not of Latin-1 stay as they are written, and are
// parts of words. A comment ends at the first ">", so that the words of pages that were commented out count. All this
// is as in ACHE; what differs:
//
//   - words of the same weight stand in the order of the page, and not in that of a hash table;
//   - references to accented letters (&eacute;) are read, on which ACHE's words end;
//   - words of more than 1,000 bytes, which are data, are left out, and those behind the first 100,000.
package term

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

// Version changes whenever the same page may yield other words.
const Version = "1"

// Terms are the words of a page.
type Terms struct {
	Title string   // of all <title>, without the white space after characters that are not part of words
	Words []string // of title, URL, text and images
	Meta  []string // of the content of <meta>, divided at white space alone
}

// How much a word weighs each time, by where it stands.
const (
	weightTitle  = 7
	weightHost   = 3
	weightText   = 2
	weightOption = 1
	weightImage  = 1
	weightMeta   = 1
)

// Limits of a page: how many bytes a word may have, and how many words there are; those that come later are left out.
const (
	maxWord  = 1000
	maxWords = 100_000
)

// Of returns the terms of the page src, which is UTF-8, at pageURL. Time and memory are linear in the size of both.
func Of(src []byte, pageURL string) Terms {
	s := scanner{src: strings.ReplaceAll(string(src), "\x00", " "), words: weights{}, meta: weights{}}
	for _, part := range hostParts(pageURL) {
		s.words.add(part, weightHost)
	}
	s.scan()
	return Terms{Title: strings.TrimSpace(s.title.String()), Words: s.words.sorted(), Meta: s.meta.sorted()}
}

// hostParts returns what of the URL's host may tell what the page is about.
func hostParts(pageURL string) []string {
	u, err := url.Parse(pageURL)
	if err != nil {
		return nil
	}
	parts := strings.FieldsFunc(u.Hostname(), func(r rune) bool { return r == '.' || r == ':' })
	return slices.DeleteFunc(parts, func(p string) bool {
		return slices.Contains([]string{"www", "org", "gov", "com", "br", "onion"}, p)
	})
}

// weights are words and what they weigh.
type weights map[string]weight

type weight struct{ sum, first int }

// add counts word, which weighs w, and the word without its accents if it has any.
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

// sorted returns the words, those first that weigh most; equals in the order in which they came.
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

// accents takes the accents off letters of Latin-1.
var accents = strings.NewReplacer("à", "a", "á", "a", "â", "a", "ã", "a", "ä", "a", "å", "a", "ç", "c", "è", "e", "é",
	"e", "ê", "e",
	"ë", "e", "ì", "i", "í", "i", "î", "i", "ï", "i", "ñ", "n", "ò", "o", "ó", "o", "ô", "o", "õ", "o", "ö", "o", "ù", "u",
	"ú", "u",
	"û", "u", "ü", "u", "ý", "y", "ÿ", "y")

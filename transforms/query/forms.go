package query

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/stem"
)

// Form is a word of a search that other words of a language have the stem of.
type Form struct {
	Place int    // of the word in Text.Terms
	Stem  string // its stem
}

// Stems reports whether a search also finds other forms of its words, by the language of a document.
func (t *Text) Stems() bool { return !t.Phrase && !t.Exact }

// Forms returns the words of a search that have a stem. A word with a star and a letter of a script without spaces have
// none.
func (t *Text) Forms(s *stem.Stemmer) (list []Form) {
	if !t.Stems() {
		return nil
	}
	for i, term := range t.Terms {
		if strings.HasSuffix(term, "*") {
			continue
		}
		if root := s.Stem(term); root != "" {
			list = append(list, Form{i, root})
		}
	}
	return list
}

// forms finds the words of a text that are forms of a search's words, in one language.
type forms struct {
	stemmer *stem.Stemmer
	places  map[string][]int // indexes of terms, by stem
	begins  [256]bool        // first bytes of words that may be forms
	known   map[string][]int // results
}

// maxKnownForms bounds the memory of forms: the words of many texts.
const maxKnownForms = 1 << 15

func newForms(t *Text, language string) *forms {
	s := stem.New(language)
	if s == nil {
		return nil
	}
	list := t.Forms(s)
	if len(list) == 0 {
		return nil
	}
	f := &forms{stemmer: s, places: map[string][]int{}, known: map[string][]int{}}
	for _, form := range list {
		f.places[form.Stem] = append(f.places[form.Stem], form.Place)
		f.begins[t.Terms[form.Place][0]] = true
	}
	if stem.Prefixes(language) {
		for i := range f.begins {
			f.begins[i] = true
		}
	}
	return f
}

// of returns the indexes of the terms that a word is a form of.
func (f *forms) of(word []byte) []int {
	if !f.begins[word[0]] {
		return nil
	}
	list, known := f.known[string(word)]
	if !known {
		if root := f.stemmer.Stem(string(word)); root != "" {
			list = f.places[root]
		}
		if len(f.known) == maxKnownForms {
			clear(f.known)
		}
		f.known[string(word)] = list
	}
	return list
}

// byLanguage are the forms of a search in the languages of documents.
type byLanguage struct {
	text  *Text
	known map[string]*forms
}

func (b *byLanguage) of(language string) *forms {
	f, known := b.known[language]
	if !known {
		f = newForms(b.text, language)
		// Languages come from documents, which may have any text there.
		if f != nil || len(b.known) < 1000 {
			b.known[language] = f
		}
	}
	return f
}

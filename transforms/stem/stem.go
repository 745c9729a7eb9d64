// Package stem reduces words to their stems, so that a search for a word finds its other forms: climate and climates.
//
//	s := stem.New("en")
//	s.Stem("bridges") // bridge's stem: bridg
//
// The stemmers are those of Snowball (https://snowballstem.org). They get terms of package tokenize, which are in lower
// case and, in Latin script, without diacritics. A stem is only for comparison with others of the language: it may be
// no word.
package stem

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// Version is the version of this transform. It changes when a term may have another stem.
const Version = "1"

// stemmers are Snowball's, by the languages of documents.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"ar": arabic.Stem, "da": danish.Stem, "de": german.Stem, "en": english.Stem, "es": spanish.Stem, "fi": finnish.Stem,
	"fr": french.Stem, "hu": hungarian.Stem, "it": italian.Stem, "nb": norwegian.Stem, "nl": dutch.Stem,
	"nn": norwegian.Stem, "no": norwegian.Stem, "pt": portuguese.Stem, "ro": romanian.Stem, "ru": russian.Stem,
	"sv": swedish.Stem, "tr": turkish.Stem,
}

// Languages returns the languages with a stemmer, sorted.
func Languages() (list []string) {
	for language := range stemmers {
		list = append(list, language)
	}
	slices.Sort(list)
	return list
}

// Known reports whether a language has a stemmer.
func Known(language string) bool { return stemmers[language] != nil }

// Prefixes reports whether a language's stemmer removes beginnings of words. In other languages, a word and its stem
// begin with the same byte.
func Prefixes(language string) bool { return language == "ar" }

// Stemmer finds the stems of a language. It is not safe for concurrent use.
type Stemmer struct {
	language string
	stem     func(*snowballstem.Env) bool
	env      *snowballstem.Env
}

// New returns the stemmer of a language, or nil if there is none.
func New(language string) *Stemmer {
	if !Known(language) {
		return nil
	}
	return &Stemmer{language, stemmers[language], snowballstem.NewEnv("")}
}

// Words have stems if they have at least minRunes letters and at most maxBytes. Longer ones are codes.
const (
	minRunes = 3
	maxBytes = 40
)

// Stem returns the stem of a term, or "" if it has none, like a number.
func (s *Stemmer) Stem(term string) string {
	if len(term) > maxBytes || utf8.RuneCountInString(term) < minRunes {
		return ""
	}
	for _, r := range term {
		if !unicode.IsLetter(r) {
			return ""
		}
	}
	s.env.SetCurrent(restored(s.language, term))
	s.stem(s.env)
	return s.env.Current()
}

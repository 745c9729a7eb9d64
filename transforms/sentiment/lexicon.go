package sentiment

import (
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/packed"
	"github.com/gleaner-web/gleaner/transforms/stem"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

//go:generate go run ../../.tools/gen/sentiment -out lexicon.tsv
//go:generate go run ../../.tools/pack lexicon.tsv

//go:embed lexicon.tsv.zst
var file string

// lexicon is that of one language.
type lexicon struct {
	language  string
	weights   map[string]int8    // of terms of package tokenize, -5 to 5
	stems     map[string]int8    // of stems that all their words agree about; nil without a stemmer
	modifiers map[string]float64 // factors of the words after these
	after     bool               // negations may also follow
}

// lexicons are made when a text of the language comes.
var lexicons = sync.OnceValue(func() map[string]func() *lexicon {
	lines := map[string][]string{}
	for line := range strings.Lines(string(packed.Must(file))) {
		language, rest, _ := strings.Cut(line, "\t")
		lines[language] = append(lines[language], rest)
	}
	m := map[string]func() *lexicon{}
	for language, list := range lines {
		m[language] = sync.OnceValue(func() *lexicon { return newLexicon(language, list) })
	}
	return m
})

// Languages returns the languages with a lexicon, sorted.
func Languages() []string { return slices.Sorted(maps.Keys(lexicons())) }

func lexiconOf(language string) *lexicon {
	if language == "nn" || language == "no" {
		language = "nb"
	}
	if make := lexicons()[language]; make != nil {
		return make()
	}
	return nil
}

func newLexicon(language string, lines []string) *lexicon {
	l := &lexicon{language: language, weights: map[string]int8{}, modifiers: map[string]float64{}}
	for _, line := range lines {
		weight, words, _ := strings.Cut(line, "\t")
		w, _ := strconv.Atoi(weight) // the table is ours
		for word := range strings.FieldsSeq(words) {
			l.weights[word] = int8(w)
		}
	}
	m := modifiers[language]
	var scanner tokenize.Scanner
	for factor, words := range map[float64]string{negated: m.no, stronger: m.more, weaker: m.less} {
		for _, term := range scanner.Query(words) {
			l.modifiers[string(term)] = factor
			delete(l.weights, string(term))
		}
	}
	l.after = m.after
	if s := stem.New(language); s != nil {
		l.stems = stemsOf(s, l.weights)
	}
	return l
}

// stemsOf returns the weights of stems: those of their words nearest to 0, and 0 if these disagree.
func stemsOf(s *stem.Stemmer, weights map[string]int8) map[string]int8 {
	stems := map[string]int8{}
	for word, w := range weights {
		key := s.Stem(word)
		old, ok := stems[key]
		switch {
		case key == "":
		case !ok:
			stems[key] = w
		case old*w <= 0:
			stems[key] = 0
		case old > 0:
			stems[key] = min(old, w)
		default:
			stems[key] = max(old, w)
		}
	}
	return stems
}

package langid

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/pemistahl/lingua-go"
	"golang.org/x/text/unicode/norm"
)

// A guess is a language and how sure the model is of it, 0 to 1.
type guess struct {
	code       string
	confidence float64
}

// A model tells the languages of one script apart.
type model struct {
	languages []lingua.Language
	detector  lingua.LanguageDetector
}

// models holds the model of each script that several languages share. They are built once a process, when a text first
// needs them, and do not change; lingua keeps the tables behind them for the life of the process anyway.
var models = [scripts]func() *model{
	latin:      shared(lingua.AllLanguagesWithLatinScript),
	cyrillic:   shared(lingua.AllLanguagesWithCyrillicScript),
	arabic:     shared(lingua.AllLanguagesWithArabicScript),
	devanagari: shared(lingua.AllLanguagesWithDevanagariScript),
}

// shared returns a function that builds the model once.
func shared(languages func() []lingua.Language) func() *model {
	return sync.OnceValue(func() *model { return newModel(languages()) })
}

// newModel returns a model of languages, of which there must be two or more.
func newModel(languages []lingua.Language) *model {
	detector := lingua.NewLanguageDetectorBuilder().FromLanguages(languages...).WithLowAccuracyMode().Build()
	return &model{languages: languages, detector: detector}
}

// only returns a model of those of m's languages that codes names. Few languages cost less than all.
func (m *model) only(codes []string) *model {
	var languages []lingua.Language
	for _, l := range m.languages {
		if slices.Contains(codes, code(l)) {
			languages = append(languages, l)
		}
	}
	if len(languages) < 2 {
		return m
	}
	return newModel(languages)
}

// guess returns the languages that words may be in, the most likely first. lingua adds logarithms in the order of a Go
// map, so that its confidences differ from run to run in their last bits: they are rounded before they are compared,
// and the code decides between equals.
func (m *model) guess(words string) []guess {
	values := m.detector.ComputeLanguageConfidenceValues(norm.NFC.String(words))
	guesses := make([]guess, 0, len(values))
	for _, v := range values {
		if confidence := math.Round(v.Value()*1e6) / 1e6; confidence > 0 {
			guesses = append(guesses, guess{code(v.Language()), confidence})
		}
	}
	slices.SortFunc(guesses, func(a, b guess) int {
		return cmp.Or(cmp.Compare(b.confidence, a.confidence), strings.Compare(a.code, b.code))
	})
	return guesses
}

// code returns the ISO 639-1 code of l.
func code(l lingua.Language) string { return strings.ToLower(l.IsoCode639_1().String()) }

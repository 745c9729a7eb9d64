package langid

import (
	"math"
	"strings"
	"sync"

	"github.com/pemistahl/lingua-go"
)

// shortText is how many letters a text has less than for lingua to be asked: from here on it uses n-grams of three
// letters alone, and knows no more than our table.
const shortText = 120

// linguas hold lingua's detector of each script that several languages share. They are built when a short text first
// needs one, and load their models, a gigabyte if all languages are met, as they go.
var linguas = [scripts]func() lingua.LanguageDetector{
	latin:      newLingua(lingua.AllLanguagesWithLatinScript),
	cyrillic:   newLingua(lingua.AllLanguagesWithCyrillicScript),
	arabic:     newLingua(lingua.AllLanguagesWithArabicScript),
	devanagari: newLingua(lingua.AllLanguagesWithDevanagariScript),
}

func newLingua(languages func() []lingua.Language) func() lingua.LanguageDetector {
	return sync.OnceValue(func() lingua.LanguageDetector {
		return lingua.NewLanguageDetectorBuilder().FromLanguages(languages()...).Build()
	})
}

// askLingua returns lingua's confidences in the languages that text, composed letters without addresses, may be in, by
// code. It adds logarithms in the order of a Go map, so that they differ from run to run in their last bits: they are
// rounded.
func askLingua(text string, c script) map[string]float64 {
	confidences := map[string]float64{}
	for _, v := range linguas[c]().ComputeLanguageConfidenceValues(text) {
		code := strings.ToLower(v.Language().IsoCode639_1().String())
		confidences[code] = math.Round(v.Value()*1e6) / 1e6
	}
	return confidences
}

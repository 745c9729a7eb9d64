// Package lingua asks lingua-go, from which langid's table is generated, about short texts. Its models add 128 MB to a
// program, so langid imports this package only with the build tag lingua.
package lingua

import (
	"math"
	"strings"
	"sync"

	"github.com/pemistahl/lingua-go"
)

// detectors has a lingua detector for each shared script, by its ISO 15924 name. They are built for the first short
// text. They load their models as needed, a gigabyte if all languages occur.
var detectors = map[string]func() lingua.LanguageDetector{
	"Latn": detector(lingua.AllLanguagesWithLatinScript),
	"Cyrl": detector(lingua.AllLanguagesWithCyrillicScript),
	"Arab": detector(lingua.AllLanguagesWithArabicScript),
	"Deva": detector(lingua.AllLanguagesWithDevanagariScript),
}

func detector(languages func() []lingua.Language) func() lingua.LanguageDetector {
	return sync.OnceValue(func() lingua.LanguageDetector {
		return lingua.NewLanguageDetectorBuilder().FromLanguages(languages()...).Build()
	})
}

// Ask returns lingua's confidences in the languages of a script for text, by code. The text is in composed letters
// without addresses. Results are rounded, because lingua adds logarithms in the order of a Go map, so that their last
// bits vary.
func Ask(text, script string) map[string]float64 {
	confidences := map[string]float64{}
	for _, v := range detectors[script]().ComputeLanguageConfidenceValues(text) {
		code := strings.ToLower(v.Language().IsoCode639_1().String())
		confidences[code] = math.Round(v.Value()*1e6) / 1e6
	}
	return confidences
}

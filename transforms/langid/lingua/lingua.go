// Package lingua asks lingua-go, the library that langid's table was made of, about short texts. Its models are 128 MB
// of a program: langid imports it with the build tag lingua only.
package lingua

import (
	"math"
	"strings"
	"sync"

	"github.com/pemistahl/lingua-go"
)

// detectors are lingua's for each script that several languages share, by its name in ISO 15924. They are built when a
// short text first needs one, and load their models, a gigabyte if all languages are met, as they go.
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

// Ask returns lingua's confidences in the languages of a script that text, composed letters without addresses, may be
// in, by code. Lingua adds logarithms in the order of a Go map, so that they differ from run to run in their last bits:
// they are rounded.
func Ask(text, script string) map[string]float64 {
	confidences := map[string]float64{}
	for _, v := range detectors[script]().ComputeLanguageConfidenceValues(text) {
		code := strings.ToLower(v.Language().IsoCode639_1().String())
		confidences[code] = math.Round(v.Value()*1e6) / 1e6
	}
	return confidences
}

package main

import (
	"maps"
	"math"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/internal/serbian"
	"github.com/gleaner-web/gleaner/transforms/langid/ngram"
)

// Three letters become two in Latin, the first of which is also a letter itself.
var (
	firstOf = map[string]string{"љ": "л", "њ": "н", "џ": "д"}
	pairOf  = map[string]string{"л": "љ", "н": "њ", "д": "џ"}
)

// inLatin returns the model in Latin letters, since lingua's Serbian model is only Cyrillic. N-grams that become too
// long lose their first letters, unless a Cyrillic n-gram already gives the short form.
func (m *model) inLatin() model {
	exact, cut := map[string]float64{}, map[string]float64{}
	keep := func(to map[string]float64, letters string, log float64) {
		if known, ok := to[letters]; !ok || log > known {
			to[letters] = log
		}
	}
	for letters := range m.logs {
		for latin, log := range m.latinise(letters) {
			if n := utf8.RuneCountInString(latin); n <= ngram.MaxOrder {
				keep(exact, latin, log)
			}
			for n := utf8.RuneCountInString(latin); n > 3; n-- {
				_, first := utf8.DecodeRuneInString(latin)
				if latin = latin[first:]; n-1 <= ngram.MaxOrder {
					keep(cut, latin, log)
				}
			}
		}
	}
	maps.Copy(cut, exact)
	return model{logs: cut}
}

// latinise returns the log likelihoods of the last letters of Latin n-grams for a Cyrillic one. A letter that becomes
// two gives two n-grams: with the first letter and with both.
func (m *model) latinise(letters string) map[string]float64 {
	_, size := utf8.DecodeLastRuneInString(letters)
	context, last := letters[:len(letters)-size], letters[len(letters)-size:]
	likelihood := func(letter string) float64 {
		if log, ok := m.logs[context+letter]; ok && letter != "" {
			return math.Exp(log)
		}
		return 0
	}
	before := serbian.InLatin(context)
	first := firstOf[last]
	if first == "" {
		return map[string]float64{before + serbian.InLatin(last): math.Log(likelihood(last) + likelihood(pairOf[last]))}
	}
	either := likelihood(last) + likelihood(first)
	return map[string]float64{
		before + serbian.InLatin(first): math.Log(either),
		before + serbian.InLatin(last):  math.Log(likelihood(last) / either),
	}
}

package langid

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/langid/ngram"
	"golang.org/x/text/unicode/norm"
)

//go:embed relatives.tsv
var relativeData string

// relatives are the languages that are told apart by words of relatives.tsv: the kin of which a short text may be
// either, and those that headlines are taken for besides.
var relatives = [][]string{
	{"bs", "hr", serbianLatin}, {"cs", "sk"}, {"id", "ms"}, {"nb", "nn", "da", "sv"}, {"xh", "zu"}, {"af", "nl"},
}

const (
	// relativeLetters is how many letters a text has less than for its words to be asked which of its relatives it is in:
	// in a longer one the n-grams say enough, and words cost more than they tell.
	relativeLetters = 700
	// surely is the confidence from which on lingua is not asked.
	surely = 0.95
	// A word of a short text counts relativeWeight times what its frequency says, which n-grams say less clearly, and a
	// capitalised one half of that: names are the same in all languages. It counts for at most maxWordNats before that.
	// These and serbianNats, which the weights of Serbian in Latin letters are too high by, were chosen on the tuning
	// half of the tweets and headlines of NTREX-128, those in Serbian rewritten in Latin letters among them.
	relativeWeight = 4
	maxWordNats    = 2.0
	serbianNats    = 3.0
)

// relativeWords are the words that tell relatives apart, made by gen/relatives.
var relativeWords = sync.OnceValue(func() *wordList { return newWordList(relativeData) })

// lookCloser returns the language of a short passage, and the confidence in it: at high accuracy lingua is asked where
// the table, for which it is l by the chosen sample, is not sure; and words say which of its relatives it is, by all.
func (p *passage) lookCloser(all, chosen *sample, l int) (best int, confidence float64) {
	confidence = chosen.confidence(p.script, l)
	sure := func(other int) float64 { return chosen.confidence(p.script, other) }
	if p.accuracy == High && lingua != nil && all.letters < shortText && confidence < surely {
		// An array on the stack, by the languages' numbers: those of other scripts stay 0.
		var products [ngram.MaxLanguages]float64
		for _, other := range languagesOf()[p.script] {
			products[other] = sure(other)
		}
		l = p.askLingua(p.words(), &products, l)
		confidence = products[l]
		sure = func(other int) float64 { return products[other] }
	}
	// Most languages have no such relatives, and their texts are not taken apart.
	set := near(relatives, p.script, l)
	if len(set) == 1 {
		return p.breakTie(all, l), confidence
	}
	// A copy, since the table's scores are asked again later.
	judged, family := *all, 0.0
	judged.addRelativeWords(p.words(), set)
	for _, other := range set {
		family += sure(other)
	}
	best = p.breakTie(&judged, judged.best(p.script, set))
	return best, min(family, 1) * judged.confidenceAmong(set, best)
}

// words returns the passage's text in composed letters, without addresses, numbers and identifiers.
func (p *passage) words() string {
	var fields []string
	for i := range p.segments {
		fields = append(fields, strings.Fields(p.text[p.segments[i].start:p.segments[i].end])...)
	}
	return norm.NFC.String(strings.Join(slices.DeleteFunc(fields, isAddress), " "))
}

// askLingua makes sure the product of the table's confidences and lingua's, and returns the likeliest language by it.
// It is l, and sure as it was, where lingua has no answer, and where l is Serbian, which lingua does not know in Latin
// letters.
func (p *passage) askLingua(text string, sure *[ngram.MaxLanguages]float64, l int) int {
	if models().Languages[l].Code == serbianLatin {
		return l
	}
	said := lingua(text, sharedNames[p.script])
	products, best, sum := *sure, l, 0.0
	for _, other := range languagesOf()[p.script] {
		// lingua has one code for a language in all of its scripts.
		code, _, _ := strings.Cut(models().Languages[other].Code, "-")
		products[other] *= said[code]
		if sum += products[other]; products[other] > products[best] {
			best = other
		}
	}
	// They agree on nothing: the table alone is believed.
	if sum == 0 {
		return l
	}
	for _, other := range languagesOf()[p.script] {
		sure[other] = products[other] / sum
	}
	return best
}

// addRelativeWords adds to the scores of a set of relatives what the words of text say.
func (s *sample) addRelativeWords(text string, set []int) {
	listed, step := relativeWords(), models().Step
	var found []wordWeight
	for i, word := range strings.FieldsFunc(text, isBetweenWords) {
		times := int32(relativeWeight)
		// The first word of a text is capitalised in any case.
		if first, _ := utf8.DecodeRuneInString(word); i > 0 && unicode.IsUpper(first) {
			times /= 2
		}
		var weights [ngram.MaxLanguages]int32
		most := int32(0)
		found = listed.appendWeights(found[:0], strings.ToLower(word))
		for _, w := range found {
			if slices.Contains(set, w.language) {
				weights[w.language], most = w.weight, max(most, w.weight)
			}
		}
		// Words count against the languages that have them less, by as much as they are rarer there. A word that none
		// of the set has is 0 for all.
		for _, l := range set {
			s.scores[l] += times * max(weights[l]-most, -int32(maxWordNats/step))
		}
	}
	for _, l := range set {
		if models().Languages[l].Code == serbianLatin {
			s.scores[l] -= int32(serbianNats / step)
		}
	}
}

package langid

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/langid/ngram"
	"github.com/gleaner-web/gleaner/transforms/packed"
	"golang.org/x/text/unicode/norm"
)

//go:embed relatives.tsv.zst
var relativeFile string

// relativeData returns the lines of relatives.tsv.
func relativeData() string { return string(packed.Must(relativeFile)) }

// relatives are sets of languages that words of relatives.tsv tell apart. They are kin whose short texts are easily
// confused, and languages for which headlines are often taken.
var relatives = [][]string{
	{"bs", "hr", serbianLatin}, {"cs", "sk"}, {"id", "ms"}, {"nb", "nn", "da", "sv"}, {"xh", "zu"}, {"af", "nl"},
}

const (
	// relativeLetters bounds the texts whose words are used to tell relatives apart. For longer texts the n-grams
	// suffice, and words are not worth their time.
	relativeLetters = 700
	// surely is the confidence from which on lingua is not asked.
	surely = 0.95
	// A word of a short text counts relativeWeight times the value of its frequency, which n-grams show less clearly.
	// A capitalised word counts half of that: names are the same in all languages. Before multiplication it counts for
	// at most maxWordNats. The weights of Serbian in Latin letters are too high by serbianNats. All three were chosen
	// on the tuning half of the tweets and headlines of NTREX-128, with the Serbian ones rewritten in Latin letters
	// added.
	relativeWeight = 4
	maxWordNats    = 2.0
	serbianNats    = 3.0
)

// relativeWords are the words that tell relatives apart, made by gen/relatives.
var relativeWords = sync.OnceValue(func() *wordList { return newWordList(relativeData()) })

// lookCloser returns the language of a short passage and the confidence in it. By sample chosen, the table says that
// it is language l. At high accuracy lingua is asked if the table is not sure. Words, with sample all, then choose
// among its relatives.
func (p *passage) lookCloser(all, chosen *sample, l int) (best int, confidence float64) {
	confidence = chosen.confidence(p.script, l)
	sure := func(other int) float64 { return chosen.confidence(p.script, other) }
	if p.accuracy == High && lingua != nil && all.letters < shortText && confidence < surely {
		// This is an array on the stack, indexed by language; languages of other scripts stay 0.
		var products [ngram.MaxLanguages]float64
		for _, other := range languagesOf()[p.script] {
			products[other] = sure(other)
		}
		l = p.askLingua(p.words(), &products, l)
		confidence = products[l]
		sure = func(other int) float64 { return products[other] }
	}
	// Most languages have no such relatives, and their texts are not split into words.
	set := near(relatives, p.script, l)
	if len(set) == 1 {
		return p.breakTie(all, l), confidence
	}
	// This is a copy, since the table's scores are needed again later.
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

// askLingua multiplies sure, the table's confidences, by those of lingua, and returns the most likely language. It
// returns l and leaves sure unchanged if lingua has no answer. It does the same if l is Serbian, which lingua does not
// know in Latin letters.
func (p *passage) askLingua(text string, sure *[ngram.MaxLanguages]float64, l int) int {
	if models().Languages[l].Code == serbianLatin {
		return l
	}
	said := lingua(text, sharedNames[p.script])
	products, best, sum := *sure, l, 0.0
	for _, other := range languagesOf()[p.script] {
		// lingua has one code for a language in all its scripts.
		code, _, _ := strings.Cut(models().Languages[other].Code, "-")
		products[other] *= said[code]
		if sum += products[other]; products[other] > products[best] {
			best = other
		}
	}
	// The two agree on nothing, so the table alone counts.
	if sum == 0 {
		return l
	}
	for _, other := range languagesOf()[p.script] {
		sure[other] = products[other] / sum
	}
	return best
}

// addRelativeWords adds the weights of the words of text to the scores of a set of relatives.
func (s *sample) addRelativeWords(text string, set []int) {
	listed, step := relativeWords(), models().Step
	var found []wordWeight
	for i, word := range strings.FieldsFunc(text, isBetweenWords) {
		times := int32(relativeWeight)
		// The first word of a text is always capitalised.
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
		// A word counts against the languages in which it is rarer, by the difference. A word that none of the set has
		// counts 0 for all.
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

package langid

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/langid/ngram"
)

//go:embed words.tsv
var wordData string

// fewLetters is the maximum length of texts whose words are used; for longer ones the n-grams are enough.
const fewLetters = 300

// wordWeight is how much more likely a word is in a language than a word that is not frequent in it.
type wordWeight struct {
	language int   // its number in the table
	weight   int32 // in the table's steps
}

// frequentWords are the most frequent words in texts of each language, made by gen/words.
var frequentWords = sync.OnceValue(func() map[string][]wordWeight { return readWords(wordData) })

// readWords returns the words of an embedded list with their languages.
func readWords(data string) map[string][]wordWeight {
	words := make(map[string][]wordWeight, strings.Count(data, "\n"))
	for line := range strings.Lines(data) {
		word, rest, _ := strings.Cut(line, "\t")
		words[word] = appendWeights(nil, rest)
	}
	return words
}

// appendWeights appends the weights after a word in a list to dst.
func appendWeights(dst []wordWeight, line string) []wordWeight {
	for field := range strings.FieldsSeq(line) {
		code, nats, _ := strings.Cut(field, "=")
		number, known := languageNumbers()[code]
		weight, err := strconv.ParseFloat(nats, 64)
		if !known || err != nil {
			panic("langid: a list of words is not what its generator wrote: " + line)
		}
		dst = append(dst, wordWeight{number, int32(math.Round(weight / models().Step))})
	}
	return dst
}

// languageNumbers are the numbers of the languages in the table, by code.
var languageNumbers = sync.OnceValue(func() map[string]int {
	numbers := map[string]int{}
	for i, l := range models().Languages {
		numbers[l.Code] = i
	}
	return numbers
})

// addWords adds the weights of the frequent words of text to the scores. N-grams do not know where words begin and
// end, but near relatives differ in such words: ikke and ikkje, die and de.
func (s *sample) addWords(text string) heard {
	words, h := frequentWords(), heard{}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), isBetweenWords) {
		h.words++
		for _, w := range words[word] {
			s.scores[w.language] += w.weight
			h.frequent[w.language]++
		}
	}
	return h
}

const (
	// headlineLetters is the maximum length of a headline or a chat, in which most words may be names. Names show
	// little of their language. So the letters of words without a capital count smallTimes more, if there are at least
	// smallLetters: "world" is not a sentence. All three were chosen on the tuning half of NTREX-128's headlines and
	// tweets.
	headlineLetters = 120
	smallTimes      = 2
	smallLetters    = 6
)

// addSmallWords adds the scores of words without a capital at their beginning, if other words have one.
func (s *sample) addSmallWords(p *passage, windows []*window) {
	small, names := p.smallWords(windows)
	if !names {
		return
	}
	of := scorers.Get().(*scorer)
	defer scorers.Put(of)
	told := of.score(models(), strings.Join(small, " "), p.script, headlineLetters)
	if told.letters < smallLetters {
		return
	}
	for l, score := range told.scores {
		s.scores[l] += smallTimes * score
	}
}

// smallWords returns the words of the windows without a capital at their beginning, and whether others have one.
func (p *passage) smallWords(windows []*window) (small []string, names bool) {
	for _, w := range windows {
		for word := range strings.FieldsSeq(p.text[w.start:w.end]) {
			first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(word, isBetweenWords))
			if unicode.IsUpper(first) {
				names = true
				continue
			}
			small = append(small, word)
		}
	}
	return small, names
}

// heard counts the words of a text that were looked up.
type heard struct {
	words    int                     // how many
	frequent [ngram.MaxLanguages]int // number of these that are frequent in each language
}

// add adds the words of another part of the text.
func (h *heard) add(other heard) {
	h.words += other.words
	for l, n := range other.frequent {
		h.frequent[l] += n
	}
}

func isBetweenWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

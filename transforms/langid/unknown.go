package langid

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unknown is the code of a language that the models do not know: "undetermined" in BCP 47.
const Unknown = "und"

// levels are the average scores of letters, in nats, for texts in their most likely language. Other languages have
// usualLevel. They are the medians of the tuning half of NTREX-128.
var levels = map[string]float64{
	"af": 6.22, "ar": 5.99, "az": 6.48, "be": 6.27, "bg": 6.38, "bs": 6.22, "ca": 6.29, "cs": 6.20, "cy": 6.15,
	"da": 6.24, "de": 6.44, "en": 6.31, "es": 6.33, "et": 6.34, "eu": 6.45, "fa": 5.91, "fi": 6.51, "fr": 6.31,
	"ga": 6.28, "hi": 4.82, "hr": 6.25, "hu": 6.48, "id": 6.49, "is": 6.33, "it": 6.35, "kk": 6.48, "lt": 6.30,
	"lv": 6.32, "mi": 6.21, "mk": 6.36, "mn": 6.43, "mr": 4.75, "ms": 6.49, "nb": 6.16, "nl": 6.37, "nn": 6.15,
	"pl": 6.41, "pt": 6.33, "ro": 6.22, "ru": 6.38, "sk": 6.27, "sl": 6.26, "sn": 6.52, "so": 6.30, "sq": 6.25,
	"sr": 6.17, "sv": 6.24, "sw": 6.36, "tl": 6.41, "tn": 6.25, "tr": 6.42, "uk": 6.29, "ur": 5.77, "vi": 5.72,
	"xh": 6.46, "yo": 5.49, "zu": 6.47,
}

const (
	usualLevel = 6.3
	// A text is in no known language if its letters score below the level by more than a tolerance. The tolerance is
	// the sum of levelSlack, levelNoise divided by the square root of their number, and levelNames divided by their
	// number. A short text may be mostly names.
	levelSlack = 0.35
	levelNoise = 4.0
	levelNames = 18.0
)

// isForeign reports whether the sample is in none of the languages, although l is the most likely.
func (s *sample) isForeign(l int) bool {
	return s.ahead(l) < -(levelSlack + levelNoise/math.Sqrt(float64(s.letters)) + levelNames/float64(s.letters))
}

// ahead returns how much more the sample's letters score than those of a usual text in language l, in nats a letter.
func (s *sample) ahead(l int) float64 {
	table := models()
	level := cmp.Or(levels[table.Languages[l].Code], usualLevel)
	return float64(s.scores[l])*table.Step/float64(s.letters) - level
}

// rare are the languages of less than one page in a thousand on the web. A product name or a heading of two words is
// taken for them more often than it is in them.
var rare = strings.Fields("cy eo eu ga la lg mi sn so st sw tl tn ts xh yo zu")

// wordy are languages in Latin letters in which at least every tenth word of a sentence is a frequent one. That holds
// for at least 97 in 100 sentences of the tuning half of NTREX-128 with 40 letters and five words or more.
var wordy = strings.Fields("bs ca cy da de es fr ga is it mi nl nn pt ro so sq sv sw tl tn")

const (
	// On the tuning half's tweets, rareSure loses 2 in 1,400. Most words of a name have a capital. For a text without
	// capitals the bound is phraseSure. For one of less than minLetters it is leastSure.
	rareLetters = 30
	rareSure    = 0.8
	phraseSure  = 0.5
	leastSure   = 0.6
	// These apply to a text of at least sentenceLetters. If its letters score below those of its best language by
	// strangeAhead, it is in an unknown language. It may also be in unusual letters, like chats in Arabic. In a wordy
	// language oddAhead is enough if less than every tenth word is a frequent one. That rejects 4 of 3,570 headlines
	// and tweets of the tuning half. Checking frequent words alone, without the letters, rejected 10 and found less.
	sentenceLetters = 40
	sentenceWords   = 5
	strangeAhead    = -1.0
	oddAhead        = -0.8
)

// isRareName reports whether language l is a rare one, and there is too little evidence for it and its relatives.
// Windows hold only a few letters.
func (p *passage) isRareName(s *sample, l int, windows []*window) bool {
	if s.letters >= rareLetters || !slices.Contains(rare, models().Languages[l].Code) {
		return false
	}
	sure := p.sureOfFamily(s, l)
	return sure < phraseSure || sure < rareSure && p.isNames(windows)
}

// isNames reports whether most letters of the windows are in capitalised words, as in names and titles.
func (p *passage) isNames(windows []*window) bool {
	names, all := 0, 0
	for _, w := range windows {
		for word := range strings.FieldsSeq(p.text[w.start:w.end]) {
			n := utf8.RuneCountInString(word)
			first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(word, isBetweenWords))
			if all += n; unicode.IsUpper(first) {
				names += n
			}
		}
	}
	return 2*names > all
}

// isUnlikely reports whether a short text is more likely in an unknown language than in l, its best.
func (s *sample) isUnlikely(l int, h *heard) bool {
	code := models().Languages[l].Code
	if s.letters < sentenceLetters || h.words < sentenceWords {
		return false
	}
	ahead := s.ahead(l)
	return ahead < strangeAhead || ahead < oddAhead && 10*h.frequent[l] < h.words && slices.Contains(wordy, code)
}

// prose is the share of frequent words that identifies a text as one of the largest languages, whatever names it has.
// It is half of the share in pages of the tuning half.
var prose = map[string]float64{
	"cs": 0.11, "de": 0.16, "en": 0.16, "es": 0.21, "fa": 0.17, "fr": 0.23, "hu": 0.1, "it": 0.2, "nl": 0.2, "pl": 0.11,
	"pt": 0.2, "ro": 0.19, "ru": 0.1, "sv": 0.16, "tr": 0.06, "uk": 0.1,
}

const (
	// proseWords is the number of words that a text needs for that share. If the rest of the text is in the language,
	// lineWords are enough for some lines.
	proseWords, lineWords = 20, 10
	// dialectAhead bounds how much the letters of prose, without names, may score below their language. Those of
	// Corsican, Friulian and Ligurian, which have as many frequent words of Italian as Italian itself, score less.
	dialectAhead = -0.68
)

// isProse reports whether the windows are in language l although their letters or brackets indicate none. It needs at
// least the given number of words. The evidence is frequent words, and the letters of words without a capital.
// Examples are a story of people with invented names, or a manual of a program.
func (p *passage) isProse(l, fewest int, windows []*window) bool {
	least := prose[models().Languages[l].Code]
	if least == 0 {
		return false
	}
	var words heard
	for _, w := range windows {
		words.add(new(sample).addWords(p.text[w.start:w.end]))
	}
	if words.words < fewest || float64(words.frequent[l]) < least*float64(words.words) {
		return false
	}
	of := scorers.Get().(*scorer)
	defer scorers.Put(of)
	small, _ := p.smallWords(windows)
	told := of.score(models(), strings.Join(small, " "), p.script, jointLetters)
	return told.letters > 0 && told.ahead(l) >= dialectAhead
}

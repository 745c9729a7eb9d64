package langid

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unknown is the code of a language that the models do not know: BCP 47 for undetermined.
const Unknown = "und"

// levels are what the letters of a text score on average, in nats, where it is in the language that is likeliest. Of
// languages that are not here it is usualLevel. They are the medians of the tuning half of NTREX-128.
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
	// A text is in no known language when its letters score less than the level by levelSlack, and by levelNoise over
	// the square root of their number, and by levelNames for all of them: a short one may be mostly names.
	levelSlack = 0.35
	levelNoise = 4.0
	levelNames = 18.0
)

// isForeign reports whether the sample is in none of the languages, although l is the likeliest.
func (s *sample) isForeign(l int) bool {
	return s.ahead(l) < -(levelSlack + levelNoise/math.Sqrt(float64(s.letters)) + levelNames/float64(s.letters))
}

// ahead is by how much the sample's letters score more, in nats a letter, than those of a text in language l do.
func (s *sample) ahead(l int) float64 {
	table := models()
	level := cmp.Or(levels[table.Languages[l].Code], usualLevel)
	return float64(s.scores[l])*table.Step/float64(s.letters) - level
}

// rare are the languages of less than one page in a thousand on the web, which a name of a product or a heading of two
// words is taken for more often than it is in them.
var rare = strings.Fields("cy eo eu ga la lg mi sn so st sw tl tn ts xh yo zu")

// wordy are languages in Latin letters in which every tenth word of a sentence is a frequent one: of the sentences of
// the tuning half of NTREX-128 with at least 40 letters and five words, at most 3 in 100 have fewer.
var wordy = strings.Fields("bs ca cy da de es fr ga is it mi nl nn pt ro so sq sv sw tl tn")

const (
	// Of the tuning half's tweets, rareSure loses 2 in 1,400. Most of the words of a name have a capital; of a text in
	// which they have none, phraseSure is asked, and leastSure of one of less than minLetters.
	rareLetters = 30
	rareSure    = 0.8
	phraseSure  = 0.5
	leastSure   = 0.6
	// A text of sentenceLetters is in a language that the table does not know, or in letters that are not its own,
	// as chats in Arabic are, when its letters score less than those of its likeliest language by strangeAhead, or, in a
	// wordy one, by oddAhead where less than every tenth word is a frequent one. Of the tuning half's headlines and tweets
	// that takes 4 of 3,570; to ask for frequent words alone, without a look at the letters, took 10 and found less.
	sentenceLetters = 40
	sentenceWords   = 5
	strangeAhead    = -1.0
	oddAhead        = -0.8
)

// isRareName reports whether language l is a rare one and too little speaks for it and its relatives, since windows
// are a few letters only.
func (p *passage) isRareName(s *sample, l int, windows []*window) bool {
	if s.letters >= rareLetters || !slices.Contains(rare, models().Languages[l].Code) {
		return false
	}
	sure := p.sureOfFamily(s, l)
	return sure < phraseSure || sure < rareSure && p.isNames(windows)
}

// isNames reports whether most letters of the windows are of words with a capital, as those of names and titles are.
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

// isUnlikely reports whether a short text is rather in no language of the table than in l, its likeliest.
func (s *sample) isUnlikely(l int, h *heard) bool {
	code := models().Languages[l].Code
	if s.letters < sentenceLetters || h.words < sentenceWords {
		return false
	}
	ahead := s.ahead(l)
	return ahead < strangeAhead || ahead < oddAhead && 10*h.frequent[l] < h.words && slices.Contains(wordy, code)
}

// prose is the share of frequent words from which on a text is in one of the largest languages for all the names in it:
// half of what those of the tuning half's pages have.
var prose = map[string]float64{
	"cs": 0.11, "de": 0.16, "en": 0.16, "es": 0.21, "fa": 0.17, "fr": 0.23, "hu": 0.1, "it": 0.2, "nl": 0.2, "pl": 0.11,
	"pt": 0.2, "ro": 0.19, "ru": 0.1, "sv": 0.16, "tr": 0.06, "uk": 0.1,
}

const (
	// proseWords is how many words a text has at least for their share to tell, and lineWords how many some lines have
	// where the rest of the text is in the language.
	proseWords, lineWords = 20, 10
	// dialectAhead is by how much the letters of prose, names left out, may score less than its language does. Those of
	// Corsican, Friulian and Ligurian, which have as many frequent words of Italian as that has, score less.
	dialectAhead = -0.68
)

// isProse reports whether the windows, which have at least fewest words, are in language l although their letters or
// their brackets say that they are in none: by its frequent words, and by the letters of words without a capital. A
// story of people with invented names is, and a manual of a program.
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
	told := of.score(strings.Join(small, " "), p.script, jointLetters)
	return told.letters > 0 && told.ahead(l) >= dialectAhead
}

// codeSigns are what programs, style sheets and data are full of and prose is not, and codeRate the share of them to
// letters from which on a text is such: of the 5,670 texts of the tuning half of NTREX-128 one is.
const (
	codeSigns = "{}[]()<>=;:_\\|"
	codeRate  = 0.16
	// proseCodeRate is the share from which on it is such although its words are those of prose.
	proseCodeRate = 0.3
	// maxCodeBytes bounds what is looked at of a segment.
	maxCodeBytes = 512
)

// codeShare returns how many of codeSigns the windows have to a letter.
func (p *passage) codeShare(windows []*window) float64 {
	signs, letters := 0, 0
	for _, w := range windows {
		text := p.text[w.start:w.end]
		for i := range min(len(text), maxCodeBytes) {
			switch c := text[i]; {
			case c|0x20 >= 'a' && c|0x20 <= 'z', c >= 0xC0: // each letter beyond ASCII has one such byte
				letters++
			case strings.IndexByte(codeSigns, c) >= 0:
				signs++
			}
		}
	}
	return float64(signs) / float64(max(letters, 1))
}

package gazetteer

import (
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer/table"
)

// prepositions precede places, by language. Those that are as frequent before people and times are missing. Words
// before inflected places are missing too (German "im", Finnish cases): the table has no inflected forms.
var prepositions = func() map[string]map[string]bool {
	m := map[string]map[string]bool{}
	for language, list := range map[string]string{
		"en": "in from near outside around across into through between throughout within visit visited",
		"de": "in aus nach bei stadt raum",
		"fr": "à en au aux vers depuis",
		"es": "en desde hacia a",
		"it": "a in da ad",
		"pt": "em desde para",
		"nl": "in uit naar te nabij",
		"sv": "i från till",
		"da": "i fra til",
		"nb": "i fra til",
		"pl": "w z do we",
		"cs": "v z do ve",
		"ru": "в из во город",
		"uk": "в у із з місто місті",
		"ro": "în din la",
		"hu": "a az",
		"ca": "a en des",
		"vi": "ở tại từ đến",
		"id": "di dari ke",
		"el": "στην στη στο από",
	} {
		m[language] = words(list)
	}
	return m
}()

// genitives are words like "of", before places and much else, in the languages of such names; English ones count
// everywhere.
var genitives = words("of de di da von van av af della del du")

// articles precede names of clubs and newspapers, not of cities. "The Chicago" without a noun is rare for a city, and
// "il Milan" is always the club.
var articles = words("the el il le o do no")

// titles precede people's names. They are in lower case, without dots.
var titles = words("mr mrs ms miss dr prof sir lady lord mayor president senator judge herr frau herrn doktor " +
	"monsieur madame " +
	"mme señor señora sr sra don doña signor signora dottor dottoressa senhor senhora dona heer mevrouw pan pani " +
	"herra rouva " +
	"bürgermeister")

func words(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// surroundings describe the text beside a match, on its line.
type surroundings struct {
	preposition  bool // precedes it
	genitive     bool // a word like "of" precedes it
	genitiveName bool // and a name before that
	article      bool // an article precedes it
	title        bool // a person's title precedes it
	opens        bool // first of its sentence or line
	before       word // word before it, after a single space
	after        word // word after it, likewise
	joined       bool // a hyphen, dot or slash joins it to a letter or digit
	capitals     bool // written only in capital letters
}

// around describes the surroundings of the i-th match. It runs after all matches are known, since neighbours count.
func (f *finder) around(i int) surroundings {
	m := &f.matches[i]
	name := f.text[m.start:m.end]
	// Capitals do not matter in a text in capitals. Scripts without case are equal both ways, hence the second test.
	s := surroundings{
		before:   wordBefore(f.text, m.start),
		after:    wordAfter(f.text, m.end),
		joined:   joinedBefore(f.text[:m.start]) || joinedAfter(f.text[m.end:]),
		capitals: strings.ToUpper(name) == name && strings.ToLower(name) != name,
		opens:    opens(f.text[:m.start]),
	}
	// Exactly one byte between: a space.
	s.before.place = i > 0 && f.matches[i-1].end == m.start-1
	s.after.place = i+1 < len(f.matches) && f.matches[i+1].start == m.end+1
	lower := strings.ToLower(s.before.text)
	s.genitive, s.article, s.title = genitives[lower], articles[lower], titles[lower]
	if s.genitive {
		owner := wordBefore(f.text, m.start-1-len(s.before.text))
		// "University of": the longer name. At the start of a sentence a capital says nothing.
		s.genitiveName = owner.capital && !owner.opens
	}
	// A language without a list has no prepositions; only texts of unknown language use the English ones.
	if set := prepositions[f.context.Language]; set != nil {
		s.preposition = set[lower]
	} else {
		s.preposition = f.context.Language == "" && prepositions["en"][lower]
	}
	return s
}

// opens reports whether a sentence or line begins where text ends.
func opens(text string) bool {
	// Quotes, brackets and dashes may be between the end of a sentence and its first word.
	text = strings.TrimRight(text, " \t\u00A0\"'“„«»‘(–—-•*>")
	if text == "" {
		return true
	}
	switch r, _ := utf8.DecodeLastRuneInString(text); r {
	case '.', '!', '?', ':', ';', '\n', '|', '…':
		return true
	}
	return false
}

// isFirstName reports whether w is a first name. The table holds first names beside places, under the same hashes.
func (f *finder) isFirstName(w word) bool {
	if !w.capital {
		return false
	}
	// One word, read to its end: "Jean-Pierre" is not "Jean".
	h, end, ok := table.Step(table.NewHash, w.text, 0, true)
	return ok && end == len(w.text) && f.table.Find(h.Sum()).Flags&table.FirstName != 0
}

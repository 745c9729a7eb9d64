// Package langid says which languages a text is written in. Scripts that one language uses are decided by counting
// letters. The languages of the Latin, Cyrillic, Arabic and Devanagari scripts are told apart by a table of n-grams,
// made of the models of lingua (github.com/pemistahl/lingua-go) when the program is built: see gen and ngram.
//
//	detector := langid.New(langid.Options{})
//	for _, l := range detector.Detect(text, page.Lang()) {
//		fmt.Println(l.Code, l.Share, l.Confidence)
//	}
//
// A text is cut at line ends into segments. A few letters of some segments, spread evenly over the text, are held
// against the table; more of them, if the answer is not clear; and all segments, if they differ. Languages that are
// nearly the same (Bosnian and Croatian, say) are decided for all their segments together, so that a page is not torn
// between them. What a page declares breaks ties among these, and counts for nothing else.
//
// It knows 75 languages of lingua's, ten more that have a script of their own, and sixteen that share a script with one
// of these and have letters or words of their own. Text whose letters are much less
// likely than those of its likeliest language are on average is in none of them: Unknown. A near relative of a large
// language (Galician, Scots) may still be taken for it. Words in another script or language inside a line are not
// reported.
package langid

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Version is the version of the answers.
const Version = "8"

const (
	// minLetters is how many letters a text needs where several languages share the script, and leastLetters how many
	// where it is sure all the same and no name.
	minLetters, leastLetters = 8, 5
	// minSyllables and leastSyllables are the same where a letter is a syllable, vowel signs not counted as letters.
	minSyllables, leastSyllables = 5, 3
	// minSoleLetters is how many it needs in a script of one language, and minSoleSyllables where a letter of that is a
	// syllable or a word.
	minSoleLetters, minSoleSyllables = 4, 2
	// minShare is the least share of a text that is reported: smaller ones are quotations and titles.
	minShare = 0.05
)

// Accuracy says how much short texts may cost.
type Accuracy string

// The accuracies.
const (
	// Default holds every text against the table of n-grams.
	Default Accuracy = "default"
	// High asks lingua about texts of less than 120 letters in scripts that several languages share, and tells near
	// relatives apart by more words. Lingua's models take a gigabyte of memory when all languages are met, and it takes
	// a hundred times as long. Since they are 128 MB of the program as well, it is for programs that are built with the
	// tag lingua; in others it is Default.
	High Accuracy = "high"
)

// ParseAccuracy returns the accuracy of that name, if this program has it.
func ParseAccuracy(name string) (Accuracy, error) {
	if Accuracy(name) == High && lingua == nil {
		return "", errors.New("high asks the models of lingua, which this program was built without: " +
			"build it, or go run it, with -tags lingua")
	}
	if a := Accuracy(name); a == Default || a == High {
		return a, nil
	}
	return "", fmt.Errorf("unknown accuracy %q; there are %s and %s", name, Default, High)
}

// Options bound the work; the zero value takes the defaults.
type Options struct {
	MaxBytes int      // of text looked at; 1 MiB
	Windows  int      // segments of each shared script that are sampled, unless they differ; 8
	Accuracy Accuracy // Default
}

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(max(o.MaxBytes, 0), 1<<20)
	o.Windows = cmp.Or(max(o.Windows, 0), 8)
	o.Accuracy = cmp.Or(o.Accuracy, Default)
	return o
}

// A Detector detects languages. Any number of goroutines may use it at the same time.
type Detector struct{ o Options }

// New returns a Detector. It costs nothing: the table is a part of the program, and all Detectors of a process share
// it.
func New(o Options) *Detector { return &Detector{o: o.withDefaults()} }

// Detect returns the languages of text, the largest share first, or none if text has too few letters to say. Share is
// of the text's bytes, as CLD2 counts; what is below 5 % is left out. Confidence is the model's own, which is 1 in a
// script that is taken for one language's, and of an unknown language. Both are rounded to three decimals. Script is
// given for Chinese and Serbian, which are written in two.
//
// Declared are the languages that the page says it is in, as tags of BCP 47, if it says any.
func (d *Detector) Detect(text string, declared ...string) []schemas.Language {
	if len(text) > d.o.MaxBytes {
		text = strings.ToValidUTF8(text[:d.o.MaxBytes], "")
	}
	var found tally
	var bySharedScript [scripts][]segment
	segments := split(text)
	kindred := kindredOf(text, segments)
	for i, s := range segments {
		found.most = kindred.most[s.script]
		switch c := s.script; {
		case kindred.codes != nil && kindred.codes[i] != "":
			found.most = 1
			found.add(kindred.codes[i], s.bytes(), signSure)
		case c.isShared():
			bySharedScript[c] = append(bySharedScript[c], s)
		case s.letters < c.minLetters(): // a stray word says nothing
		case c == cjk && s.kana:
			found.add("ja", s.bytes(), 1)
		case c == cjk:
			found.add("zh", s.bytes(), 1)
			found.han += hanBalance(text[s.start:s.end])
		case c == hebrew && isYiddish(text[s.start:s.end]):
			found.add("yi", s.bytes(), 1)
		default:
			found.add(soleLanguage[c], s.bytes(), 1)
		}
	}
	codes := declaredCodes(declared)
	s := scorers.Get().(*scorer)
	defer scorers.Put(s)
	for c, segments := range bySharedScript {
		if len(segments) > 0 {
			found.most = kindred.most[c]
			p := passage{text: text, script: script(c), segments: segments, declared: codes, accuracy: d.o.Accuracy}
			p.decide(s, d.o.Windows, &found)
		}
	}
	return found.languages()
}

// A tally adds up how many bytes of text each language has.
type tally struct {
	entries []entry
	bytes   int
	most    float64 // the most confidence in what is added
	han     int     // letters of simplified Chinese, less those of traditional Chinese
}

type entry struct {
	code  string
	bytes int
	sure  float64 // confidence, each byte's added up
}

// add counts bytes of a language.
func (t *tally) add(code string, bytes int, confidence float64) {
	t.bytes += bytes
	i := slices.IndexFunc(t.entries, func(e entry) bool { return e.code == code })
	if i < 0 {
		i = len(t.entries)
		t.entries = append(t.entries, entry{code: code})
	}
	t.entries[i].bytes += bytes
	t.entries[i].sure += min(confidence, t.most) * float64(bytes)
}

// languages returns what was counted as Detect does.
func (t *tally) languages() []schemas.Language {
	languages := []schemas.Language{}
	for _, e := range t.entries {
		share := float64(e.bytes) / float64(t.bytes)
		if share < minShare {
			continue
		}
		code, script := t.script(e.code)
		languages = append(languages, schemas.Language{
			Code: code, Script: script, Share: thousandth(share), Confidence: thousandth(e.sure / float64(e.bytes)),
		})
	}
	slices.SortFunc(languages, func(a, b schemas.Language) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Code, b.Code))
	})
	return languages
}

// script returns the language of a code and, where it is written in several, its script by ISO 15924.
func (t *tally) script(code string) (language, script string) {
	switch {
	case code == "sr":
		return "sr", "Cyrl"
	case code == serbianLatin:
		return "sr", "Latn"
	case code == "zh" && t.han > 0:
		return "zh", "Hans"
	case code == "zh" && t.han < 0:
		return "zh", "Hant"
	}
	return code, ""
}

// thousandth rounds x to three decimals.
func thousandth(x float64) schemas.Float { return schemas.Float(math.Round(x*1e3) / 1e3) }

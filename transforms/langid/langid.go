// Package langid identifies the languages of a text. Scripts that one language uses are decided by counting letters.
// Languages of the Latin, Cyrillic, Arabic and Devanagari scripts are told apart by a table of n-grams. The table is
// generated from the models of lingua (github.com/pemistahl/lingua-go): see gen and ngram.
//
//	detector := langid.New(langid.Options{})
//	for _, l := range detector.Detect(text, page.Lang()) {
//		fmt.Println(l.Code, l.Share, l.Confidence)
//	}
//
// A text is cut at line ends into segments. A few letters of some segments, spread evenly over the text, are compared
// with the table. More letters are read if the answer is not clear, and all segments if they differ. Nearly identical
// languages (such as Bosnian and Croatian) are decided once for all their segments, so that a page is not divided
// between them. The page's declaration only breaks ties among these.
//
// The package knows 75 languages of lingua's and eighteen more with a script of their own. It also knows sixteen that
// share a script with one of these but have letters or words of their own. If the letters of a text are much less
// likely than usual for its best language, the text is compared with a second table. This has smaller languages
// (Galician, Breton, Tatar). The result is one of them or Unknown. A near relative of a large language (Scots) may
// still be taken for that language. Programs and lists of codes are NoLanguage. Words in another script or language
// within a line are not reported.
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
const Version = "13"

const (
	// minLetters is the number of letters that a text needs in a script shared by several languages. If the result is
	// sure and not a name, leastLetters are enough.
	minLetters, leastLetters = 8, 5
	// minSyllables and leastSyllables are the same for scripts whose letters are syllables. Vowel signs do not count.
	minSyllables, leastSyllables = 5, 3
	// minSoleLetters is the number needed in a script of one language. If its letters are syllables or words, it is
	// minSoleSyllables.
	minSoleLetters, minSoleSyllables = 4, 2
	// minShare is the smallest share of a text reported: smaller ones are quotations and titles.
	minShare = 0.05
)

// Accuracy chooses between speed and accuracy for short texts.
type Accuracy string

// The accuracies.
const (
	// Default compares every text with the table of n-grams.
	Default Accuracy = "default"
	// High also asks lingua about texts of less than 120 letters in shared scripts, and uses more words to tell near
	// relatives apart. Lingua's models take a gigabyte of memory if all languages occur, and a hundred times as long.
	// They also add 128 MB to the program, so High needs a program built with the tag lingua. In other programs it is
	// the same as Default.
	High Accuracy = "high"
)

// ParseAccuracy returns the accuracy with that name, if this program supports it.
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

// Options bound the work; a zero field means its default.
type Options struct {
	MaxBytes int      // bytes of text read; 1 MiB
	Windows  int      // segments sampled for each shared script, unless they differ; 8
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

// New returns a Detector. It is cheap: the table is a part of the program, and all Detectors of a process share it.
func New(o Options) *Detector { return &Detector{o: o.withDefaults()} }

// Detect returns the languages of text, the largest share first, or none if text has too few letters. Share is of the
// text's bytes, as in CLD2; shares below 5 % are left out. Confidence is the model's. It is 1 for the language of an
// unshared script, for an unknown language, and for no language. Both are rounded to three decimals. Script is given
// for Chinese and Serbian, which have two.
//
// Parameter declared holds the languages that the page declares, if any, as BCP 47 tags.
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

// A tally counts the bytes of text in each language.
type tally struct {
	entries []entry
	bytes   int
	most    float64 // the highest confidence added
	han     int     // letters of simplified Chinese minus those of traditional Chinese
}

type entry struct {
	code  string
	bytes int
	sure  float64 // sum of the confidences of all bytes
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

// languages returns the counts as the result of Detect.
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
	return proseFirst(languages)
}

// proseFirst puts the largest language with proseShare before code, of which a manual may have more.
func proseFirst(languages []schemas.Language) []schemas.Language {
	if len(languages) == 0 || languages[0].Code != NoLanguage {
		return languages
	}
	i := slices.IndexFunc(languages, func(l schemas.Language) bool { return schemas.IsLanguage(l.Code) })
	if i > 0 && languages[i].Share >= proseShare {
		l := languages[i]
		return slices.Insert(slices.Delete(languages, i, i+1), 0, l)
	}
	return languages
}

// script returns the language of a code and, if it has several scripts, its script by ISO 15924.
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

// Package langid says which languages a text is written in. Scripts that one language uses are decided by counting
// letters; the languages of the Latin, Cyrillic, Arabic and Devanagari scripts are told apart by lingua's trigram models
// (github.com/pemistahl/lingua-go, low accuracy mode) on a small sample.
//
//	detector := langid.New(langid.Options{})
//	for _, l := range detector.Detect(text) {
//		fmt.Println(l.Code, l.Share, l.Confidence)
//	}
//
// A text is cut at line ends into segments. A few of them, spread evenly over the text, are sampled; every one is taken
// to be in one language. A first look at all languages of the script makes a short list, a second look at more letters
// decides between those on it, and languages that are nearly the same (Bosnian and Croatian, say) are decided for all
// their segments together, so that a page is not torn between them.
//
// It is a closed set: 75 languages of lingua's and ten more that have a script of their own. A language outside it is
// taken for its nearest relative. Words in another script or language inside a line are not reported.
package langid

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Version is the version of the answers.
const Version = "1"

const (
	// minLetters is how many letters a text needs where several languages share the script: at 40 of them one answer in
	// six is wrong already.
	minLetters = 20
	// minSoleLetters is how many it needs in a script of one language.
	minSoleLetters = 4
	// minShare is the least share of a text that is reported: smaller ones are quotations and titles.
	minShare = 0.05
)

// Options bound the work; the zero value takes the defaults.
type Options struct {
	MaxBytes int // of text looked at; 1 MiB
	Windows  int // segments of each shared script that are sampled; 8, about 7 ms for Latin
}

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(max(o.MaxBytes, 0), 1<<20)
	o.Windows = cmp.Or(max(o.Windows, 0), 8)
	return o
}

// A Detector detects languages. Any number of goroutines may use it at the same time.
type Detector struct{ o Options }

// New returns a Detector. It costs nothing: models are loaded when a text first needs them, and all Detectors of a
// process share them.
func New(o Options) *Detector { return &Detector{o: o.withDefaults()} }

// Detect returns the languages of text, the largest share first, or none if text has too few letters to say. Share is
// of the text's bytes, as CLD2 counts; what is below 5 % is left out. Confidence is the model's own, which is 1 in a script that is
// taken for one language's. Both are rounded to three decimals.
func (d *Detector) Detect(text string) []schemas.Language {
	if len(text) > d.o.MaxBytes {
		text = strings.ToValidUTF8(text[:d.o.MaxBytes], "")
	}
	var found tally
	var bySharedScript [scripts][]segment
	for _, s := range split(text) {
		switch c := s.script; {
		case models[c] != nil:
			bySharedScript[c] = append(bySharedScript[c], s)
		case s.letters < minSoleLetters: // a stray word says nothing
		case c == cjk && s.kana:
			found.add("ja", s.bytes(), 1)
		case c == cjk:
			found.add("zh", s.bytes(), 1)
		default:
			found.add(soleLanguage[c], s.bytes(), 1)
		}
	}
	for c, segments := range bySharedScript {
		if len(segments) > 0 {
			p := passage{text: text, script: script(c), segments: segments, model: models[c]()}
			p.decide(d.o.Windows, &found)
		}
	}
	return found.languages()
}

// A tally adds up how many bytes of text each language has.
type tally struct {
	entries []entry
	bytes   int
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
	t.entries[i].sure += confidence * float64(bytes)
}

// languages returns what was counted as Detect does.
func (t *tally) languages() []schemas.Language {
	languages := []schemas.Language{}
	for _, e := range t.entries {
		share := float64(e.bytes) / float64(t.bytes)
		if share < minShare {
			continue
		}
		languages = append(languages, schemas.Language{
			Code: e.code, Share: thousandth(share), Confidence: thousandth(e.sure / float64(e.bytes)),
		})
	}
	slices.SortFunc(languages, func(a, b schemas.Language) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Code, b.Code))
	})
	return languages
}

// thousandth rounds x to three decimals.
func thousandth(x float64) float64 { return math.Round(x*1e3) / 1e3 }

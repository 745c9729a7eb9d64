// Package tagger finds people, organisations and places in running text, by embedded models. There is one of English,
// and a smaller one for each of the languages in the folder languages. It finds nothing in other languages.
//
//	t := tagger.New(tagger.Options{})
//	for _, m := range t.Tag(text, "en", nil) {
//		fmt.Println(m.Type, text[m.Start:m.End], m.Confidence)
//	}
//
// The English model was trained on web pages and tweets (UNER-EWT, the Broad Twitter Corpus, WNUT17), and on pages
// labelled by a larger model. It also uses lists of names and word vectors. The command train, started by "make
// tagger", makes it and documents the sources. It looks for names with capital letters; in lower case it finds only
// large places. The models of the other languages were made by the command names, from lists of names and few
// labelled sentences of news. See docs/names.md for their quality, and package model for the method.
package tagger

import (
	"cmp"
	_ "embed"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// Version is the version of the results.
const Version = "10"

const (
	Person       = "person"
	Organization = "organization"
	Place        = "place"
)

// Options select the wanted names; the zero value takes the defaults.
type Options struct {
	MinConfidence float64 // of a name; default 0.4 for Tag and 0.6 for TagItems; below 0 for all
	MaxBytes      int     // of text read; default 1 MiB
}

// Default least confidence.
const (
	leastText  = 0.4 // highest F1, with a precision of .75 on web pages
	leastItems = 0.6 // such pages have few names: below it more than a third are wrong
)

// withDefaults fills in unset options, except confidence.
func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(max(o.MaxBytes, 0), 1<<20)
	return o
}

// Mention is a name in a text.
type Mention struct {
	Start, End int     // byte offsets
	Type       string  // Person, Organization or Place
	Confidence float64 // share of right names, on web pages, among those with this type and score
}

// Tagger finds names. It is safe for concurrent use. The pool keeps the memory of finished texts for the next ones.
type Tagger struct {
	options Options
	scratch sync.Pool
}

type scratch struct {
	model model.Scratch
	spans []model.Span
}

// New returns a tagger. All taggers share the model.
func New(o Options) *Tagger {
	return &Tagger{options: o.withDefaults(), scratch: sync.Pool{New: func() any { return new(scratch) }}}
}

//go:embed model.bin
var file []byte

// load returns the model, which is decoded for the first text.
var load = sync.OnceValue(func() *model.Model {
	m, err := model.Decode(file)
	if err != nil {
		panic("tagger: " + err.Error()) // the trainer did not write the embedded file
	}
	return m
})

var types = [model.Types]string{model.Person: Person, model.Organization: Organization, model.Location: Place}

// Tag appends the names in text to dst, in order and without overlaps; none crosses a line end or a tab. The language
// is an ISO 639-1 code; texts of languages that are not covered have no results.
func (t *Tagger) Tag(text, language string, dst []Mention) []Mention {
	return t.tag(text, language, dst, leastText, func(_ string, m Mention) float64 { return m.Confidence })
}

// TagItems is Tag for the text of a page of products, a list or a forum. The model is too confident there, since no
// labelled text has such pages. So confidence, and with it Options.MinConfidence, is calibrated for them.
func (t *Tagger) TagItems(text, language string, dst []Mention) []Mention {
	return t.tag(text, language, dst, leastItems, onItems)
}

// tag finds names. confidence adjusts the model's confidence; the default threshold is least.
func (t *Tagger) tag(
	text, language string, dst []Mention, least float64, confidence func(string, Mention) float64,
) []Mention {
	// The cut may split a word; with a bound of 1 MiB that is rare.
	text = text[:min(len(text), t.options.MaxBytes)]
	s := t.scratch.Get().(*scratch)
	defer t.scratch.Put(s)
	least = cmp.Or(t.options.MinConfidence, least)
	before := len(dst)
	language = strings.ToLower(language)
	if l := languages[language]; l != nil {
		m := l()
		s.spans = m.Find(text, &s.model, s.spans[:0])
		// Confidence on pages of items is known for English only.
		dst = appendNames(dst, s.spans, &m.Chain, least, nil)
		return dst[:before+len(trim(text, language, dst[before:]))]
	}
	if language != english {
		return dst
	}
	m := load()
	s.spans = m.Find(text, &s.model, s.spans[:0])
	dst = appendNames(dst, s.spans, &m.Chain, least, func(m Mention) float64 { return confidence(text, m) })
	return dst[:before+len(trim(text, language, edges(text, dst[before:])))]
}

const english = "en"

// appendNames appends the names with at least this confidence, which adjust changes unless it is nil. It is called
// last, since all names vote.
func appendNames(
	dst []Mention, spans []model.Span, c *model.Chain, least float64, adjust func(Mention) float64,
) []Mention {
	for _, x := range spans {
		found := Mention{x.Start, x.End, types[x.Type], float64(c.Percent(x)) / 100}
		if adjust != nil {
			found.Confidence = adjust(found)
		}
		if found.Confidence >= least {
			dst = append(dst, found)
		}
	}
	return dst
}

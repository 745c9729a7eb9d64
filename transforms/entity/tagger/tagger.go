// Package tagger finds people, organisations and places in running text in English, by a model that is part of the
// program. Other languages have no labelled text that may be used for it: of them it finds nothing.
//
//	t := tagger.New(tagger.Options{})
//	for _, m := range t.Tag(text, "en", nil) {
//		fmt.Println(m.Type, text[m.Start:m.End], m.Confidence)
//	}
//
// The model learnt from web pages and tweets (UNER-EWT, the Broad Twitter Corpus, WNUT17), pages that a larger model
// labelled, lists of names and word vectors; the command train, started by "make tagger", makes it, and says where they
// come from. Names in capital letters are what it looks for: of a name in lower case it knows only large places. How
// good it is, docs/names.md says. How it works, package model.
package tagger

import (
	"cmp"
	_ "embed"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// Version is the version of the answers.
const Version = "6"

// The types of names.
const (
	Person       = "person"
	Organization = "organization"
	Place        = "place"
)

// Options say which names are wanted; the zero value takes the defaults.
type Options struct {
	MinConfidence float64 // of a name; 0.4 for Tag and 0.6 for TagItems. Below 0 all are wanted
	MaxBytes      int     // of text looked at; 1 MiB
}

// The confidence from which on names are reported unless another is asked for.
const (
	leastText  = 0.4 // where F1 is highest: of the names .75 were right on web pages
	leastItems = 0.6 // such pages have few names: below it more than a third are wrong
)

// withDefaults fills in what is not set, but for confidence.
func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(max(o.MaxBytes, 0), 1<<20)
	return o
}

// A Mention is a name in a text.
type Mention struct {
	Start, End int     // bytes
	Type       string  // Person, Organization or Place
	Confidence float64 // the share of names of that type and likelihood that were right on web pages
}

// A Tagger finds names. Many goroutines may use one. The pool keeps the memory of finished texts for the next ones.
type Tagger struct {
	options Options
	scratch sync.Pool
}

// scratch is what tagging one text needs.
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

// load returns the model. The model is decoded when the first text comes, not when the program begins.
var load = sync.OnceValue(func() *model.Model {
	m, err := model.Decode(file)
	if err != nil {
		panic("tagger: " + err.Error()) // the embedded file is not what the trainer wrote
	}
	return m
})

var types = [model.Types]string{model.Person: Person, model.Organization: Organization, model.Location: Place}

// Tag appends the names in text to dst, in their order. They do not overlap, and none reaches over the end of a line.
// Language is that of the text, ISO 639-1; of languages other than English nothing is found.
func (t *Tagger) Tag(text, language string, dst []Mention) []Mention {
	return t.tag(text, language, dst, leastText, func(_ string, m Mention) float64 { return m.Confidence })
}

// TagItems is Tag for the text of a product's, a list's or a forum's page. No text with labels by people has them, and
// the model is too sure of what it finds there: confidence, and so what Options.MinConfidence lets through, is that of
// such pages.
func (t *Tagger) TagItems(text, language string, dst []Mention) []Mention {
	return t.tag(text, language, dst, leastItems, onItems)
}

// tag finds names, whose confidence is what confidence makes of the model's, and by default not below least.
func (t *Tagger) tag(
	text, language string, dst []Mention, least float64, confidence func(string, Mention) float64,
) []Mention {
	if !strings.EqualFold(language, "en") {
		return dst
	}
	// The cut may tear a word; names there are lost or shorter, which a bound of 1 MiB makes rare.
	text = text[:min(len(text), t.options.MaxBytes)]
	m := load()
	s := t.scratch.Get().(*scratch)
	defer t.scratch.Put(s)
	s.spans = m.Find(text, &s.model, s.spans[:0])
	least = cmp.Or(t.options.MinConfidence, least)
	// Filtering comes last: votes count all names.
	before := len(dst)
	for _, x := range s.spans {
		found := Mention{x.Start, x.End, types[x.Type], float64(m.Confidence(x)) / 100}
		if found.Confidence = confidence(text, found); found.Confidence >= least {
			dst = append(dst, found)
		}
	}
	return dst[:before+len(edges(text, dst[before:]))]
}

package query

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// compile returns a function for a search. It reads the title and the text once, and stops at the last wanted term.
func (t *Text) compile() func(*schemas.Document) bool {
	if t.Phrase {
		p := newPhrase(t.Query)
		return func(d *schemas.Document) bool { return p.in(d.Title) || p.in(d.Text) }
	}
	w := newWanted(t.Terms)
	languages := &byLanguage{t, map[string]*forms{}}
	return func(d *schemas.Document) bool {
		if t.Stems() {
			w.forms = languages.of(d.Language)
		}
		// The memory of the last document is reused. So a compiled filter belongs to one goroutine.
		w.reset()
		return w.in(d.Title) || w.in(d.Text)
	}
}

// wanted are terms that may occur anywhere.
type wanted struct {
	scanner  tokenize.Scanner
	words    map[string]int // their indexes in found
	prefixes []prefix
	found    []bool
	missing  int
	forms    *forms // in the language of the text; nil if there are none
	anyForms []*forms
}

// prefix is a term that matches any continuation, and its index in a list. Such a term is compared with each term of
// the text; a query has few of them.
type prefix struct {
	text  []byte
	place int
}

func newWanted(terms []string) *wanted {
	w := &wanted{words: map[string]int{}, found: make([]bool, len(terms))}
	for i, t := range terms {
		if text, ok := strings.CutSuffix(t, "*"); ok {
			w.prefixes = append(w.prefixes, prefix{[]byte(text), i})
		} else {
			w.words[t] = i
		}
	}
	return w
}

func (w *wanted) reset() {
	clear(w.found)
	w.missing = len(w.found)
}

// in searches for the terms still missing, and reports whether none is left.
func (w *wanted) in(text string) bool {
	// Index yields the terms of the text one by one and stops with the loop, so texts are seldom read to the end.
	for _, t := range w.scanner.Index(text) {
		if i, ok := w.words[string(t)]; ok {
			w.find(i)
		}
		for _, p := range w.prefixes {
			if bytes.HasPrefix(t, p.text) {
				w.find(p.place)
			}
		}
		if w.forms != nil && w.missing > 0 {
			for _, i := range w.forms.of(t) {
				w.find(i)
			}
		}
		if w.missing == 0 {
			return true
		}
	}
	// Terms found in the title count for the text as well: in is called for both, and reset before.
	return w.missing == 0
}

func (w *wanted) find(i int) {
	if !w.found[i] {
		w.found[i] = true
		w.missing--
	}
}

// maxPhrase is the maximum number of positions in a phrase, one bit each.
const maxPhrase = 64

// phrase finds terms in sequence, by the Shift-And algorithm of Baeza-Yates and Gonnet (1992), with terms as letters.
// Bit i of the state means that positions 0 to i of the phrase end at the current term.
type phrase struct {
	scanner  tokenize.Scanner
	words    map[string]uint64 // the positions at which a term may be
	prefixes []prefix
	holes    uint64 // the positions at which any term may be: after a run of letters whose last one is part of a pair
	last     uint64
}

func newPhrase(query string) *phrase {
	p := &phrase{words: map[string]uint64{}}
	next := 0 // the position after the last term
	// The numbering has gaps where Query has no term for a position.
	for place, t := range p.scanner.Query(query) {
		for ; next < place; next++ {
			p.holes |= 1 << next
		}
		next = place + 1
		if tokenize.IsSingle(t) {
			p.prefixes = append(p.prefixes, prefix{bytes.Clone(t), place})
		} else {
			p.words[string(t)] |= 1 << place
		}
	}
	p.last = 1 << (next - 1)
	return p
}

func (p *phrase) in(text string) bool {
	state := uint64(0)
	for _, t := range p.scanner.Index(text) {
		if state = p.step(state, t); state&p.last != 0 {
			return true
		}
	}
	return false
}

// step returns the state after one more term.
func (p *phrase) step(state uint64, term []byte) uint64 {
	fits := p.holes | p.words[string(term)]
	for _, x := range p.prefixes {
		if bytes.HasPrefix(term, x.text) {
			fits |= 1 << x.place
		}
	}
	// A match may start at every term (the 1), and continues if the term fits (the mask).
	return (state<<1 | 1) & fits
}

package query

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// compile makes a function of a search. It goes over the title and the text once, and stops at the last term wanted.
func (t *Text) compile() func(*schemas.Document) bool {
	if t.Phrase {
		p := newPhrase(t.Query)
		return func(d *schemas.Document) bool { return p.in(d.Title) || p.in(d.Text) }
	}
	w := newWanted(t.Terms)
	return func(d *schemas.Document) bool {
		// The memory of the last document is used again: this is why a compiled filter is of one goroutine.
		w.reset()
		return w.in(d.Title) || w.in(d.Text)
	}
}

// wanted are terms that may stand anywhere.
type wanted struct {
	scanner  tokenize.Scanner
	words    map[string]int // their places in found
	prefixes []prefix
	found    []bool
	missing  int
}

// prefix is a term that stands for all that begin so, and its place in a list.
// A term with a star is compared with each term of the text; there are few of these in a query.
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

// in looks for what is still missing, and reports whether nothing is any more.
func (w *wanted) in(text string) bool {
	// Index gives the terms of the text one by one and stops when the loop does, so a text is seldom read to its end.
	for _, t := range w.scanner.Index(text) {
		if i, ok := w.words[string(t)]; ok {
			w.find(i)
		}
		for _, p := range w.prefixes {
			if bytes.HasPrefix(t, p.text) {
				w.find(p.place)
			}
		}
		if w.missing == 0 {
			return true
		}
	}
	// What was found in the title counts for the text as well: in is called for both, and reset before.
	return w.missing == 0
}

func (w *wanted) find(i int) {
	if !w.found[i] {
		w.found[i] = true
		w.missing--
	}
}

// maxPhrase is how many places a phrase may have: one bit each.
const maxPhrase = 64

// phrase finds terms side by side: the Shift-And algorithm of Baeza-Yates and Gonnet (1992), whose letters are terms.
// Bit i of the state says that the places 0 to i of the phrase end at the current term.
type phrase struct {
	scanner  tokenize.Scanner
	words    map[string]uint64 // the places at which a term may stand
	prefixes []prefix
	holes    uint64 // the places at which any term may: after a run of letters whose last one is part of a pair
	last     uint64
}

func newPhrase(query string) *phrase {
	p := &phrase{words: map[string]uint64{}}
	next := 0 // the place after the term before
	// place leaves out numbers where Query has no term for a place.
	for place, t := range p.scanner.Query(query) {
		for ; next < place; next++ {
			p.holes |= 1 << next
		}
		next = place + 1
		if single(t) {
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

// step is the state after one more term.
func (p *phrase) step(state uint64, term []byte) uint64 {
	fits := p.holes | p.words[string(term)]
	for _, x := range p.prefixes {
		if bytes.HasPrefix(term, x.text) {
			fits |= 1 << x.place
		}
	}
	// Each start is tried at every term (the 1), and goes on where the term fits (the mask).
	return (state<<1 | 1) & fits
}

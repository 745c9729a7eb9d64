package model

import "strings"

// HashedRows is how many rows of weights the hashed features share.
const HashedRows = 1 << 18

// A document is what the features look at: the tokens of a text, and where else in it their words stand.
type document struct {
	text      string
	tokens    []Token
	sentences []sentence
	lexicon   *Lexicon
	cases     caseTable
	runs      []run
	phrases   []uint16 // of each token, which phrases it is in: bits 0-6 begins, 7-13 inside or end
}

// A run is a range of tokens of a sentence that may hold names.
type run struct {
	sentence
	within sentence
}

// connectors are the lower-case words that names hold.
var connectors = func() map[uint64]bool {
	m := map[uint64]bool{}
	for w := range strings.FieldsSeq("of the and for in on at to de la du des van von der den al el bin ibn da di do dos y e & le les") {
		m[HashWord(w)] = true
	}
	return m
}()

var pronounI = HashWord("i")

// candidate reports whether token i may begin a name.
func (d *document) candidate(i int, noCapitals bool) bool {
	t := &d.tokens[i]
	if t.Shape.isCapital() {
		return t.Shape != Single || t.hash != pronounI
	}
	if t.Shape != Lower || t.End-t.Start < 4 {
		return false
	}
	f := d.entry(i).flags()
	if noCapitals {
		return f&(PlaceWord|GivenName|Surname) != 0 && f&Common == 0
	}
	return f&PlaceWord != 0 && f&Common == 0
}

// joinsCandidates reports whether token i may stand inside a name.
func (d *document) joinsCandidates(i int) bool {
	t := &d.tokens[i]
	switch t.Shape {
	case Lower:
		return connectors[t.hash]
	case Comma, Dash, Apostrof, Sign, Number, Year, Mixed, Quote:
		return true
	}
	return false
}

// findRuns appends the runs of tokens of s that may be names: candidates, and what joins them.
func (d *document) findRuns(s sentence) {
	noCapitals := true
	for i := s.first; i < s.end; i++ {
		if d.tokens[i].Shape.isCapital() && d.tokens[i].hash != pronounI {
			noCapitals = false
		}
	}
	first, last := -1, -1
	for i := s.first; i < s.end; i++ {
		if !d.candidate(i, noCapitals) {
			if first >= 0 && (i-last > 2 || !d.joinsCandidates(i) && !(i == last+1 && d.follows(i))) {
				d.runs = append(d.runs, run{sentence{first, last + 1}, s})
				first = -1
			} else if first >= 0 && i == last+1 && d.follows(i) {
				last = i
			}
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
	}
	if first >= 0 {
		d.runs = append(d.runs, run{sentence{first, last + 1}, s})
	}
}

// follows reports whether token i may end a name that it does not begin: a number, or a word of organisations.
func (d *document) follows(i int) bool {
	switch d.tokens[i].Shape {
	case Number, Mixed:
		return true
	case Lower:
		return d.entry(i).flags()&Organisation != 0
	}
	return false
}

// entry returns what the lexicon says of token i, which it looks up once.
func (d *document) entry(i int) entry {
	t := &d.tokens[i]
	if t.entry == 0 {
		t.entry = d.lexicon.word(t.hash)
		if t.entry == 0 {
			t.entry = unknown
		}
	}
	return t.entry
}

// unknown is the entry of a word that is not in the lexicon: row and cluster 0, no flags.
const unknown entry = 1 << 63

// markPhrases notes for the tokens of a run in which phrases of the lexicon they are.
func (d *document) markPhrases(r sentence) {
	for i := r.first; i < r.end; i++ {
		h := uint64(0)
		for n := 1; n <= MaxPhrase && i+n <= r.end; n++ {
			h = join(h, d.tokens[i+n-1].hash)
			kinds := uint16(d.lexicon.phrase(h))
			if kinds == 0 {
				continue
			}
			d.phrases[i] |= kinds
			for k := i + 1; k < i+n; k++ {
				d.phrases[k] |= kinds << 7
			}
		}
	}
}

// A window is the five tokens around one, and what the features need of them.
type window struct {
	shape   [5]uint64
	hash    [5]uint64
	entry   [5]entry
	cluster [5]uint64
	flags   [5]uint64
	coarse  [5]uint64
}

func (d *document) window(i int, s sentence, w *window) {
	for k := range w.shape {
		at := i + k - 2
		if at < s.first || at >= s.end {
			w.shape[k], w.hash[k], w.entry[k], w.cluster[k], w.flags[k], w.coarse[k] = uint64(Outside), 0, unknown, 0, 0, 0
			continue
		}
		t := &d.tokens[at]
		w.shape[k], w.hash[k] = uint64(t.Shape), t.hash
		e := d.entry(at)
		w.entry[k], w.cluster[k], w.flags[k] = e, uint64(e.cluster()), uint64(e.flags())
		w.coarse[k] = uint64(d.lexicon.coarse[e.cluster()])
	}
}

// rows appends the rows of weights of token i of sentence s to dst.
func (d *document) rows(i int, s sentence, line uint64, dst []uint32) []uint32 {
	var w window
	d.window(i, s, &w)
	n := uint64(0)
	add := func(a, b uint64) {
		n++
		dst = append(dst, uint32(mix((n*0x9E3779B97F4A7C15^a)*0xD6E8FEB86659FD93+b)>>40)&(HashedRows-1))
	}
	s0 := w.shape[2]
	s1 := s0<<8 | w.shape[1]
	s2 := s0<<8 | w.shape[3]
	s3 := s1<<8 | w.shape[3]
	add(s0, 0)
	add(s1, 0)
	add(s2, 0)
	add(s3, 0)
	add(s1, w.shape[0])
	add(s2, w.shape[4])
	add(s3, w.shape[0]<<8|w.shape[4])
	// Words and their beginnings and ends.
	add(w.hash[2], s0)
	add(w.hash[1], s0)
	add(w.hash[3], s0)
	add(w.hash[2], w.hash[1])
	add(w.hash[2], w.hash[3])
	add(w.hash[1], w.hash[3])
	t := d.tokens[i]
	word := d.text[t.Start:t.End]
	for k := 2; k <= 4; k++ {
		if len(word) > k {
			add(HashWord(word[:k]), s0)
			add(HashWord(word[len(word)-k:]), s0)
		} else {
			n += 2
		}
	}
	// Clusters.
	c := &w.cluster
	g := &w.coarse
	add(c[2], s0)
	add(c[1], s0)
	add(c[3], s0)
	add(c[0], s0)
	add(c[4], s0)
	add(g[0], s0)
	add(g[4], s0)
	add(g[1]<<8|g[2], s0)
	add(g[2]<<8|g[3], s0)
	add(g[1]<<8|g[3], s0)
	add(g[1]<<16|g[2]<<8|g[3], s0)
	add(c[2], g[1]<<8|w.shape[1])
	add(c[2], g[3]<<8|w.shape[3])
	add(c[1], g[0])
	add(c[3], g[4])
	add(w.hash[1], w.hash[0])
	add(w.hash[3], w.hash[4])
	// Lists.
	f := &w.flags
	add(f[2], s0)
	add(f[2], s3)
	add(f[1]<<8|f[2], s1)
	add(f[2]<<8|f[3], s2)
	add(f[1]<<16|f[2]<<8|f[3], s0)
	add(f[1], s1)
	add(f[3], s2)
	p := uint64(d.phrases[i])
	add(p, s0)
	add(p, f[2])
	add(p, g[1]<<8|g[3])
	if i > s.first {
		add(uint64(d.phrases[i-1])<<16|p, 0)
	} else {
		n++
	}
	if i+1 < s.end {
		add(uint64(d.phrases[i+1])<<16|p, 0)
	} else {
		n++
	}
	// The place in the sentence, and the words of the document.
	first := uint64(0)
	if i == s.first {
		first = 1
	}
	add(first<<8|f[2]&uint64(Common), s0)
	add(line, s0)
	add(line, f[2])
	cs := d.cases.of(t.hash)
	add(cs, s0<<1|first)
	add(cs, f[2]<<1|first)
	return append(dst, lexical(1, w.entry[1]), lexical(2, w.entry[2]), lexical(3, w.entry[3]))
}

// lexical returns the row of the word with entry e at place k of the window.
func lexical(k int, e entry) uint32 { return HashedRows + uint32(k-1)<<17 | e.row() }

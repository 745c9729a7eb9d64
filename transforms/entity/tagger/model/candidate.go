package model

import "strings"

// run is a range of tokens in a sentence that may contain names; there are none outside. The net also sees the words
// beside it in the sentence.
type run struct {
	sentence
	within sentence
	style  uint64 // of the sentence
	named  bool   // the first pass found a name
}

// connectors are words in lower case within names: those of English, and of languages whose names occur in English
// texts.
var connectors = func() map[uint64]bool {
	m := map[uint64]bool{}
	for w := range strings.FieldsSeq("of the and for in on at to de la du des van von der den al el bin ibn da di do " +
		"dos y e & le les") {
		m[HashWord(w)] = true
	}
	return m
}()

// pronounI is not a candidate: "I" always has a capital, and is not a name.
var pronounI = HashWord("i")

// findRuns appends the runs of s: candidates, with connectors between two of them or after the last. Only tokens in
// runs get scores, which bounds the work.
func (d *document) findRuns(s sentence) {
	if d.isProgram(s) {
		return
	}
	style := d.style(s)
	first, last := -1, -1
	for i := s.first; i < s.end; i++ {
		switch {
		case d.candidate(i, style):
			if first < 0 {
				first = i
			}
			last = i
		// Before the first candidate there is nothing to join.
		case first < 0:
		case i == last+1 && d.follows(i):
			last = i
		// At most two tokens separate candidates of one run, so a long sentence in lower case is not one run.
		case i-last > 2 || !d.joins(i):
			// The run ends with its last candidate, not with connectors.
			d.addRun(run{sentence: sentence{first, last + 1}, within: s, style: style})
			first = -1
		}
	}
	if first >= 0 {
		d.addRun(run{sentence: sentence{first, last + 1}, within: s, style: style})
	}
}

// addRun appends a run, unless it is a single word at the start of a sentence that the document also has in lower
// case. Words in lists of names are kept.
func (d *document) addRun(r run) {
	i := r.first
	if r.end == i+1 && i == r.within.first && d.cases.hasLower(d.tokens[i].hash) && d.entry(i).flags()&^Common == 0 {
		return
	}
	d.runs = append(d.runs, r)
}

// candidate reports whether token i may begin a name. It has a capital letter, or is a known place in lower case, or a
// known name in a sentence without capitals. A word in lower case with inner capitals must be known, since others are
// identifiers of programs.
func (d *document) candidate(i int, style uint64) bool {
	t := &d.tokens[i]
	if t.Shape == Camel && isLower(d.text[t.Start]) {
		return d.entry(i) != unknown
	}
	if t.Shape.isCapital() {
		// A capital letter is enough, except for the pronoun.
		return t.hash != pronounI
	}
	// Short words in lower case are hardly ever places.
	if t.Shape != Lower || t.End-t.Start < 4 || !d.lexicon.mayBegin(t.hash) {
		return false
	}
	names := PlaceWord
	// In a sentence without capitals, names have none either.
	if style&3 == noCapitals {
		names |= GivenName | Surname
	}
	return d.entry(i).isName(names)
}

// isProgram reports whether a sentence is a program or data, by its braces, which are rare in prose.
func (d *document) isProgram(s sentence) bool {
	for i := s.first; i < s.end; i++ {
		t := &d.tokens[i]
		if t.Shape != Open && t.Shape != Close {
			continue
		}
		if c := d.text[t.Start]; c == '{' || c == '}' {
			return true
		}
	}
	return false
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// joins reports whether token i may be between two candidates of a name.
func (d *document) joins(i int) bool {
	switch t := &d.tokens[i]; t.Shape {
	case Lower:
		return connectors[t.hash]
	case Comma, Dash, Apostrophe, Sign, Number, Year, Mixed, Quote:
		return true
	}
	return false
}

// follows reports whether token i may end a name that it does not begin: a number, or a word of organisations.
func (d *document) follows(i int) bool {
	switch d.tokens[i].Shape {
	case Number, Mixed:
		return true
	case Lower:
		// "Acme corp" and the like, with the last word in lower case.
		return d.entry(i).flags()&Organisation != 0
	}
	return false
}

// The styles of sentences; noEnd is added to the others.
const (
	allCapitals   = 1 // nearly all words are in capitals
	titleCapitals = 2 // most words begin with a capital
	noCapitals    = 3
	noEnd         = 4 // no full stop ends it
)

// style describes the case of the words of a sentence. It tells headlines, where capitals mean nothing, from
// sentences, where they mean much. Only words count; the shares (8 and 6 of 10) need more than two.
func (d *document) style(s sentence) (style uint64) {
	var counts [1 << 5]int32
	for i := s.first; i < s.end; i++ {
		counts[d.tokens[i].Shape%32]++
	}
	upper, capital := int(counts[Upper]), -int(counts[Upper])
	for k := Capital; k <= Initials; k++ {
		capital += int(counts[k])
	}
	words := upper + capital + int(counts[Lower])
	switch {
	case words > 2 && upper*10 > words*8:
		style = allCapitals
	case words > 2 && (capital+upper)*10 > words*6:
		style = titleCapitals
	case capital+upper == 0:
		style = noCapitals
	}
	if d.tokens[s.end-1].Shape != Period {
		style |= noEnd
	}
	return style
}

// markPhrases notes, for the tokens of a run, the lexicon's phrases that they are in. Bits 0 to 6 of phrases are the
// kinds that begin at a token, bits 7 to 13 the kinds that continue there.
func (d *document) markPhrases(r sentence) {
	for i := r.first; i < r.end; i++ {
		// The hash grows token by token, so each length costs one step.
		hash := uint64(0)
		for n := 1; n <= MaxPhrase && i+n <= r.end; n++ {
			hash = join(hash, d.tokens[i+n-1].hash)
			kinds := uint16(d.lexicon.phrase(hash))
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

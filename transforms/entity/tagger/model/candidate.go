package model

import "strings"

// A run is a range of tokens of a sentence that may hold names. Whatever is in no run is in no name. The net sees the
// words beside it as well, within its sentence.
type run struct {
	sentence
	within sentence
	style  uint64 // of the sentence
	named  bool   // whether the first pass found a name
}

// connectors are the words in lower case that names hold. They are those of English and of the languages whose names
// English texts hold.
var connectors = func() map[uint64]bool {
	m := map[uint64]bool{}
	for w := range strings.FieldsSeq("of the and for in on at to de la du des van von der den al el bin ibn da di do " +
		"dos y e & le les") {
		m[HashWord(w)] = true
	}
	return m
}()

// pronounI is left out of candidates: "I" has a capital wherever it stands, and is not a name.
var pronounI = HashWord("i")

// findRuns appends the runs of s: candidates, with what may be between two of them or after the last. Runs bound
// the work: only their tokens get scores, and most words of a text are in none.
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
		// At most two tokens are between candidates of one run, so long sentences in lower case do
		// not become one run.
		case i-last > 2 || !d.joins(i):
			// The run ends with its last candidate, and not with what was meant to join.
			d.addRun(run{sentence: sentence{first, last + 1}, within: s, style: style})
			first = -1
		}
	}
	if first >= 0 {
		d.addRun(run{sentence: sentence{first, last + 1}, within: s, style: style})
	}
}

// addRun appends a run, unless it is one word that begins its sentence and that the document has in lower case too:
// many runs are. Words that lists know as names may still be some.
func (d *document) addRun(r run) {
	i := r.first
	if r.end == i+1 && i == r.within.first && d.cases.hasLower(d.tokens[i].hash) && d.entry(i).flags()&^Common == 0 {
		return
	}
	d.runs = append(d.runs, r)
}

// candidate reports whether token i may begin a name: it has a capital letter, or is in lower case and a known place,
// or, in a sentence without capitals, a known name. A word that begins in lower case and continues with capitals must
// be known: others are names in programs.
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

// isProgram reports whether a sentence is a program, or data for one. Braces tell; nothing else that is in programs
// is as rare in prose.
func (d *document) isProgram(s sentence) bool {
	for i := s.first; i < s.end; i++ {
		if c := d.text[d.tokens[i].Start]; c == '{' || c == '}' {
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
		// "Acme corp" and the like, where the last word has no capital.
		return d.entry(i).flags()&Organisation != 0
	}
	return false
}

// The styles of sentences, of which noEnd is added to the others.
const (
	allCapitals   = 1 // nearly all words are in capitals
	titleCapitals = 2 // most words begin with one
	noCapitals    = 3
	noEnd         = 4 // no full stop ends it
)

// style tells how the words of a sentence are written. It tells a headline, where capitals say nothing, from a
// sentence, where they say much. Tokens that are not words do not count; the shares (8 and 6 of 10) need more than
// two words.
func (d *document) style(s sentence) (style uint64) {
	var words, upper, capital int
	for i := s.first; i < s.end; i++ {
		switch t := &d.tokens[i]; {
		case t.Shape == Upper:
			upper++
			words++
		case t.Shape.isCapital():
			capital++
			words++
		case t.Shape == Lower:
			words++
		}
	}
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

// markPhrases notes for the tokens of a run in which phrases of the lexicon they are. Bits 0 to 6 of phrases are the
// kinds of what begins at a token, bits 7 to 13 those of what it continues with.
func (d *document) markPhrases(r sentence) {
	for i := r.first; i < r.end; i++ {
		// The hash grows token by token, so every length costs one step.
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

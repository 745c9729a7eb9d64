package model

import "strings"

// document has the tokens of a text with the features that the net uses. Its slices are reused from text to text.
type document struct {
	text      string
	lexicon   *Lexicon
	tokens    []Token
	sentences []sentence
	runs      []run
	kept      []run   // in turn with runs
	spare     []Token // of a line
	cases     caseTable
	phrases   []uint16 // by token: kinds of phrases that begin there, and, shifted by 7, that continue there
}

// load reads a text: its tokens, sentences and runs. Runs come after the whole text is read, since they depend on how
// words are written elsewhere.
func (d *document) load(text string, l *Lexicon) {
	d.text, d.lexicon = text, l
	d.tokens, d.sentences, d.runs = d.tokens[:0], d.sentences[:0], d.runs[:0]
	d.cases.reset()
	d.eachLine(d.line)
	for _, s := range d.sentences {
		d.findRuns(s)
	}
	// Zeroes for all tokens; only those in runs are marked.
	d.phrases = append(d.phrases[:0], make([]uint16, len(d.tokens))...)
	for _, r := range d.runs {
		d.markPhrases(r.sentence)
	}
}

// eachLine calls f with the start and end of each line, since no sentence and no name crosses a line's end. Cells of a
// table are lines as well; a tab divides them.
func (d *document) eachLine(f func(start, end int)) {
	line, tab := -1, -1 // the ends after at
	for at := 0; at < len(d.text); {
		if line < at {
			line = at + indexOr(d.text[at:], '\n')
		}
		if tab < at {
			tab = at + indexOr(d.text[at:], '\t')
		}
		end := min(line, tab)
		f(at, end)
		at = end + 1
	}
}

// indexOr is the place of c in text, or the end.
func indexOr(text string, c byte) int {
	if i := strings.IndexByte(text, c); i >= 0 {
		return i
	}
	return len(text)
}

// line reads the tokens and sentences of the line of text from start to end.
func (d *document) line(start, end int) {
	firstToken, firstSentence := len(d.tokens), len(d.sentences)
	// The text ends at the line's end, but offsets are of the whole.
	d.tokens = tokenize(d.text[:end], start, d.tokens)
	d.sentences = split(d.text, d.tokens, firstToken, d.sentences)
	for _, s := range d.sentences[firstSentence:] {
		for i := s.first; i < s.end; i++ {
			d.cases.count(&d.tokens[i], i == s.first)
		}
	}
}

// entry returns the lexicon's entry of token i. Few tokens need it, so it is looked up on demand, once.
func (d *document) entry(i int) entry {
	t := &d.tokens[i]
	if t.entry == 0 {
		t.entry = d.lexicon.word(t.hash)
	}
	return t.entry
}

// unknown is the entry of a word outside the lexicon: no row, no cluster, no flags. It is not 0, which means not yet
// looked up.
const unknown entry = 1 << 63

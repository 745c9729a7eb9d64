package model

import "strings"

// A document is what the net knows tokens by: the tokens of a text, and where else in it their words stand. Its slices
// are used again from text to text.
type document struct {
	text      string
	lexicon   *Lexicon
	tokens    []Token
	sentences []sentence
	runs      []run
	cases     caseTable
	phrases   []uint16 // of each token the kinds of the phrases that it begins, and those, shifted by 7, that it goes on
}

// load reads a text: its tokens, its sentences and the runs of tokens that may be names. Runs are looked for when the
// whole text is read: how words are written elsewhere is a part of what tells names.
func (d *document) load(text string, l *Lexicon) {
	d.text, d.lexicon = text, l
	d.tokens, d.sentences, d.runs = d.tokens[:0], d.sentences[:0], d.runs[:0]
	d.cases.reset()
	// Lines are read one by one, since no sentence and no name crosses a line's end.
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		d.line(at, at+end)
		at += end + 1
	}
	for _, s := range d.sentences {
		d.findRuns(s)
	}
	// Zeroes for all tokens; only those in runs are marked.
	d.phrases = append(d.phrases[:0], make([]uint16, len(d.tokens))...)
	for _, r := range d.runs {
		d.markPhrases(r.sentence)
	}
}

// line reads the tokens and sentences of the line of text from start to end.
func (d *document) line(start, end int) {
	firstToken, firstSentence := len(d.tokens), len(d.sentences)
	// The text is cut at the line's end, and offsets are still those of the whole.
	d.tokens = tokenize(d.text[:end], start, d.tokens)
	d.sentences = split(d.text, d.tokens, firstToken, d.sentences)
	for _, s := range d.sentences[firstSentence:] {
		for i := s.first; i < s.end; i++ {
			d.cases.count(&d.tokens[i], i == s.first)
		}
	}
}

// entry returns what the lexicon says of token i, which it looks up once. Most tokens are in no run, and are never
// looked up.
func (d *document) entry(i int) entry {
	t := &d.tokens[i]
	if t.entry == 0 {
		t.entry = d.lexicon.word(t.hash)
	}
	return t.entry
}

// unknown is the entry of a word that is not in the lexicon: no row, no cluster, no flags. It is not 0, so that a word
// is looked up once.
const unknown entry = 1 << 63

package model

import "strings"

// load reads a text: its tokens, its sentences and the runs of tokens that may be names.
func (d *document) load(text string, l *Lexicon) {
	d.text, d.lexicon = text, l
	d.tokens, d.sentences, d.runs = d.tokens[:0], d.sentences[:0], d.runs[:0]
	d.cases.reset()
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
	if cap(d.phrases) < len(d.tokens) {
		d.phrases = make([]uint16, len(d.tokens)*3/2)
	}
	d.phrases = d.phrases[:len(d.tokens)]
	clear(d.phrases)
	for _, r := range d.runs {
		d.markPhrases(r.sentence)
	}
}

// line reads the tokens and sentences of the line of text from start to end.
func (d *document) line(start, end int) {
	first := len(d.tokens)
	d.tokens = tokenize(d.text[:end], start, d.tokens)
	for i := first; i < len(d.tokens); i++ {
		t := &d.tokens[i]
		t.hash = HashWord(d.text[t.Start:t.End])
	}
	from := len(d.sentences)
	d.sentences = split(d.text, d.tokens, first, d.sentences)
	for _, s := range d.sentences[from:] {
		for i := s.first; i < s.end; i++ {
			d.cases.count(&d.tokens[i], i == s.first)
		}
	}
}

// style tells how the words of a sentence are written: 1 when nearly all are in capitals, 2 when most begin with one, 3
// when none does; and 4 more when no full stop ends it.
func (d *document) style(s sentence) uint64 {
	var words, upper, capital int
	for _, t := range d.tokens[s.first:s.end] {
		switch {
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
	style := uint64(0)
	switch {
	case words > 2 && upper*10 > words*8:
		style = 1
	case words > 2 && (capital+upper)*10 > words*6:
		style = 2
	case capital+upper == 0:
		style = 3
	}
	if d.tokens[s.end-1].Shape != Period {
		style |= 4
	}
	return style
}

package model

// Features of a token for the net: rows of its table, after those of the lexicon's words. Their places are part of the
// model.
const (
	hashedWordBits, hashedEndBits = 14, 12

	ofHash    = 0                          // of words without a row of their own
	ofStart   = ofHash + 1<<hashedWordBits // first three bytes
	ofEnd     = ofStart + 1<<hashedEndBits // last three
	ofShape   = ofEnd + 1<<hashedEndBits
	ofFlags   = ofShape + 32
	ofBegun   = ofFlags + 256  // kinds of phrases that begin with it
	ofGoing   = ofBegun + 128  // kinds of phrases that continue with it
	ofCases   = ofGoing + 128  // how the document writes it, and whether it begins a sentence
	ofStyle   = ofCases + 2*16 // of the sentence
	knownRows = ofStyle + 8

	mostKnown = 10
	threeEnds = 3
)

// known returns the rows of the net's table for token i. first means that it begins its sentence.
func (d *document) known(i int, style uint64, first bool, rows *[mostKnown]uint32) []uint32 {
	t, e := &d.tokens[i], d.entry(i)
	word, base := d.text[t.Start:t.End], uint32(d.lexicon.rows)
	n := min(threeEnds, len(word))
	cases := uint32(d.cases.of(t.hash)) << 1
	if first {
		cases |= 1
	}
	known := append(rows[:0],
		e.row(),
		base+ofStart+uint32(HashWord(word[:n])>>(64-hashedEndBits)),
		base+ofEnd+uint32(HashWord(word[len(word)-n:])>>(64-hashedEndBits)),
		base+ofShape+uint32(t.Shape),
		base+ofFlags+uint32(e.flags()),
		base+ofBegun+uint32(d.phrases[i]&127),
		base+ofGoing+uint32(d.phrases[i]>>7&127),
		base+ofCases+cases,
		base+ofStyle+uint32(style))
	// Rows of clusters stand for many words, and row 0 for all others.
	if e.row() < Clusters {
		known = append(known, base+ofHash+uint32(t.hash>>(64-hashedWordBits)))
	}
	return known
}

// Known returns the tokens of a text, the rows of the net's table for each, and the number of its sentence.
func Known(l *Lexicon, text string) (tokens []Token, rows [][]uint32, within []int) {
	var d document
	d.load(text, l)
	for k, s := range d.sentences {
		style := d.style(s)
		for i := s.first; i < s.end; i++ {
			rows = append(rows, d.known(i, style, i == s.first, new([mostKnown]uint32)))
			within = append(within, k)
		}
	}
	return d.tokens, rows, within
}

// Package model is the model after package tagger: the tokens of a text, a lexicon, a small neural network, and the
// search for the best labels.
//
// A text is cut into lines, sentences and tokens. Runs of tokens that may be names (words with capital letters, and
// what joins them) are labelled: the net gives each token a score for each label, each pair of neighbours has one more,
// and the path of labels with the highest sum is the answer (Viterbi's algorithm). The labels are BIOES: a token is
// outside of names, or the begin, an inner one, the end or the single one of a person, an organisation or a place.
//
// The net knows a token by its word, how that begins, ends and is written, what lists say of it, and how the rest of
// the document writes it; and it sees two words to each side. How it learns is told in the package train.
package model

// A Model is a lexicon, a net, and what labels depend on besides. Many goroutines may use it, each with a Scratch of
// its own. It is only read.
type Model struct {
	Lexicon Lexicon
	Net     Net
	Chain   Chain
}

// A Span is a name: bytes of the text, its type, and by how much it beats the best other answer.
type Span struct {
	Start, End int
	Type       Type
	Margin     int32
}

// Confidence returns in percent how many of the names with this type and margin were right when that was measured.
func (m *Model) Confidence(s Span) uint8 {
	// Margins are counted in steps of 8; the last step stands for all above.
	return m.Chain.Confidence[s.Type][min(max(s.Margin, 0)/8, Margins-1)]
}

// A Scratch is the memory that finding names needs; it is used again. It belongs to one goroutine. After Find it
// holds nothing of the text.
type Scratch struct {
	doc     document
	emit    []scores // of the tokens of all runs
	lattice lattice
	net     netScratch
	votes   voteTable
	found   []Span // in the run at hand
}

// Find appends the names in text to dst, in their order. Names do not overlap, and none reaches over a line's end.
//
// What a word is taken for in one place speaks for it in others: after a first pass every word has votes for the types
// of the names that it was found in, and a second pass counts them.
func (m *Model) Find(text string, s *Scratch, dst []Span) []Span {
	s.doc.load(text, &m.Lexicon)
	s.score(&m.Net)
	s.votes.reset()
	// emit holds the scores of all runs one after the other, in their order; each takes its part.
	rest := s.emit
	for i := range s.doc.runs {
		r := &s.doc.runs[i]
		s.lattice.emit, rest = rest[:r.end-r.first], rest[r.end-r.first:]
		s.first(&m.Chain, r)
	}
	rest = s.emit
	for i := range s.doc.runs {
		r := &s.doc.runs[i]
		s.lattice.emit, rest = rest[:r.end-r.first], rest[r.end-r.first:]
		// A run without a name and without votes has none in the second pass either.
		if s.addVotes(&m.Chain, r) || r.named {
			s.decode(&m.Chain, r)
			dst = append(dst, s.found...)
		}
	}
	// The scratch may be kept for long in a pool: the text must not be kept with it.
	s.doc.text, s.doc.lexicon = "", nil
	return dst
}

// score sets emit to the scores of the tokens of all runs, sentence by sentence.
func (s *Scratch) score(n *Net) {
	s.emit = s.emit[:0]
	runs := s.doc.runs
	for end := 0; len(runs) > 0; runs = runs[end:] {
		for end = 1; end < len(runs) && runs[end].within == runs[0].within; end++ {
		}
		s.emit = n.read(&s.doc, runs[:end], &s.net, s.emit)
	}
}

// first finds the names of a run, and notes for their words which types they are of.
func (s *Scratch) first(c *Chain, r *run) {
	d := &s.doc
	s.decode(c, r)
	r.named = len(s.found) > 0
	i := r.first
	// Names and tokens are both in order, so one pass finds the tokens of each name.
	for _, f := range s.found {
		for ; i < r.end && int(d.tokens[i].End) <= f.End; i++ {
			if t := &d.tokens[i]; int(t.Start) >= f.Start && d.votes(t) {
				s.votes.add(t.hash, f.Type, f.Margin)
			}
		}
	}
}

// decode finds the names of a run whose scores are in the lattice.
func (s *Scratch) decode(c *Chain, r *run) {
	l := &s.lattice
	l.resize(r.end - r.first)
	s.found = s.found[:0]
	if !l.best(c) {
		return
	}
	l.backward(c)
	// first is where the name at hand begins: after the last token that closed something.
	first := 0
	for i, y := range l.path {
		if _, open := opens(int(y)); open {
			continue
		}
		if y > 0 {
			s.found = append(s.found, Span{
				Start: int(s.doc.tokens[r.first+first].Start), End: int(s.doc.tokens[r.first+i].End),
				Type: Type(y-1) / 4, Margin: l.margin(first, i+1),
			})
		}
		first = i + 1
	}
}

// votes reports whether what token t is taken for speaks for its word: one that the text does not have in lower case
// too. "apple" in lower case elsewhere says that "Apple" may be the word.
func (d *document) votes(t *Token) bool {
	return t.Shape.isCapital() && !d.cases.hasLower(t.hash)
}

// addVotes adds to the scores of a run what its words were taken for, and reports whether they were for anything.
func (s *Scratch) addVotes(c *Chain, r *run) bool {
	voted := false
	for i := r.first; i < r.end; i++ {
		t := &s.doc.tokens[i]
		if !s.doc.votes(t) {
			continue
		}
		for kind, x := range s.votes.of(t.hash) {
			voted = voted || x > 0
			// In 64ths, so that the weight of a vote can be learnt finely in whole numbers.
			bonus := min(x, c.VoteCap) * c.Vote / 64
			// All four labels of the type get it: which one is the path's business.
			for y := 1 + 4*kind; y < 5+4*kind; y++ {
				s.lattice.emit[i-r.first][y] += bonus
			}
		}
	}
	return voted
}

// Package model is the model of package tagger: a tokenizer, a lexicon, a small neural network, and the search for the
// best labels.
//
// A text is split into lines, sentences and tokens. Runs of tokens that may be names (words with capital letters and
// their connectors) are labelled. The net gives each token a score per label, and each pair of neighbours has another.
// The result is the path of labels with the highest sum (Viterbi's algorithm). The labels are BIOES: outside names, or
// the begin, inner, end or single token of a person, an organisation or a place.
//
// The features of a token are its word, prefix, suffix and shape, lists of names, and how the rest of the document
// writes it. The net also sees two words on each side. Package train describes the training.
package model

// Model is a lexicon, a net, and the other parameters of labels. It is read-only, so it is safe for concurrent use,
// with a Scratch per goroutine.
type Model struct {
	Lexicon Lexicon
	Net     Net
	Chain   Chain
}

// Span is a name: byte offsets in the text, its type, and its margin over the best other path.
type Span struct {
	Start, End int
	Type       Type
	Margin     int32
}

// Percent returns the measured percentage of right names with this type and margin.
func (c *Chain) Percent(s Span) uint8 {
	// Margins are counted in steps of 8; the last step stands for all above.
	return c.Confidence[s.Type][min(max(s.Margin, 0)/8, Margins-1)]
}

// Scratch is reusable memory for Find. It is not safe for concurrent use. After Find it does not refer to the text.
type Scratch struct {
	doc     document
	emit    []scores // of the tokens of all runs
	lattice lattice
	net     netScratch
	votes   voteTable
	found   []Span // in the current run
}

// Find appends the names in text to dst, in order and without overlaps; none crosses the end of a line or a tab.
//
// It has two passes. After the first each word has votes for the types of the names it is in, which the second pass
// counts. So the type of a word in one place supports it in others.
func (m *Model) Find(text string, s *Scratch, dst []Span) []Span {
	s.doc.load(text, &m.Lexicon)
	s.score(&m.Net)
	dst = s.names(&m.Chain, dst)
	s.doc.lexicon = nil
	return dst
}

// names appends the names of the document to dst: its tokens, runs and scores are known.
func (s *Scratch) names(c *Chain, dst []Span) []Span {
	s.votes.reset()
	s.lattice.of = nil // a trainer may have changed the chain
	// emit holds the scores of all runs one after the other.
	rest := s.emit
	for i := range s.doc.runs {
		r := &s.doc.runs[i]
		s.lattice.emit, rest = rest[:r.end-r.first], rest[r.end-r.first:]
		s.first(c, r)
	}
	rest = s.emit
	for i := range s.doc.runs {
		r := &s.doc.runs[i]
		s.lattice.emit, rest = rest[:r.end-r.first], rest[r.end-r.first:]
		// A run without a name and without votes has none in the second pass either.
		if s.addVotes(c, r) || r.named {
			s.decode(c, r)
			dst = append(dst, s.found...)
		}
	}
	// The scratch may stay in a pool for long, without the text.
	s.doc.text = ""
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

// first finds the names of a run, and adds votes for their words.
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
	// first is the start of the current name: after the last token that closed something.
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

// votes reports whether token t may vote for its word. It may not if the text also has the word in lower case: with
// "apple" elsewhere, "Apple" may be the common word.
func (d *document) votes(t *Token) bool {
	return t.Shape.isCapital() && !d.cases.hasLower(t.hash)
}

// addVotes adds the votes of words to the scores of a run, and reports whether there were any.
func (s *Scratch) addVotes(c *Chain, r *run) bool {
	voted := false
	for i := r.first; i < r.end; i++ {
		t := &s.doc.tokens[i]
		if !s.doc.votes(t) {
			continue
		}
		for kind, x := range s.votes.of(t.hash) {
			voted = voted || x > 0
			// In 64ths, so that the weight of a vote is fine enough in integers.
			bonus := min(x, c.VoteCap) * c.Vote / 64
			// All four labels of the type get it; the path decides which.
			for y := 1 + 4*kind; y < 5+4*kind; y++ {
				s.lattice.emit[i-r.first][y] += bonus
			}
		}
	}
	return voted
}

// Package model is the model behind package tagger: the tokens of a text, their features, a lexicon, weights, and the
// search for the best labels.
//
// A text is cut into lines, sentences and tokens. Runs of tokens that may be names (words with capital letters, and
// what joins them) are labelled by a linear chain: each token gets a score for each label, the sum of one row of small
// integers for each of its features, each pair of neighbours one more, and the path of labels with the highest sum is
// the answer (Viterbi's algorithm). The labels are BIOES: a token is outside of names, or the begin, an inner one, the
// end or the single one of a person, an organisation or a place.
//
// A run in which one of the tokens looks like a part of a name by these scores is read by a small neural network as
// well, whose scores are added: it sees three words to each side, and learnt from many more texts.
//
// Features are hashed to rows ("the hashing trick"). What depends on a word alone, its cluster and its vector among it,
// is folded into one row for each word of the lexicon, so that it costs nothing when a text is read. How the weights
// are learnt is told in the package train.
package model

// A Model is a lexicon, weights and a net. Many goroutines may use it, each with a Scratch of its own. They are only read.
type Model struct {
	Lexicon Lexicon
	Weights Weights
	Net     Net
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
	return m.Weights.Confidence[s.Type][min(max(s.Margin, 0)/8, Margins-1)]
}

// A Scratch is the memory that finding names needs; it is used again. It belongs to one goroutine. After Find it
// holds nothing of the text.
type Scratch struct {
	doc     document
	rows    hasher   // of the token at hand
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
	s.emit = s.emit[:0]
	s.votes.reset()
	for i := range s.doc.runs {
		s.first(m, &s.doc.runs[i])
	}
	// emit holds the scores of all runs one behind the other, in their order; each takes its part.
	rest := s.emit
	for i := range s.doc.runs {
		r := &s.doc.runs[i]
		s.lattice.emit, rest = rest[:r.end-r.first], rest[r.end-r.first:]
		// A run without a name and without votes has none in the second pass either.
		if s.addVotes(&m.Weights, r) || r.named {
			s.decode(&m.Weights, r)
			dst = append(dst, s.found...)
		}
	}
	// The scratch may be kept for long in a pool: the text must not be kept with it.
	s.doc.text, s.doc.lexicon = "", nil
	return dst
}

// first scores the tokens of a run, finds its names, and notes for their words which types they are of. It may append
// to emit and so move it; the lattice then looks at the new memory, and earlier runs at nothing.
func (s *Scratch) first(m *Model, r *run) {
	d := &s.doc
	from := len(s.emit)
	for i := r.first; i < r.end; i++ {
		d.features(i, r, &s.rows)
		s.emit = append(s.emit, m.Weights.sum(s.rows[:]))
	}
	s.lattice.emit = s.emit[from:]
	if mayBeNamed(s.lattice.emit) {
		m.Net.read(d, r, &s.net, s.lattice.emit)
	}
	s.decode(&m.Weights, r)
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

// mayBeNamed reports whether a token of a run looks like a part of a name. Half of all runs have none: words that begin
// a sentence, mostly. The net would find hardly a name there, and takes longer than all else.
func mayBeNamed(emit []scores) bool {
	for i := range emit {
		for _, x := range emit[i][1:] {
			if x > emit[i][0] {
				return true
			}
		}
	}
	return false
}

// decode finds the names of a run whose scores are in the lattice.
func (s *Scratch) decode(w *Weights, r *run) {
	l := &s.lattice
	l.resize(r.end - r.first)
	s.found = s.found[:0]
	if !l.best(w) {
		return
	}
	l.backward(w)
	// first is where the name at hand begins: behind the last token that closed something.
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
func (s *Scratch) addVotes(w *Weights, r *run) bool {
	voted := false
	for i := r.first; i < r.end; i++ {
		t := &s.doc.tokens[i]
		if !s.doc.votes(t) {
			continue
		}
		for kind, x := range s.votes.of(t.hash) {
			voted = voted || x > 0
			// In 64ths, so that the weight of a vote can be learnt finely in whole numbers.
			bonus := min(x, w.VoteCap) * w.Vote / 64
			// All four labels of the type get it: which one is the path's business.
			for y := 1 + 4*kind; y < 5+4*kind; y++ {
				s.lattice.emit[i-r.first][y] += bonus
			}
		}
	}
	return voted
}

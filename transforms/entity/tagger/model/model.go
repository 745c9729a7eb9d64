package model

// A Model is a lexicon and weights.
type Model struct {
	Lexicon Lexicon
	Weights Weights
}

// A Span is a name that was found: bytes of the text, its type, and by how much it beats the best other answer.
type Span struct {
	Start, End int
	Type       int
	Margin     int32
}

// A Scratch is the memory that finding names needs; it is used again.
type Scratch struct {
	doc     document
	rows    []uint32
	emit    []scores // of the tokens of all runs
	lattice lattice
	votes   voteTable
	found   []Span // of the run at hand
}

// Find appends the names in text to dst. What a word is taken for in one place speaks for it in others: after a first
// pass every word has votes for the types of the names that it was found in, and a second pass counts them.
func (m *Model) Find(text string, s *Scratch, dst []Span) []Span {
	d := &s.doc
	d.load(text, &m.Lexicon)
	s.emit = s.emit[:0]
	s.votes.reset()
	for _, r := range d.runs {
		style := d.style(r.within)
		for i := r.first; i < r.end; i++ {
			s.rows = d.rows(i, r.within, style, s.rows[:0])
			s.emit = append(s.emit, m.Weights.sum(s.rows))
		}
		s.lattice.emit = append(s.lattice.emit[:0], s.emit[len(s.emit)-(r.end-r.first):]...)
		s.vote(m, r)
	}
	at := 0
	for _, r := range d.runs {
		n := r.end - r.first
		s.lattice.emit = append(s.lattice.emit[:0], s.emit[at:at+n]...)
		at += n
		if m.addVotes(s, r) {
			s.decode(m, r)
			dst = append(dst, s.found...)
		}
	}
	return dst
}

// decode finds the names of a run whose scores are in the lattice.
func (s *Scratch) decode(m *Model, r run) {
	l := &s.lattice
	l.resize(r.end - r.first)
	s.found = s.found[:0]
	if !l.best(&m.Weights) {
		return
	}
	l.backward(&m.Weights)
	first := 0
	for i, y := range l.path {
		if _, open := opens(int(y)); open {
			continue
		}
		if y > 0 {
			s.found = append(s.found, Span{
				Start: int(s.doc.tokens[r.first+first].Start), End: int(s.doc.tokens[r.first+i].End),
				Type: int(y-1) / 4, Margin: l.margin(first, i+1),
			})
		}
		first = i + 1
	}
}

// vote decodes a run and notes for the words of its names their types.
func (s *Scratch) vote(m *Model, r run) {
	s.decode(m, r)
	i := r.first
	for _, f := range s.found {
		for ; i < r.end && int(s.doc.tokens[i].End) <= f.End; i++ {
			if t := &s.doc.tokens[i]; int(t.Start) >= f.Start && s.doc.votes(t) {
				s.votes.add(t.hash, f.Type, f.Margin)
			}
		}
	}
}

// votes reports whether what token t is taken for speaks for its word: it is one that is not written in lower case too.
func (d *document) votes(t *Token) bool {
	return t.Shape.isCapital() && d.cases.of(t.hash)>>2 == 0
}

// addVotes adds to the scores of a run what its words were taken for, and reports whether they were for anything.
func (m *Model) addVotes(s *Scratch, r run) bool {
	any := false
	for i := r.first; i < r.end; i++ {
		t := &s.doc.tokens[i]
		if !s.doc.votes(t) {
			continue
		}
		v := s.votes.of(t.hash)
		for kind, x := range v {
			any = any || x > 0
			bonus := min(x, m.Weights.VoteCap) * m.Weights.Vote / 64
			for y := 1 + 4*kind; y < 5+4*kind; y++ {
				s.lattice.emit[i-r.first][y] += bonus
			}
		}
	}
	for _, e := range s.lattice.emit {
		any = any || e[0] < max(e[1], e[5], e[9], e[4], e[8], e[12])+2000
	}
	return any
}

// An Example is a run of a text with its labels, to learn from.
type Example struct {
	Rows   [][]uint32 // of each token
	Labels []uint8
}

// Examples returns the runs of text. Names that are no tokens of a run are outside of what can be learnt: lost counts them.
func Examples(l *Lexicon, text string, names []Span) (examples []Example, lost int) {
	var s Scratch
	d := &s.doc
	d.load(text, l)
	at := make(map[int32]int) // token by start
	for i, t := range d.tokens {
		at[t.Start] = i
	}
	labels := make([]uint8, len(d.tokens))
	inRun := make([]bool, len(d.tokens))
	for ri, r := range d.runs {
		_ = ri
		for i := r.first; i < r.end; i++ {
			inRun[i] = true
		}
	}
	for _, n := range names {
		first, ok := at[int32(n.Start)]
		end := first
		for ; ok && end < len(d.tokens) && int(d.tokens[end].End) <= n.End; end++ {
			ok = inRun[end]
		}
		if !ok || end == first || int(d.tokens[end-1].End) != n.End {
			lost++
			continue
		}
		for i := first; i < end; i++ {
			labels[i] = uint8(Label(n.Type, i-first, end-first))
		}
	}
	for _, r := range d.runs {
		style := d.style(r.within)
		e := Example{Labels: labels[r.first:r.end]}
		for i := r.first; i < r.end; i++ {
			e.Rows = append(e.Rows, d.rows(i, r.within, style, nil))
		}
		examples = append(examples, e)
	}
	return examples, lost
}

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
	lattice lattice
}

// Find appends the names in text to dst.
func (m *Model) Find(text string, s *Scratch, dst []Span) []Span {
	d := &s.doc
	d.load(text, &m.Lexicon)
	for _, r := range d.runs {
		style := d.style(r.within)
		s.lattice.resize(r.end - r.first)
		for i := r.first; i < r.end; i++ {
			s.rows = d.rows(i, r.within, style, s.rows[:0])
			s.lattice.emit[i-r.first] = m.Weights.sum(s.rows)
		}
		if s.lattice.best(&m.Weights) {
			dst = m.spans(s, r, dst)
		}
	}
	return dst
}

func (m *Model) spans(s *Scratch, r run, dst []Span) []Span {
	l := &s.lattice
	l.backward(&m.Weights)
	first := 0
	for i, y := range l.path {
		if _, open := opens(int(y)); open {
			continue
		}
		if y > 0 {
			dst = append(dst, Span{
				Start: int(s.doc.tokens[r.first+first].Start), End: int(s.doc.tokens[r.first+i].End),
				Type: int(y-1) / 4, Margin: l.margin(first, i+1),
			})
		}
		first = i + 1
	}
	return dst
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

package model

// Paths returns the labels of the runs of a text with known names. Names that are not whole tokens of one run are left
// out, since Find cannot find them.
func Paths(l *Lexicon, text string, names []Span) (paths [][]uint8) {
	var d document
	d.load(text, l)
	paths, _ = d.paths(names)
	return paths
}

// paths returns the labels of the runs of d with known names. missed is the number of names that are left out.
func (d *document) paths(names []Span) (paths [][]uint8, missed int) {
	labels := make([]uint8, len(d.tokens))
	run := make([]int, len(d.tokens)) // by token, from 1
	byStart := make(map[int]int)
	for i, t := range d.tokens {
		byStart[int(t.Start)] = i
	}
	for k, r := range d.runs {
		for i := r.first; i < r.end; i++ {
			run[i] = k + 1
		}
	}
	for _, n := range names {
		first, ok := byStart[n.Start]
		end := first
		// A name must be made of whole tokens of one run.
		for ok && end < len(d.tokens) && int(d.tokens[end].End) <= n.End {
			ok = run[end] == run[first] && run[end] > 0
			end++
		}
		// It begins or ends within a token.
		if !ok || end == first || int(d.tokens[end-1].End) != n.End {
			missed++
			continue
		}
		for i := first; i < end; i++ {
			labels[i] = label(n.Type, i-first, end-first)
		}
	}
	for _, r := range d.runs {
		paths = append(paths, labels[r.first:r.end])
	}
	return paths, missed
}

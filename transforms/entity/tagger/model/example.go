package model

// An Example is a run of a text with its labels, to learn from.
type Example struct {
	Rows   [][]uint32 // of each token
	Labels []uint8
}

// Examples returns the runs of a text whose names are known. Those that are not tokens of one run are left out: they
// would not be found either.
func Examples(l *Lexicon, text string, names []Span) []Example {
	var d document
	d.load(text, l)
	labels := make([]uint8, len(d.tokens))
	run := make([]int, len(d.tokens)) // of each token, from 1
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
			continue
		}
		for i := first; i < end; i++ {
			labels[i] = label(n.Type, i-first, end-first)
		}
	}
	var examples []Example
	// All runs are examples, those without names too: the model has to learn what is none.
	for k := range d.runs {
		r := &d.runs[k]
		e := Example{Labels: labels[r.first:r.end]}
		for i := r.first; i < r.end; i++ {
			var h hasher
			d.features(i, r, &h)
			e.Rows = append(e.Rows, h[:])
		}
		examples = append(examples, e)
	}
	return examples
}

// Cut returns the tokens of a text, and the runs of tokens that Examples has, in its order.
func Cut(l *Lexicon, text string) (tokens []Token, runs [][2]int) {
	var d document
	d.load(text, l)
	for i := range d.runs {
		runs = append(runs, [2]int{d.runs[i].first, d.runs[i].end})
	}
	return d.tokens, runs
}

package model

// Example is a run of a text for the trainer of a Linear: the rows of each token's features, and its label.
type Example struct {
	Rows   [][]uint32
	Labels []uint8
}

// Examples returns the runs of a text with known names. Names that are not whole tokens of one run are left out, since
// Find cannot find them; missed is their number.
func (m *Linear) Examples(text string, names []Span) (all []Example, missed int) {
	var d document
	d.loadLinear(text, m)
	paths, missed := d.paths(names)
	for k := range d.runs {
		r := &d.runs[k]
		e := Example{Labels: paths[k]}
		for i := r.first; i < r.end; i++ {
			e.Rows = append(e.Rows, m.features(&d, r, i, nil))
		}
		all = append(all, e)
	}
	return all, missed
}

// HashList returns the hash in Lists of a name of at most six tokens, or 0 for a longer one.
func (m *Linear) HashList(name string) (hash uint64) {
	var d document
	d.loadLinear(name, m)
	if len(d.tokens) > maxListed {
		return 0
	}
	for _, t := range d.tokens {
		hash = join(hash, t.hash)
	}
	return hash
}

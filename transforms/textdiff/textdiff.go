// Package textdiff compares two versions of a page's text. It finds the paragraphs that are removed, added, changed or
// the same, and the changed words of changed ones.
//
// It computes longest common subsequences, first of paragraphs, then of the words of similar paragraphs. The table is
// that of Wagner and Fischer ("The string-to-string correction problem", 1974). It is bounded (maxCells): longer
// texts, without the equal parts at their ends, count as replaced.
//
//	for _, c := range textdiff.Texts(old, new) {
//		switch c.Kind { … }
//	}
package textdiff

import "strings"

// Kind is the kind of change of a paragraph or of words.
type Kind string

// The kinds.
const (
	Same    Kind = "same"
	Removed Kind = "removed"
	Added   Kind = "added"
	Changed Kind = "changed" // only of paragraphs: removed and added in one
)

// Change is a paragraph. If Kind is Changed, Parts are its words. Those that are not Added make the old paragraph,
// those that are not Removed the new one.
type Change struct {
	Kind  Kind
	Text  string // for all kinds but Changed
	Parts []Part
}

// Part is a piece of a paragraph, including white space.
type Part struct {
	Kind Kind
	Text string
}

// Bounds of the work: maxCells for one table, which is 8 MB of memory, and maxWork for all tables of two texts. That
// takes less than a tenth of a second.
const (
	maxCells = 4 << 20
	maxWork  = 32 << 20
)

// alike is the share of common words from which on two paragraphs count as one that was changed.
const alike = 0.5

// Texts compares two texts in which each line is a paragraph.
func Texts(from, to string) []Change {
	a, b := paragraphs(from), paragraphs(to)
	var list []Change
	var removed, added []string
	d := newDiffer()
	flush := func() {
		list = append(list, d.paired(removed, added)...)
		removed, added = nil, nil
	}
	for _, s := range d.compare(d.numbers(a), d.numbers(b)) {
		switch s.kind {
		case Removed:
			removed = append(removed, a[s.at])
		case Added:
			added = append(added, b[s.at])
		default:
			flush()
			list = append(list, Change{Kind: Same, Text: a[s.at]})
		}
	}
	flush()
	return list
}

func paragraphs(text string) (list []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			list = append(list, line)
		}
	}
	return list
}

// paired joins similar removed and added paragraphs in sequence to changed ones.
func (d *differ) paired(removed, added []string) (list []Change) {
	var a, b *divided // the first of each; nil if not divided yet
	for len(removed) > 0 && len(added) > 0 {
		if a == nil {
			a = d.divide(removed[0])
		}
		if b == nil {
			b = d.divide(added[0])
		}
		parts, changed := d.words(a, b)
		switch {
		case changed:
			list = append(list, Change{Kind: Changed, Parts: parts})
			removed, added, a, b = removed[1:], added[1:], nil, nil
		// The longer list has a paragraph without a counterpart. Which of the lists goes first affects only the order.
		case len(removed) >= len(added):
			list = append(list, Change{Kind: Removed, Text: removed[0]})
			removed, a = removed[1:], nil
		default:
			list = append(list, Change{Kind: Added, Text: added[0]})
			added, b = added[1:], nil
		}
	}
	for _, p := range removed {
		list = append(list, Change{Kind: Removed, Text: p})
	}
	for _, p := range added {
		list = append(list, Change{Kind: Added, Text: p})
	}
	return list
}

// words compares two paragraphs, and reports whether they are similar. Parts are made only if they are.
func (d *differ) words(a, b *divided) (parts []Part, changed bool) {
	enough := func(same int) bool { return float64(same) >= alike*float64(max(1, a.words, b.words)) }
	// Most pairs are not similar, and counting shows that: the words in common in any order are an upper bound. It
	// reads both, and the longer may be read again for each short one, so their numbers of words come first.
	if !enough(min(a.words, b.words)) || !enough(d.shared(a, b)) {
		return nil, false
	}
	steps := d.compare(a.numbers, b.numbers)
	same := 0
	for _, s := range steps {
		if s.kind == Same && !d.blank[a.numbers[s.at]] {
			same++
		}
	}
	if !enough(same) {
		return nil, false
	}
	// Consecutive steps of one kind are adjacent in their paragraph.
	for i := 0; i < len(steps); {
		kind, first := steps[i].kind, steps[i].at
		last := first
		for ; i < len(steps) && steps[i].kind == kind; i++ {
			last = steps[i].at
		}
		of := a
		if kind == Added {
			of = b
		}
		parts = append(parts, Part{kind, of.text[of.starts[first]:of.starts[last+1]]})
	}
	return parts, true
}

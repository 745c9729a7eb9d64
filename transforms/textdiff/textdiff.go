// Package textdiff tells what changed from one version of a page's text to another: which paragraphs are gone, new,
// changed or the same, and of changed ones which words.
//
// It is a longest common subsequence, by the table of Wagner and Fischer ("The string-to-string correction problem",
// 1974), of paragraphs first and then of the words of paragraphs that are much alike. The table is bounded (maxCells):
// texts that are longer, without what is the same at their ends, count as replaced.
//
//	for _, c := range textdiff.Texts(old, new) {
//		switch c.Kind { … }
//	}
package textdiff

import "strings"

// Kind is what became of a paragraph or of words.
type Kind string

// The kinds.
const (
	Same    Kind = "same"
	Removed Kind = "removed"
	Added   Kind = "added"
	Changed Kind = "changed" // of paragraphs alone: removed and added in one
)

// Change is a paragraph. Parts are its words where Kind is Changed; put together, those that are not Added are the old
// paragraph, those that are not Removed the new one.
type Change struct {
	Kind  Kind
	Text  string // of all kinds but Changed
	Parts []Part
}

// Part is a piece of a paragraph, with the white space in it.
type Part struct {
	Kind Kind
	Text string
}

// The bounds of the work: maxCells of a table, which is 8 MB of memory, and maxWork of all tables of two texts, which
// is a fifth of a second.
const (
	maxCells = 4 << 20
	maxWork  = 32 << 20
)

// differ compares two texts; left is how many cells it may still fill.
type differ struct{ left int64 }

// alike is the share of words that two paragraphs must have in common to count as one that was changed.
const alike = 0.5

// Texts compares two texts of which each line is a paragraph.
func Texts(from, to string) []Change {
	a, b := paragraphs(from), paragraphs(to)
	var list []Change
	var removed, added []string
	d := &differ{maxWork}
	flush := func() {
		list = append(list, d.paired(removed, added)...)
		removed, added = nil, nil
	}
	for _, s := range d.compare(a, b) {
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

// paired makes changed paragraphs of removed and added ones that follow each other and are much alike.
func (d *differ) paired(removed, added []string) (list []Change) {
	for len(removed) > 0 && len(added) > 0 {
		parts, share := d.words(removed[0], added[0])
		switch {
		case share >= alike:
			list = append(list, Change{Kind: Changed, Parts: parts})
			removed, added = removed[1:], added[1:]
		// The longer list has something that the other has not: which of them goes first decides nothing but the order.
		case len(removed) >= len(added):
			list = append(list, Change{Kind: Removed, Text: removed[0]})
			removed = removed[1:]
		default:
			list = append(list, Change{Kind: Added, Text: added[0]})
			added = added[1:]
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

// step is one of a sequence that makes one list of another. at is the place in the old list, of Added in the new one.
type step struct {
	kind Kind
	at   int
}

// compare is the shortest such sequence, or one that replaces all that differs where the lists are long.
func (d *differ) compare(a, b []string) (steps []step) {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		steps = append(steps, step{Same, start})
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	steps = append(steps, d.middle(a[start:endA], b[start:endB], start)...)
	for i := endA; i < len(a); i++ {
		steps = append(steps, step{Same, i})
	}
	return steps
}

// middle compares what differs at both ends. Its lists begin at the place first.
func (d *differ) middle(a, b []string, first int) (steps []step) {
	i, j := 0, 0
	// The product is made of two numbers that are below 2^31, since a text has as many bytes at most.
	if n := int64(len(a)+1) * int64(len(b)+1); n <= min(maxCells, d.left) {
		d.left -= n
		steps, i, j = common(a, b, first)
	}
	for ; i < len(a); i++ {
		steps = append(steps, step{Removed, first + i})
	}
	for ; j < len(b); j++ {
		steps = append(steps, step{Added, first + j})
	}
	return steps
}

// common walks a table whose cell (i, j) has the length of the longest common subsequence of what follows i and j. It
// returns where it ends: one of the lists is used up there.
func common(a, b []string, first int) (steps []step, i, j int) {
	width := len(b) + 1
	table := make([]uint16, (len(a)+1)*width) // no list has more than maxCells/2 entries when the other has one
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			switch cell := &table[i*width+j]; {
			case a[i] == b[j]:
				*cell = table[(i+1)*width+j+1] + 1
			default:
				*cell = max(table[(i+1)*width+j], table[i*width+j+1])
			}
		}
	}
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			steps = append(steps, step{Same, first + i})
			i, j = i+1, j+1
		case table[(i+1)*width+j] >= table[i*width+j+1]:
			steps = append(steps, step{Removed, first + i})
			i++
		default:
			steps = append(steps, step{Added, first + j})
			j++
		}
	}
	return steps, i, j
}

// words compares two paragraphs, and tells what share of the longer one's words they have in common.
func (d *differ) words(from, to string) (parts []Part, share float64) {
	a, b := tokens(from), tokens(to)
	same := 0
	for _, s := range d.compare(a, b) {
		text := ""
		if s.kind == Added {
			text = b[s.at]
		} else {
			text = a[s.at]
		}
		if s.kind == Same && strings.TrimSpace(text) != "" {
			same++
		}
		if last := len(parts) - 1; last >= 0 && parts[last].Kind == s.kind {
			parts[last].Text += text
		} else {
			parts = append(parts, Part{s.kind, text})
		}
	}
	return parts, float64(same) / float64(max(1, count(a), count(b)))
}

func count(tokens []string) (n int) {
	for _, t := range tokens {
		if strings.TrimSpace(t) != "" {
			n++
		}
	}
	return n
}

package textdiff

import "strings"

// differ compares lists of numbers, where equal numbers mean equal texts.
type differ struct {
	left  int64            // number of cells that it may still fill
	known map[string]int32 // numbers of texts: paragraphs and tokens
	blank []bool           // by number: white space
	seen  []int32          // by number, for shared; 0 otherwise
	table []uint16         // for common, reused
}

func newDiffer() *differ { return &differ{left: maxWork, known: map[string]int32{}} }

// number returns the number of a text.
func (d *differ) number(text string) int32 {
	n, is := d.known[text]
	if !is {
		n = int32(len(d.known)) // texts are shorter than 2^31 bytes
		d.known[text] = n
		d.blank, d.seen = append(d.blank, strings.TrimSpace(text) == ""), append(d.seen, 0)
	}
	return n
}

func (d *differ) numbers(list []string) []int32 {
	numbers := make([]int32, len(list))
	for i, text := range list {
		numbers[i] = d.number(text)
	}
	return numbers
}

// divided is a paragraph divided into tokens.
type divided struct {
	text    string
	starts  []int // of tokens, and the end of the text
	numbers []int32
	words   int // tokens that are not white space
}

func (d *differ) divide(text string) *divided {
	p := &divided{text: text}
	at := 0
	for _, t := range tokens(text) {
		n := d.number(t)
		p.starts, p.numbers = append(p.starts, at), append(p.numbers, n)
		if at += len(t); !d.blank[n] {
			p.words++
		}
	}
	p.starts = append(p.starts, at)
	return p
}

// shared returns the number of words that two paragraphs have in common, in any order.
func (d *differ) shared(a, b *divided) (n int) {
	for _, x := range a.numbers {
		d.seen[x]++
	}
	for _, x := range b.numbers {
		if d.seen[x] > 0 && !d.blank[x] {
			d.seen[x]--
			n++
		}
	}
	for _, x := range a.numbers {
		d.seen[x] = 0
	}
	return n
}

// step is one of a sequence of steps that turn one list into another. Field at is the index in the old list, or in the
// new one for Added.
type step struct {
	kind Kind
	at   int
}

// compare returns the shortest such sequence. If the lists are long, it returns one that replaces everything
// different.
func (d *differ) compare(a, b []int32) (steps []step) {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		steps = append(steps, step{Same, start})
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	steps = d.middle(steps, a[start:endA], b[start:endB], start)
	for i := endA; i < len(a); i++ {
		steps = append(steps, step{Same, i})
	}
	return steps
}

// middle appends the steps that turn a into b, which differ at both ends. Both begin at index first of their lists.
func (d *differ) middle(steps []step, a, b []int32, first int) []step {
	i, j := 0, 0
	// Both factors are below 2^31, since a text has at most that many bytes.
	if n := int64(len(a)+1) * int64(len(b)+1); n <= min(maxCells, d.left) {
		d.left -= n
		steps, i, j = d.common(steps, a, b, first)
	}
	for ; i < len(a); i++ {
		steps = append(steps, step{Removed, first + i})
	}
	for ; j < len(b); j++ {
		steps = append(steps, step{Added, first + j})
	}
	return steps
}

// common walks a table whose cell (i, j) has the length of the longest common subsequence from i and j on. It returns
// the indexes where it ends; one of the lists is used up there.
func (d *differ) common(steps []step, a, b []int32, first int) (all []step, i, j int) {
	width := len(b) + 1
	table := d.fill(a, b)
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

// fill fills the table, row by row from the last. The result is valid until the next call.
func (d *differ) fill(a, b []int32) []uint16 {
	width := len(b) + 1
	if size := (len(a) + 1) * width; cap(d.table) < size {
		d.table = make([]uint16, size) // a length fits: if one list is not empty, the other has at most maxCells/2
	}
	table := d.table[:(len(a)+1)*width]
	below := table[len(a)*width:]
	clear(below)
	for i := len(a) - 1; i >= 0; i-- {
		row := table[i*width:][:width]
		right := uint16(0)
		row[len(b)] = 0
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				right = below[j+1] + 1
			} else {
				right = max(right, below[j])
			}
			row[j] = right
		}
		below = row
	}
	return table
}

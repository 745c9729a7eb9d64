package main

import (
	"hash/maphash"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// aligner computes how much of each block of a page is in the labelled text. The first block with a run of three
// words of that text uses the run up. So a teaser's copy of a paragraph is not mistaken for the paragraph.
type aligner struct {
	seed   maphash.Seed
	words  []string
	runs   map[uint64]int   // of three words, with the number of unused copies
	where  map[uint64]int32 // position of each run in the text, the last of several
	lines  map[uint64]int
	blocks [][]string
	labels []float32
	at     []int32 // position of each block in the text, or -1
}

const (
	longBlock = 8  // words; a shorter block needs its surroundings to be distinguished from a menu
	margin    = 4  // blocks before the first long one, and after the last, that still count as surroundings
	reach     = 12 // maximum number of words between the end of a block and the short block after it
)

// align returns a label from 0 to 1 for each block of p.
func align(p *page.Page, text string) []float32 {
	a := &aligner{
		seed: maphash.MakeSeed(), words: tokens(text), runs: map[uint64]int{}, where: map[uint64]int32{},
		lines: map[uint64]int{}, labels: make([]float32, len(p.Blocks)), at: make([]int32, len(p.Blocks)),
	}
	for i := 0; i+3 <= len(a.words); i++ {
		h := a.hash(a.words[i : i+3])
		a.runs[h]++
		a.where[h] = int32(i)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if w := tokens(line); len(w) > 0 {
			a.lines[a.hash(w)]++
		}
	}
	for i := range p.Blocks {
		a.blocks = append(a.blocks, tokens(string(p.Text[p.Blocks[i].Start:p.Blocks[i].End])))
		a.at[i] = -1
	}
	first, last := a.long()
	for i := max(0, first-margin); i < min(len(a.blocks), last+margin+1); i++ {
		a.short(i, 1)
	}
	for i := range a.blocks {
		if a.labels[i] == 0 {
			a.short(i, 0.5)
		}
	}
	a.tiny(max(0, first-margin), min(len(a.blocks), last+margin+1))
	return a.labels
}

func (a *aligner) hash(words []string) uint64 {
	var h maphash.Hash
	h.SetSeed(a.seed)
	for _, w := range words {
		_, _ = h.WriteString(w) // never fails
		_ = h.WriteByte(' ')
	}
	return h.Sum64()
}

// long labels the long blocks and returns the first and last that are in the text, or the range of all blocks.
func (a *aligner) long() (first, last int) {
	first, last = -1, -1
	for i, w := range a.blocks {
		if len(w) < longBlock {
			continue
		}
		a.labels[i] = a.hits(w)
		if a.labels[i] > 0.5 {
			a.use(i)
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return 0, len(a.blocks) - 1
	}
	return first, last
}

// hits returns the share of w's runs of three words that are unused in the text.
func (a *aligner) hits(w []string) float32 {
	n := 0
	for j := 0; j+3 <= len(w); j++ {
		if a.runs[a.hash(w[j:j+3])] > 0 {
			n++
		}
	}
	return float32(n) / float32(len(w)-2)
}

// use marks block i's runs as used.
func (a *aligner) use(i int) {
	w := a.blocks[i]
	for j := 0; j+3 <= len(w); j++ {
		h := a.hash(w[j : j+3])
		if a.runs[h] > 0 {
			a.runs[h]--
			if a.at[i] < 0 {
				a.at[i] = max(0, a.where[h]-int32(j))
			}
		}
	}
	if h := a.hash(w); a.lines[h] > 0 {
		a.lines[h]--
	}
}

// short labels block i if it is short, by a whole line or by runs of three words. Runs have the weight trust.
func (a *aligner) short(i int, trust float32) {
	w := a.blocks[i]
	switch {
	case len(w) == 0 || len(w) >= longBlock:
	case a.lines[a.hash(w)] > 0:
		a.labels[i] = 1
		a.use(i)
	case len(w) >= 3:
		if a.labels[i] = trust * a.hits(w); a.labels[i] > 0.5 {
			a.use(i)
		}
	}
}

// tiny labels blocks of one or two words that follow the previous block in the text.
func (a *aligner) tiny(from, to int) {
	next := int32(-1)
	for i := from; i < to; i++ {
		w := a.blocks[i]
		if a.at[i] >= 0 {
			next = a.at[i] + int32(len(w))
			continue
		}
		if len(w) == 0 || len(w) > 2 || a.labels[i] > 0 || next < 0 {
			continue
		}
		for k := next; k < min(next+reach, int32(len(a.words)-len(w)+1)); k++ {
			if a.words[k] == w[0] && a.words[k+int32(len(w))-1] == w[len(w)-1] {
				a.labels[i], next = 0.9, k+int32(len(w))
				break
			}
		}
	}
}

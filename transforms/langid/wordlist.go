package langid

import (
	"hash/maphash"
	"math/bits"
	"strings"
)

// A wordList finds words in an embedded list. It keeps only the positions of lines, and reads a line when its word is
// needed. A map of the 76,597 words that tell relatives apart took 8 MiB, and 40 ms to make.
type wordList struct {
	data  string
	seed  maphash.Seed
	lines []uint32 // position of a word's line, from 1, by hash of the word; 0 is a free slot
}

func newWordList(data string) *wordList {
	// The number is a power of two; at least a quarter of the slots stay free.
	slots := 1 << bits.Len(uint(strings.Count(data, "\n"))*4/3)
	l := &wordList{data: data, seed: maphash.MakeSeed(), lines: make([]uint32, slots)}
	at := uint32(1)
	for line := range strings.Lines(data) {
		word, _, _ := strings.Cut(line, "\t")
		*l.slot(word) = at
		at += uint32(len(line))
	}
	return l
}

// slot returns the slot of word: the one that holds its position, or a free one for it.
func (l *wordList) slot(word string) *uint32 {
	mask := uint64(len(l.lines) - 1)
	for i := maphash.String(l.seed, word); ; i++ {
		s := &l.lines[i&mask]
		if *s == 0 {
			return s
		}
		if rest, ok := strings.CutPrefix(l.data[*s-1:], word); ok && strings.HasPrefix(rest, "\t") {
			return s
		}
	}
}

// appendWeights appends the languages that have word to dst. A word that is not in the list has none.
func (l *wordList) appendWeights(dst []wordWeight, word string) []wordWeight {
	at := *l.slot(word)
	if at == 0 {
		return dst
	}
	line, _, _ := strings.Cut(l.data[int(at-1)+len(word):], "\n")
	return appendWeights(dst, line)
}

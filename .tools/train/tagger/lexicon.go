package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

const (
	vectorWords = 150_000            // of GloVe in the lexicon: rarer ones are mostly numbers and codes
	ownRows     = 60_000             // the most frequent words have rows of their own
	clusters    = model.Clusters - 1 // row 0 is for words without a vector

	wordSlots   = 1 << 18
	phraseSlots = 1 << 17
)

// lexicon is the lexicon of the model with the vectors of its rows.
type lexicon struct {
	file   model.Lexicon
	rowVec []vector // by row: the vector of the word, or of its cluster
}

// buildLexicon makes the lexicon from the packages in dir.
func buildLexicon(dir string) (*lexicon, error) {
	l, err := readLists(dir)
	if err != nil {
		return nil, err
	}
	v, err := readVectors(dir, vectorWords)
	if err != nil {
		return nil, err
	}
	centers := kmeans(v.vecs[:ownRows], clusters, 12)
	x := &lexicon{rowVec: append(make([]vector, 1, 1+clusters+ownRows), centers...)}
	words, err := x.words(l, v, nearest(v.vecs, centers))
	if err != nil {
		return nil, err
	}
	phrases, err := phraseTable(l)
	if err != nil {
		return nil, err
	}
	x.file = model.NewLexicon(words, phrases, len(x.rowVec))
	return x, nil
}

// words makes the table of the words with vectors and of other names. clusterOf has the clusters of the former.
// Frequent words get their own rows, and rare words those of their clusters.
func (x *lexicon) words(l *lists, v *vectors, clusterOf []int) ([]byte, error) {
	t := newTable(wordSlots, 8)
	for i, w := range v.words {
		row := 1 + clusterOf[i]
		if i < ownRows {
			row = len(x.rowVec)
			x.rowVec = append(x.rowVec, v.vecs[i])
		}
		t.add(model.HashWord(w), model.Entry(model.HashWord(w), row, l.words[w]))
	}
	for _, w := range v.words {
		delete(l.words, w)
	}
	for _, w := range slices.Sorted(maps.Keys(l.words)) {
		if l.words[w]&^(model.RareGiven|model.Common) != 0 {
			t.add(model.HashWord(w), model.Entry(model.HashWord(w), 0, l.words[w]))
		}
	}
	return t.finish()
}

func phraseTable(l *lists) ([]byte, error) {
	t := newTable(phraseSlots, 4)
	for _, p := range slices.Sorted(maps.Keys(l.phrases)) {
		if hash, n := model.HashPhrase(p); n <= model.MaxPhrase {
			t.add(hash, model.Phrase(hash, l.phrases[p]))
		}
	}
	return t.finish()
}

// table is a hash table with open addressing.
type table struct {
	bytes       []byte
	size        int // of a slot: 4 or 8 bytes
	slots, used int
}

func newTable(slots, size int) *table {
	return &table{bytes: make([]byte, slots*size), size: size, slots: slots}
}

// add adds an entry. If the table is full, it adds nothing, and finish fails.
func (t *table) add(hash, value uint64) {
	t.used++
	if t.used >= t.slots {
		return
	}
	i := int(hash) & (t.slots - 1)
	for binary.LittleEndian.Uint32(t.bytes[i*t.size:]) != 0 || t.size == 8 &&
		binary.LittleEndian.Uint64(t.bytes[i*t.size:]) != 0 {
		i = (i + 1) & (t.slots - 1)
	}
	if t.size == 4 {
		binary.LittleEndian.PutUint32(t.bytes[i*4:], uint32(value))
		return
	}
	binary.LittleEndian.PutUint64(t.bytes[i*8:], value)
}

var errFull = errors.New("more than seven eighths of a table are full: searches would be long")

func (t *table) finish() ([]byte, error) {
	if t.used > t.slots/8*7 {
		return nil, fmt.Errorf("%w: %d of %d", errFull, t.used, t.slots)
	}
	return t.bytes, nil
}

package main

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

const (
	vectorWords = 150_000 // words of GloVe that the lexicon knows; the others hold little but names of rows of tables
	ownRows     = 60_000  // the most usual words have a row of weights of their own
	clusters    = 1023    // cluster 0 is of words without a vector
	coarse      = 63
)

// A lexicon is what the trainer knows beyond the file: what each row stands for.
type lexicon struct {
	file       model.Lexicon
	rowVec     []vector // of each row: the word's, or its cluster's
	rowCluster []int
}

func buildLexicon(dir string) (*lexicon, error) {
	l, err := readLists(dir)
	if err != nil {
		return nil, err
	}
	v, err := readVectors(dir, vectorWords)
	if err != nil {
		return nil, err
	}
	fmt.Printf("lists: %d words, %d phrases; vectors: %d\n", len(l.words), len(l.phrases), len(v.words))
	centers := kmeans(v.vecs[:min(ownRows, len(v.vecs))], clusters, 12)
	of := nearest(v.vecs, centers)
	x := &lexicon{rowVec: make([]vector, 1+clusters), rowCluster: make([]int, 1+clusters)}
	for c := range centers {
		x.rowVec[1+c], x.rowCluster[1+c] = centers[c], 1+c
	}
	words := newTable(1<<18, 8)
	for i, w := range v.words {
		flags, row := l.words[w], 1+of[i]
		if i < ownRows {
			row = len(x.rowVec)
			x.rowVec = append(x.rowVec, v.vecs[i])
			x.rowCluster = append(x.rowCluster, 1+of[i])
		}
		words.add(model.HashWord(w), model.Entry(model.HashWord(w), row, 1+of[i], flags))
		delete(l.words, w)
	}
	for _, w := range slices.Sorted(maps.Keys(l.words)) {
		if f := l.words[w] &^ (model.RareGiven | model.Common); f != 0 {
			words.add(model.HashWord(w), model.Entry(model.HashWord(w), 0, 0, l.words[w]))
		}
	}
	phrases := newTable(1<<17, 4)
	for _, p := range slices.Sorted(maps.Keys(l.phrases)) {
		if h, n := model.HashPhrase(p); n <= model.MaxPhrase {
			phrases.add(h, model.Phrase(h, l.phrases[p]))
		}
	}
	fmt.Printf("lexicon: %d words, %d rows, %d phrases\n", words.n, len(x.rowVec), phrases.n)
	up := make([]byte, 1+clusters)
	for c, g := range nearest(centers, kmeans(centers, coarse, 20)) {
		up[1+c] = byte(1 + g)
	}
	x.file = model.NewLexicon(words.bytes, phrases.bytes, up, len(x.rowVec))
	return x, nil
}

// A table is a hash table with open addressing.
type table struct {
	bytes   []byte
	size, n int
}

func newTable(slots, size int) *table { return &table{bytes: make([]byte, slots*size), size: size} }

func (t *table) add(hash, value uint64) {
	slots := uint64(len(t.bytes) / t.size)
	for i := hash & (slots - 1); ; i = (i + 1) & (slots - 1) {
		b := t.bytes[int(i)*t.size:]
		if t.size == 8 && binary.LittleEndian.Uint64(b) == 0 {
			binary.LittleEndian.PutUint64(b, value)
			break
		}
		if t.size == 4 && binary.LittleEndian.Uint32(b) == 0 {
			binary.LittleEndian.PutUint32(b, uint32(value))
			break
		}
	}
	if t.n++; t.n*8 > int(slots)*7 {
		panic("the table is too full")
	}
}

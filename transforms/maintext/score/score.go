// Package score estimates how likely each block of a page is main text, and what kind of page it is. It is the learned
// part of maintext: features of blocks, and a model trained on annotated pages.
//
// Blocks are scored twice. The first pass sees a block, its neighbours and the elements around it. Then the kind of
// the page is found. The second pass also sees the kind and first scores: of neighbours, elements around, blocks that
// look alike, and the page.
package score

import (
	_ "embed"
	"math"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/page"
)

//go:embed model.bin
var modelBytes []byte

// Default returns the built-in model. The first call parses it.
var Default = sync.OnceValue(func() *Model {
	m, err := ParseModel(modelBytes)
	if err != nil {
		panic("score: the model that is built in: " + err.Error()) // a mistake of the build
	}
	return m
})

// Hopeless is the first score below which a block is not scored again. Most blocks are navigation and the like, and a
// second score changes nothing. They hold .009 of the words of main text. With .03 a quarter more blocks are scored,
// and by cross-validation no set and no type of page gains a thousandth.
const Hopeless = 0.1

// Scorer scores one page after another and reuses its memory, which grows with the largest page. The zero value is
// ready. It is not safe for concurrent use.
type Scorer struct {
	r      reader
	c      context
	first  []float32
	second []float32
	row    row
	rows   rowBatch
	left   []uint32     // leaves by tree, without those that no row of the page reaches
	blocks [batch]int32 // of the rows
}

// Score returns a score from 0 to 1 for each block of p, and the probability of each kind. The slice is valid until
// the next call.
func (s *Scorer) Score(m *Model, p *page.Page) (scores []float32, kinds [Kinds]float32) {
	s.r.read(p)
	s.r.weigher.use(&m.words)
	n := len(p.Blocks)
	s.first, s.second = resize(s.first, n), resize(s.second, n)
	s.batches(&m.first, s.first, func(i int32) []float32 {
		return s.r.append1(s.row[:0], i)
	})
	s.c.read(&s.r, s.first)
	s.c.appendKind(s.row[:0])
	s.c.kinds = m.kindOf(&s.row)
	// Blocks that are not scored again keep their first score.
	copy(s.second, s.first)
	s.batches(&m.second, s.second, func(i int32) []float32 {
		if s.first[i] < Hopeless {
			return nil
		}
		return s.c.append2(s.row[:0], i)
	})
	return s.second, s.c.kinds
}

// batches sets the scores of blocks. For a block that needs none, features returns nil.
func (s *Scorer) batches(f *forest, scores []float32, features func(i int32) []float32) {
	n := 0
	s.left = s.left[:0]
	flush := func() {
		// Rows of an earlier batch may still follow n; their sums are not used.
		var sums [batch]float32
		f.add(s.left, &s.rows, &sums)
		for k := range n {
			scores[s.blocks[k]] = sigmoid(sums[k])
		}
		n = 0
	}
	for i := range scores {
		if r := features(int32(i)); r != nil {
			if len(s.left) == 0 {
				s.left = f.flat.remaining(s.left, &s.row)
			}
			s.rows.set(n, r)
			s.blocks[n] = int32(i)
			if n++; n == batch {
				flush()
			}
		}
	}
	if n > 0 {
		flush()
	}
}

// kindOf turns the sums of the leaves into probabilities by softmax. The sums are too small to overflow.
func (m *Model) kindOf(r *row) (kinds [Kinds]float32) {
	m.kind.flat.addClasses(r, kinds[:])
	total := float32(0)
	for i, x := range kinds {
		kinds[i] = float32(math.Exp(float64(x)))
		total += kinds[i]
	}
	for i := range kinds {
		kinds[i] /= total
	}
	return kinds
}

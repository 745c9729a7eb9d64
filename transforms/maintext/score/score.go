// Package score tells how likely each block of a page is main text, and what kind of page it is. It is the learned part
// of maintext: features of a page's blocks, and a model that was trained on pages in which people marked the text.
//
// Blocks are scored twice. The first pass sees a block, its neighbours and the elements around it. The second sees also
// the first's scores: of the neighbours, of the elements around, of what looks alike elsewhere on the page, and of the
// page, whose kind is told between the two.
package score

import (
	_ "embed"
	"math"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/page"
)

//go:embed model.bin
var modelBytes []byte

// Default returns the model that is built in. It is parsed once, when the first page is scored.
var Default = sync.OnceValue(func() *Model {
	m, err := ParseModel(modelBytes)
	if err != nil {
		panic("score: the model that is built in: " + err.Error()) // a mistake of whoever built the program
	}
	return m
})

// Hopeless is the first pass's score below which a block is not scored again. Most blocks of a page are navigation
// and the like: scoring them twice would change nothing. Of the words of main text .009 stand below it; by
// cross-validation no set and no type of page gains a thousandth where .03 is hopeless, and a quarter more is scored.
const Hopeless = 0.1

// Scorer scores pages one after another and uses its memory again. The zero value is ready. The arrays grow with the
// largest page so far.
type Scorer struct {
	r      reader
	c      context
	first  []float32
	second []float32
	row    row
	rows   rowBatch
	blocks [batch]int32 // whose rows they are
}

// Score returns a score from 0 to 1 for each block of p, and how likely p is of each kind. The result is valid until
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
	// What is not scored again keeps its first score.
	copy(s.second, s.first)
	s.batches(&m.second, s.second, func(i int32) []float32 {
		if s.first[i] < Hopeless {
			return nil
		}
		return s.c.append2(s.row[:0], i)
	})
	return s.second, s.c.kinds
}

// batches sets the scores of the blocks of which features makes a row. It returns nil for blocks that are not scored.
func (s *Scorer) batches(f *forest, scores []float32, features func(i int32) []float32) {
	n := 0
	flush := func() {
		// Rows of an earlier batch may still be after n; their sums are not used.
		var sums [batch]float32
		f.add(&s.rows, &sums)
		for k := range n {
			scores[s.blocks[k]] = sigmoid(sums[k])
		}
		n = 0
	}
	for i := range scores {
		if r := features(int32(i)); r != nil {
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

// kindOf turns the sums of the leaves into likelihoods, which add up to 1. That is the softmax of the sums. They are
// small enough not to overflow.
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

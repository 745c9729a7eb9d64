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
// and the like: scoring them twice would change nothing.
const Hopeless = 0.03

// Scorer scores pages one after another and uses its memory again. The zero value is ready. The arrays grow with the
// largest page so far.
type Scorer struct {
	r      reader
	c      context
	first  []float32
	second []float32
	sums   []float32 // of the leaves, in the first pass
	again  []float32 // in the second
	begun  queue
	rest   queue
}

// Score returns a score from 0 to 1 for each block of p, and how likely p is of each kind. Blocks in dropped are known
// not to be main text. The result is valid until the next call.
func (s *Scorer) Score(m *Model, p *page.Page, dropped []bool) (scores []float32, kinds [Kinds]float32) {
	s.r.read(p)
	s.r.weigher.use(&m.words)
	n := len(p.Blocks)
	s.first, s.second, s.sums, s.again = resize(s.first, n), resize(s.second, n), resize(s.sums, n), resize(s.again, n)
	s.pass(&m.first, min(soonFirst, len(m.first.trees)), s.sums, func(i int32, r *row) bool {
		if int(i) < len(dropped) && dropped[i] {
			s.sums[i] = float32(math.Inf(-1)) // the score 0
			return false
		}
		s.r.append1(r[:0], i)
		return true
	})
	for i, x := range s.sums {
		s.first[i] = sigmoid(x)
	}
	s.c.read(&s.r, s.first)
	// The page's row uses the batch's memory, which is free between the passes.
	s.c.appendKind(s.begun.rows[0][:0])
	s.c.kinds = m.kindOf(&s.begun.rows[0])
	// What is not scored again keeps its first score.
	copy(s.second, s.first)
	s.pass(&m.second, 0, s.again, func(i int32, r *row) bool {
		if s.first[i] < Hopeless {
			return false
		}
		s.c.append2(r[:0], i)
		return true
	})
	for i, x := range s.first {
		if x >= Hopeless {
			s.second[i] = sigmoid((1-firstShare)*s.again[i] + firstShare*s.sums[i])
		}
	}
	return s.second, s.c.kinds
}

// firstShare is how much the first pass counts for the score of a block that was scored again: each errs in its own
// way. By cross-validation the second alone has .001 less on WCXB, most of it on collections and forums.
const firstShare = 0.25

// pass sets the sums of the leaves for the blocks for which fill makes a row. fill returns false for blocks that are not
// scored. Rows that are lost after the first trees, as many as soon says, are not sent down the others.
func (s *Scorer) pass(f *forest, soon int, sums []float32, fill func(i int32, r *row) bool) {
	begun, rest := &s.begun, &s.rest
	finish := func() {
		// Rows of an earlier batch may still be behind n; their sums are not used.
		addTrees(f.trees[soon:], &rest.rows, &rest.sums)
		for k := range rest.n {
			sums[rest.blocks[k]] = rest.sums[k]
		}
		rest.n = 0
	}
	begin := func() {
		begun.sums = [batch]float32{}
		addTrees(f.trees[:soon], &begun.rows, &begun.sums)
		for k := range begun.n {
			if begun.sums[k] < lost {
				sums[begun.blocks[k]] = begun.sums[k] * goesOn
				continue
			}
			if rest.push(begun, k); rest.n == batch {
				finish()
			}
		}
		begun.n = 0
	}
	for i := range sums {
		if fill(int32(i), &begun.rows[begun.n]) {
			begun.blocks[begun.n] = int32(i)
			if begun.n++; begun.n == batch {
				begin()
			}
		}
	}
	if begin(); rest.n > 0 {
		finish()
	}
}

// What has less than lost after the first soonFirst trees of the first pass is below Hopeless in the end but for one
// row in forty; such rows get what the others would leave them in the mean.
const (
	soonFirst = 30
	lost      = -2.4
	goesOn    = 1.6
)

// queue is rows that wait until there are enough of them to go down trees side by side.
type queue struct {
	rows   rowBatch
	sums   [batch]float32 // of the leaves so far
	blocks [batch]int32
	n      int
}

// push adds row k of another queue.
func (q *queue) push(from *queue, k int) {
	q.rows[q.n], q.sums[q.n], q.blocks[q.n] = from.rows[k], from.sums[k], from.blocks[k]
	q.n++
}

// kindOf turns the sums of the leaves into likelihoods, which add up to 1. That is the softmax of the sums. They are
// small enough not to overflow.
func (m *Model) kindOf(r *row) (kinds [Kinds]float32) {
	m.kind.addClasses(r, kinds[:])
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

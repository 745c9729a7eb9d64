package main

import (
	"math"
	"math/rand/v2"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// What training depends on. All of it was chosen on the folds.
const (
	seeds    = 3    // models whose weights are averaged
	epochs   = 4    // over the examples; the weights behind each of the last half are averaged too
	rate     = 0.05 // of learning
	decay    = 1e-4 // of weights, in each step
	dropRate = 0.2  // share of the features that a token has to do without
	webScale = 2    // how many times a web page counts
	vecScale = 3    // of the vectors
	unit     = 32   // of the model's integers, which are weights in 32nds
	// negligible is the error of a token's labels that nothing is learnt from.
	negligible = 0.01
)

// Taken from the folds too: what is added to the score of a name of each type, since a name that is missed costs as
// much as one that is wrong, and how what a word is taken for elsewhere counts.
var bias = [model.Types]int32{model.Person: 16, model.Organization: 32, model.Location: 16}

const (
	vote    = 32
	voteCap = 512
)

// A trainer learns the weights of a conditional random field by AdaGrad.
//
// A weight is the sum of one that is the same in all domains and one of the domain (Daumé, "Frustratingly easy domain
// adaptation", 2007): what tweets teach about names holds for web pages, unless these say otherwise. The row of a word
// is the sum of its own weights, those of its cluster and those of its vector.
type trainer struct {
	lex     *lexicon
	domain  int    // that the model is for
	weights []cell // of each row: in all domains, then in each
	cluster []cell // of clusters, at each place
	vectors []cell // of the dimensions of the vector of the token itself
	trans   [1 + domains][model.Labels]cell
	rnd     *rand.Rand
	lattice lattice
	rows    []row // the sum of the weights that were noted
	moves   [model.Labels]row
	noted   int
}

// A cell is the weights of a feature for each label, and the sums of their squared gradients.
type cell struct{ w, g row }

type row [model.Labels]float32

func newTrainer(lex *lexicon, domain int) *trainer {
	return &trainer{lex: lex, domain: domain, rows: make([]row, model.Rows(len(lex.rowVec)))}
}

// reset forgets what was learnt, but not what was noted.
func (t *trainer) reset(seed uint64) {
	t.weights = make([]cell, len(t.rows)*(1+domains))
	t.cluster, t.vectors = make([]cell, 3*(1+clusters)), make([]cell, dims)
	t.trans = [1 + domains][model.Labels]cell{}
	t.rnd = rand.New(rand.NewPCG(seed, 0))
}

// parts calls f with each cell that row r stands for in a domain, and its factor. When dropped, those that no other row
// has are left out.
func (t *trainer) parts(r uint32, domain int, dropped bool, f func(c *cell, x float32)) {
	if !dropped {
		f(&t.weights[int(r)*(1+domains)], 1)
		f(&t.weights[int(r)*(1+domains)+1+domain], 1)
	}
	if r < model.HashedRows {
		return
	}
	n := len(t.lex.rowVec)
	place, word := int(r-model.HashedRows)/n, int(r-model.HashedRows)%n
	if word == 0 {
		return
	}
	f(&t.cluster[place*(1+clusters)+t.lex.rowCluster[word]], 1)
	if place == 1 {
		for k, x := range t.lex.rowVec[word] {
			f(&t.vectors[k], x*vecScale)
		}
	}
}

// add adds w, times x, to s.
func (s *row) add(w *row, x float32) {
	for y := range s {
		s[y] += w[y] * x
	}
}

// emit returns the scores of a token's labels.
func (t *trainer) emit(rows []uint32, domain int, dropped []bool) (s row) {
	for i, r := range rows {
		t.parts(r, domain, dropped[i], func(c *cell, x float32) { s.add(&c.w, x) })
	}
	return s
}

// learn takes a step up the gradient of the scores of a token's labels.
func (t *trainer) learn(rows []uint32, domain int, dropped []bool, gradient *row) {
	for i, r := range rows {
		t.parts(r, domain, dropped[i], func(c *cell, x float32) { c.step(gradient, x) })
	}
}

func (c *cell) step(gradient *row, x float32) {
	for y := range gradient {
		d := gradient[y]*x - decay*c.w[y]
		c.g[y] += d * d
		c.w[y] += rate * d / float32(math.Sqrt(float64(c.g[y])+1e-6))
	}
}

// An example is a run with its labels.
type example struct {
	model.Example
	domain int
}

// train learns from examples, several times from the start.
func (t *trainer) train(examples []example) {
	for seed := range seeds {
		t.learnAll(examples, uint64(seed))
	}
}

// learnAll learns from examples from the start, in an order by seed.
func (t *trainer) learnAll(examples []example, seed uint64) {
	t.reset(seed)
	order := t.rnd.Perm(len(examples))
	for epoch := range epochs {
		t.rnd.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			t.learnExample(&examples[i])
		}
		if epoch >= epochs/2 {
			t.note()
		}
	}
}

func (t *trainer) learnExample(e *example) {
	scores := make([]row, len(e.Rows))
	dropped := make([][]bool, len(e.Rows))
	for i, rows := range e.Rows {
		dropped[i] = make([]bool, len(rows))
		for k := range rows {
			dropped[i][k] = t.rnd.Float64() < dropRate
		}
		scores[i] = t.emit(rows, e.domain, dropped[i])
	}
	var trans [model.Labels]row
	for x := range trans {
		trans[x] = t.trans[0][x].w
		trans[x].add(&t.trans[1+e.domain][x].w, 1)
	}
	times := e.times()
	probs, pairs := t.lattice.forwardBackward(scores, &trans)
	want, wantPairs := e.want()
	for i := range want {
		var gradient row
		gradient.add(&want[i], times)
		gradient.add(&probs[i], -times)
		if gradient.largest() > negligible {
			t.learn(e.Rows[i], e.domain, dropped[i], &gradient)
		}
	}
	for x := range pairs {
		pairs[x].add(&wantPairs[x], -1)
		t.trans[0][x].step(&pairs[x], -times)
		t.trans[1+e.domain][x].step(&pairs[x], -times)
	}
}

// times is how many times an example counts.
func (e *example) times() float32 {
	if e.domain == web {
		return webScale
	}
	return 1
}

// want returns the probabilities that the labels of e should have, and the numbers of transitions.
func (e *example) want() (labels []row, pairs [model.Labels]row) {
	labels = make([]row, len(e.Labels))
	before := uint8(0)
	for i, y := range e.Labels {
		labels[i][y] = 1
		pairs[before][y]++
		before = y
	}
	pairs[before][0]++
	return labels, pairs
}

func (s *row) largest() (x float32) {
	for _, v := range s {
		x = max(x, v, -v)
	}
	return x
}

// note adds the weights as they are now to those that are averaged.
func (t *trainer) note() {
	t.noted++
	for r := range t.rows {
		t.parts(uint32(r), t.domain, false, func(c *cell, x float32) { t.rows[r].add(&c.w, x) })
	}
	for x := range t.moves {
		t.moves[x].add(&t.trans[0][x].w, 1)
		t.moves[x].add(&t.trans[1+t.domain][x].w, 1)
	}
}

// model returns the average of the noted weights as integers.
func (t *trainer) model() *model.Model {
	m := &model.Model{Lexicon: t.lex.file}
	w := &m.Weights
	w.Vote, w.VoteCap = vote, voteCap
	w.Rows = make([]byte, len(t.rows)*model.RowSize)
	scale := unit / float64(t.noted)
	for r := range t.rows {
		for y, v := range t.rows[r] {
			w.Rows[r*model.RowSize+y] = byte(128 + max(-128, min(127, math.Round(float64(v)*scale))))
		}
	}
	for x := range t.moves {
		for y, v := range t.moves[x] {
			w.Transitions[x][y] = int32(math.Round(float64(v) * scale))
			if kind, ok := model.Begins(y); ok {
				w.Transitions[x][y] += bias[kind]
			}
		}
	}
	return m
}

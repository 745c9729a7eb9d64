package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

const (
	lexicalRows = 1 << 17 // of each place in the window
	ranks       = 16      // weights of a row: one for each label, and three that are not used
)

// options are what training depends on.
type options struct {
	epochs      int
	rate        float64
	decay       float64 // L2
	drop        float64 // share of the words' own weights that are left out
	webTimes    float64 // weight of a document of the web
	scale       float64 // of weights to integers
	bias        float64 // taken from the label "outside" of the finished model
	domainScale float32
	dense       float32
}

// A trainer learns the weights of a conditional random field by AdaGrad.
//
// A row of weights of the model is the sum of what it is in all domains and what it is in that of web pages (Daumé,
// "Frustratingly easy domain adaptation", 2007). The row of a word is the sum of its own weights, those of its cluster,
// and those of its vector.
type trainer struct {
	o       options
	lex     *lexicon
	weights []cell // of rows of the model, in each domain
	vectors []cell // of the dimensions of vectors, at each place of the window
	cluster []cell // of clusters, at each place
	trans   [1 + domains]cells
	rnd     *rand.Rand
	lattice lattice
}

type cell struct{ w, g [model.Labels]float32 }

type cells [model.Labels]cell

const rowsOfModel = model.HashedRows + 3*lexicalRows

func newTrainer(lex *lexicon, o options) *trainer {
	return &trainer{
		o: o, lex: lex, rnd: rand.New(rand.NewPCG(7, 7)),
		weights: make([]cell, rowsOfModel*(1+domains)), vectors: make([]cell, dims), cluster: make([]cell, 3*1024),
	}
}

type row = [model.Labels]float32

// place returns of a lexical row its place in the window and its row of the lexicon.
func place(r uint32) (at int, word int, ok bool) {
	if r < model.HashedRows {
		return 0, 0, false
	}
	r -= model.HashedRows
	return int(r / lexicalRows), int(r % lexicalRows), true
}

// emit returns the scores of a token's labels in a domain.
func (t *trainer) emit(rows []uint32, domain int, dropped []bool) (s row) {
	for i, r := range rows {
		at, word, lexical := place(r)
		if !dropped[i] {
			a, b := &t.weights[int(r)*(1+domains)].w, &t.weights[int(r)*(1+domains)+1+domain].w
			for y := range s {
				s[y] += a[y] + t.o.domainScale*b[y]
			}
		}
		if !lexical || word == 0 {
			continue
		}
		add(&s, &t.cluster[at*1024+t.lex.rowInfo[word].cluster].w, 1)
		if at != 1 {
			continue
		}
		for k, x := range t.lex.rowVec[word] {
			add(&s, &t.vectors[k].w, x*t.o.dense)
		}
	}
	return s
}

func add(s, w *row, x float32) {
	for y := range s {
		s[y] += w[y] * x
	}
}

func (t *trainer) update(c *cell, g *row, x float32) {
	for y := range g {
		d := g[y]*x - float32(t.o.decay)*c.w[y]
		c.g[y] += d * d
		c.w[y] += float32(t.o.rate) * d / float32(math.Sqrt(float64(c.g[y])+1e-6))
	}
}

// learn takes a step up the gradient of a token's scores.
func (t *trainer) learn(rows []uint32, domain int, dropped []bool, g *row) {
	for i, r := range rows {
		at, word, lexical := place(r)
		if !dropped[i] {
			t.update(&t.weights[int(r)*(1+domains)], g, 1)
			t.update(&t.weights[int(r)*(1+domains)+1+domain], g, t.o.domainScale)
		}
		if !lexical || word == 0 {
			continue
		}
		t.update(&t.cluster[at*1024+t.lex.rowInfo[word].cluster], g, 1)
		if at != 1 {
			continue
		}
		for k, x := range t.lex.rowVec[word] {
			t.update(&t.vectors[k], g, x*t.o.dense)
		}
	}
}

type example struct {
	model.Example
	domain int
}

// train learns from examples.
func (t *trainer) train(examples []example) {
	order := t.rnd.Perm(len(examples))
	for range t.o.epochs {
		t.rnd.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			t.step(&examples[i])
		}
	}
}

func (t *trainer) step(e *example) {
	n := len(e.Rows)
	scores := make([]row, n)
	dropped := make([][]bool, n)
	for i, rows := range e.Rows {
		dropped[i] = make([]bool, len(rows))
		for k := range rows {
			dropped[i][k] = t.rnd.Float64() < t.o.drop
		}
		scores[i] = t.emit(rows, e.domain, dropped[i])
	}
	var trans [model.Labels]row
	for x := range trans {
		for y := range trans[x] {
			trans[x][y] = t.trans[0][x].w[y] + t.trans[1+e.domain][x].w[y]
		}
	}
	marginals, pairs := t.lattice.forwardBackward(scores, &trans)
	scale := float32(1)
	if e.domain == web {
		scale = float32(t.o.webTimes)
	}
	for x := range pairs {
		for y := range pairs[x] {
			pairs[x][y] *= -1
		}
	}
	last := uint8(0)
	for i, y := range e.Labels {
		pairs[last][y]++
		last = y
		g := marginals[i]
		for k := range g {
			g[k] *= -scale
		}
		g[y] += scale
		if largest(&g) < negligible {
			continue
		}
		t.learn(e.Rows[i], e.domain, dropped[i], &g)
	}
	pairs[last][0]++
	for x := range pairs {
		t.update(&t.trans[0][x], &pairs[x], scale)
		t.update(&t.trans[1+e.domain][x], &pairs[x], scale)
	}
}

// negligible is the error of a token's labels that nothing is learnt from.
const negligible = 0.01

func largest(r *row) (x float32) {
	for _, v := range r {
		x = max(x, v, -v)
	}
	return x
}

// lattice is the memory of forwardBackward.
type lattice struct {
	fore, back, emit, marginals []row
}

// forwardBackward returns the probabilities of the labels of each token, and the expected numbers of transitions.
func (l *lattice) forwardBackward(s []row, trans *[model.Labels]row) (marginals []row, pairs [model.Labels]row) {
	n := len(s)
	var et [model.Labels]row
	for _, p := range allowed {
		et[p[0]][p[1]] = exp(trans[p[0]][p[1]])
	}
	l.fore, l.back = resize(l.fore, n+2), resize(l.back, n+2)
	l.emit, l.marginals = resize(l.emit, n+2), resize(l.marginals, n)
	// Each column of the tables is scaled to add up to 1. A last token with label 0 closes the run.
	l.fore[0][0] = 1
	for i := 1; i <= n; i++ {
		top := slices.Max(s[i-1][:])
		for y := range s[i-1] {
			l.emit[i][y] = exp(s[i-1][y] - top)
		}
		for _, p := range allowed {
			l.fore[i][p[1]] += l.fore[i-1][p[0]] * et[p[0]][p[1]] * l.emit[i][p[1]]
		}
		scale(&l.fore[i])
	}
	l.emit[n+1][0], l.back[n+1][0] = 1, 1
	for i := n; i >= 0; i-- {
		for _, p := range allowed {
			l.back[i][p[0]] += et[p[0]][p[1]] * l.emit[i+1][p[1]] * l.back[i+1][p[1]]
		}
		scale(&l.back[i])
	}
	for i := 0; i <= n; i++ {
		var probs [len(allowed)]float32
		sum := float32(0)
		for k, p := range allowed {
			probs[k] = l.fore[i][p[0]] * et[p[0]][p[1]] * l.emit[i+1][p[1]] * l.back[i+1][p[1]]
			sum += probs[k]
		}
		for k, p := range allowed {
			pairs[p[0]][p[1]] += probs[k] / sum
			if i < n {
				l.marginals[i][p[1]] += probs[k] / sum
			}
		}
	}
	return l.marginals, pairs
}

func scale(r *row) {
	sum := float32(0)
	for _, x := range r {
		sum += x
	}
	for i := range r {
		r[i] /= sum
	}
}

func resize(r []row, n int) []row {
	if cap(r) < n {
		return make([]row, n)
	}
	clear(r[:n])
	return r[:n]
}

// allowed are the pairs of labels that may follow each other.
var allowed = func() (a [61][2]uint8) {
	n := 0
	for x := range model.Labels {
		for y := range model.Labels {
			if model.Follows(x, y) {
				a[n] = [2]uint8{uint8(x), uint8(y)}
				n++
			}
		}
	}
	if n != len(a) {
		panic(n)
	}
	return a
}()

func exp(x float32) float32 { return float32(math.Exp(float64(x))) }

// model folds what was learnt into the integers of a model for a domain.
func (t *trainer) model(domain int) *model.Model {
	m := &model.Model{Lexicon: t.lex.file}
	m.Weights.Rows = make([]byte, rowsOfModel*model.RowSize)
	for r := range rowsOfModel {
		s := t.fold(uint32(r), domain)
		for y, v := range s {
			if y == 0 && r == 0 {
				v -= 0
			}
			m.Weights.Rows[r*model.RowSize+y] = byte(128 + max(-128, min(127, math.Round(float64(v)*t.o.scale))))
		}
	}
	for x := range model.Labels {
		for y := range model.Labels {
			v := float64(t.trans[0][x].w[y] + t.trans[1+domain][x].w[y])
			if y == 0 {
				v -= t.o.bias
			}
			m.Weights.Transitions[x][y] = int32(math.Round(v * t.o.scale))
		}
	}
	return m
}

func (t *trainer) fold(r uint32, domain int) row {
	a, b := t.weights[int(r)*(1+domains)].w, &t.weights[int(r)*(1+domains)+1+domain].w
	add(&a, b, t.o.domainScale)
	at, word, lexical := place(r)
	if !lexical || word == 0 || word >= len(t.lex.rowVec) {
		return a
	}
	add(&a, &t.cluster[at*1024+t.lex.rowInfo[word].cluster].w, 1)
	if at == 1 {
		for k, x := range t.lex.rowVec[word] {
			add(&a, &t.vectors[k].w, x*t.o.dense)
		}
	}
	return a
}

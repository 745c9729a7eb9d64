package main

import (
	"math"
	"math/rand/v2"

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
	dropped []bool
}

type cell struct{ w, g, sum [model.Labels]float32 }

type cells [model.Labels]cell

const rowsOfModel = model.HashedRows + 3*lexicalRows

func newTrainer(lex *lexicon, o options) *trainer {
	return &trainer{
		o: o, lex: lex, rnd: rand.New(rand.NewPCG(7, 7)),
		weights: make([]cell, rowsOfModel*(1+domains)), vectors: make([]cell, 3*dims), cluster: make([]cell, 3*1024),
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
		for k, x := range t.lex.rowVec[word] {
			add(&s, &t.vectors[at*dims+k].w, x*t.o.dense)
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
		for k, x := range t.lex.rowVec[word] {
			t.update(&t.vectors[at*dims+k], g, x*t.o.dense)
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
	marginals, pairs := forwardBackward(scores, &trans)
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
		t.learn(e.Rows[i], e.domain, dropped[i], &g)
	}
	pairs[last][0]++
	for x := range pairs {
		t.update(&t.trans[0][x], &pairs[x], scale)
		t.update(&t.trans[1+e.domain][x], &pairs[x], scale)
	}
}

// forwardBackward returns the probabilities of the labels of each token, and the expected numbers of transitions.
func forwardBackward(s []row, trans *[model.Labels]row) ([]row, [model.Labels]row) {
	n := len(s)
	// Probabilities are kept scaled: each column of the forward table adds up to 1.
	var et [model.Labels]row
	for x := range et {
		for y := range et[x] {
			if model.Follows(x, y) {
				et[x][y] = exp(trans[x][y])
			}
		}
	}
	fore, back, em := make([]row, n+1), make([]row, n+2), make([]row, n+2)
	fore[0][0] = 1
	for i := range s {
		top := s[i][0]
		for _, v := range s[i] {
			top = max(top, v)
		}
		sum := float32(0)
		for y := range em[i+1] {
			em[i+1][y] = exp(s[i][y] - top)
			f := float32(0)
			for x := range et {
				f += fore[i][x] * et[x][y]
			}
			fore[i+1][y] = f * em[i+1][y]
			sum += fore[i+1][y]
		}
		for y := range fore[i+1] {
			fore[i+1][y] /= sum
		}
	}
	em[n+1][0], back[n+1][0] = 1, 1
	for i := n; i >= 0; i-- {
		sum := float32(0)
		for x := range et {
			b := float32(0)
			for y := range et[x] {
				b += et[x][y] * em[i+1][y] * back[i+1][y]
			}
			back[i][x] = b
			sum += b
		}
		for x := range back[i] {
			back[i][x] /= sum
		}
	}
	marginals := make([]row, n)
	var pairs [model.Labels]row
	for i := 0; i <= n; i++ {
		var p [model.Labels]row
		sum := float32(0)
		for x := range et {
			for y := range et[x] {
				p[x][y] = fore[i][x] * et[x][y] * em[i+1][y] * back[i+1][y]
				sum += p[x][y]
			}
		}
		for x := range p {
			for y := range p[x] {
				pairs[x][y] += p[x][y] / sum
				if i < n {
					marginals[i][y] += p[x][y] / sum
				}
			}
		}
	}
	return marginals, pairs
}

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
	for k, x := range t.lex.rowVec[word] {
		add(&a, &t.vectors[at*dims+k].w, x*t.o.dense)
	}
	return a
}

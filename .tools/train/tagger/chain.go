package main

import (
	"math"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// Parameters from cross-validation: the weights of neighbours and votes against the net's scores. The bias increases
// the scores of a type of names, because a missed name costs as much as a wrong one.
const (
	unit    = 32 // of scores: natural logarithms in 32nds
	links   = unit / 4
	vote    = 64 // in 64ths
	voteCap = 512
)

var bias = [model.Types]int32{model.Person: 8, model.Organization: 8}

// newChain learns how labels follow each other in docs: by the logarithm of how much more often than by chance.
func newChain(lex *lexicon, docs []labelled) (c model.Chain) {
	// Each pair counts once more than it was seen, because 0 has no logarithm.
	var pairs [model.Labels][model.Labels]float64
	var before, behind [model.Labels]float64
	all := 0.0
	add := func(x, y uint8) {
		pairs[x][y]++
		before[x]++
		behind[y]++
		all++
	}
	for x := range uint8(model.Labels) {
		for y := range uint8(model.Labels) {
			add(x, y)
		}
	}
	for _, d := range docs {
		for _, path := range model.Paths(&lex.file, d.text, d.names) {
			x := uint8(0)
			for _, y := range path {
				add(x, y)
				x = y
			}
			add(x, 0)
		}
	}
	c.Vote, c.VoteCap = vote, voteCap
	for x := range pairs {
		for y, n := range pairs[x] {
			c.Transitions[x][y] = int32(math.Round(links * math.Log(n*all/(before[x]*behind[y]))))
			if kind, ok := model.Begins(y); ok {
				c.Transitions[x][y] += bias[kind]
			}
		}
	}
	return c
}

package main

import (
	"math"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

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
		normalise(&l.fore[i])
	}
	l.emit[n+1][0], l.back[n+1][0] = 1, 1
	for i := n; i >= 0; i-- {
		for _, p := range allowed {
			l.back[i][p[0]] += et[p[0]][p[1]] * l.emit[i+1][p[1]] * l.back[i+1][p[1]]
		}
		normalise(&l.back[i])
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

// normalise makes r add up to 1.
func normalise(r *row) {
	sum := float32(0)
	for _, x := range r {
		sum += x
	}
	for i := range r {
		r[i] /= sum
	}
}

// resize returns n empty rows, in the memory of r if that is enough.
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

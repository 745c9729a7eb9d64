package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// TestForwardBackward compares the probabilities with those of all paths, counted one by one.
func TestForwardBackward(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	random := func(s *row) {
		for y := range s {
			s[y] = float32(r.NormFloat64())
		}
	}
	var l lattice
	for n := 1; n <= 3; n++ {
		scores := make([]row, n)
		var trans [model.Labels]row
		for i := range scores {
			random(&scores[i])
		}
		for x := range trans {
			random(&trans[x])
		}
		want, total := make([][model.Labels]float64, n), 0.0
		var walk func(labels []int, weight float64)
		walk = func(labels []int, weight float64) {
			before := 0
			if len(labels) > 0 {
				before = labels[len(labels)-1]
			}
			if len(labels) == n {
				if model.Follows(before, 0) {
					weight *= math.Exp(float64(trans[before][0]))
					total += weight
					for i, y := range labels {
						want[i][y] += weight
					}
				}
				return
			}
			for y := range model.Labels {
				if model.Follows(before, y) {
					walk(append(labels, y), weight*math.Exp(float64(trans[before][y]+scores[len(labels)][y])))
				}
			}
		}
		walk(nil, 1)
		probs, pairs := l.forwardBackward(scores, &trans)
		checkProbabilities(t, probs, want, total)
		sum := float32(0)
		for x := range pairs {
			for y := range pairs[x] {
				sum += pairs[x][y]
			}
		}
		if math.Abs(float64(sum)-float64(n+1)) > 1e-4 {
			t.Errorf("%d tokens: %v transitions are expected, want %d", n, sum, n+1)
		}
	}
}

func checkProbabilities(t *testing.T, got []row, want [][model.Labels]float64, total float64) {
	t.Helper()
	for i := range want {
		for y := range want[i] {
			if w := want[i][y] / total; math.Abs(float64(got[i][y])-w) > 1e-4 {
				t.Errorf("%d tokens: label %d of token %d has probability %v, want %v", len(want), y, i, got[i][y], w)
			}
		}
	}
}

package model

import (
	"math/rand/v2"
	"testing"
)

// TestLattice compares the best path and the margins with those of all paths.
func TestLattice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var c Chain
		for x := range c.Transitions {
			for y := range c.Transitions[x] {
				c.Transitions[x][y] = int32(r.IntN(41) - 20)
			}
		}
		l := lattice{emit: make([]scores, 1+r.IntN(3))}
		for i := range l.emit {
			for y := range l.emit[i] {
				l.emit[i][y] = int32(r.IntN(101) - 50)
			}
		}
		l.resize(len(l.emit))
		l.best(&c)
		l.backward(&c)
		all := paths(l.emit, &c)
		best := all[0]
		for _, p := range all {
			if p.score > best.score {
				best = p
			}
		}
		if got := score(l.emit, l.path, &c); got != best.score {
			t.Fatalf("best path %v has score %d, want %v with %d", l.path, got, best.labels, best.score)
		}
		checkMargins(t, &l, all, best.score)
	}
}

// checkMargins compares the margin of each range of tokens with the best of the paths that differ in it.
func checkMargins(t *testing.T, l *lattice, all []path, best int32) {
	t.Helper()
	for first := range l.path {
		for end := first + 1; end <= len(l.path); end++ {
			other := int32(never)
			for _, p := range all {
				if string(p.labels[first:end]) != string(l.path[first:end]) {
					other = max(other, p.score)
				}
			}
			if got := l.margin(first, end); got != best-other {
				t.Fatalf("margin(%d, %d) of %v = %d, want %d", first, end, l.path, got, best-other)
			}
		}
	}
}

type path struct {
	labels []uint8
	score  int32
}

// paths returns all paths that the rules for names allow.
func paths(emit []scores, c *Chain) (all []path) {
	var walk func(labels []uint8)
	walk = func(labels []uint8) {
		before := 0
		if len(labels) > 0 {
			before = int(labels[len(labels)-1])
		}
		if len(labels) == len(emit) {
			if Follows(before, 0) {
				all = append(all, path{append([]uint8(nil), labels...), score(emit, labels, c)})
			}
			return
		}
		for y := range Labels {
			if Follows(before, y) {
				walk(append(labels, uint8(y)))
			}
		}
	}
	walk(nil)
	return all
}

func score(emit []scores, labels []uint8, c *Chain) (sum int32) {
	before := uint8(0)
	for i, y := range labels {
		sum += c.Transitions[before][y] + emit[i][y]
		before = y
	}
	return sum + c.Transitions[before][0]
}

package model

import (
	"math"
)

// A quarter, so that sums do not overflow.
const never = math.MinInt32 / 4

// lattice holds the scores of a run. For each token and label it has the best path up to there, and the best from
// there on. The scores of single tokens are in emit, which belongs to Scratch; the other slices are reused.
type lattice struct {
	emit, fore, back []scores
	path             []uint8

	of    *Chain // whose steps these are
	steps [Labels][Labels]int32
}

// resize makes room for n tokens. Growing by half makes few allocations for many runs.
func (l *lattice) resize(n int) {
	if cap(l.fore) < n {
		k := n + n/2
		l.fore, l.back, l.path = make([]scores, k), make([]scores, k), make([]uint8, k)
	}
	l.fore, l.back, l.path = l.fore[:n], l.back[:n], l.path[:n]
}

// best finds the best path by Viterbi's algorithm, and reports whether it has a name. No name crosses the ends. emit
// has at least one token.
func (l *lattice) best(c *Chain) bool {
	for y := range Labels {
		l.fore[0][y] = never
		// The first token follows label 0, and label 0 follows the last (trace).
		if Follows(0, y) {
			l.fore[0][y] = c.Transitions[0][y] + l.emit[0][y]
		}
	}
	l.forward(c)
	return l.trace(c)
}

// forwardGeneric computes the best scores up to each token from those up to the first.
func (l *lattice) forwardGeneric(c *Chain) {
	for i := 1; i < len(l.emit); i++ {
		// Only label pairs that may be adjacent.
		for y := range Labels {
			best := int32(never)
			for _, x := range follows[y] {
				best = max(best, l.fore[i-1][x]+c.Transitions[x][y])
			}
			l.fore[i][y] = best + l.emit[i][y]
		}
	}
}

// trace reads the path back from its end, where label 0 may follow, so the last name is closed.
func (l *lattice) trace(c *Chain) (found bool) {
	i := len(l.emit) - 1
	y := l.bestBefore(c, i, 0)
	for ; ; i-- {
		l.path[i] = uint8(y)
		found = found || y != 0
		if i == 0 {
			return found
		}
		y = l.bestBefore(c, i-1, y)
	}
}

// bestBefore returns the best label of token i if y follows. It recomputes instead of storing back pointers: runs are
// short, and most have no name.
func (l *lattice) bestBefore(c *Chain, i, y int) int {
	// Equal scores go to the lower label, for stable results.
	at := int(follows[y][0])
	for _, x := range follows[y] {
		if l.fore[i][x]+c.Transitions[x][y] > l.fore[i][at]+c.Transitions[at][y] {
			at = int(x)
		}
	}
	return at
}

// backward computes the best scores from each token on. With fore they give the best path through each token and
// label.
func (l *lattice) backward(c *Chain) {
	n := len(l.emit)
	for y := range Labels {
		l.back[n-1][y] = never
		if _, open := opens(y); !open {
			l.back[n-1][y] = c.Transitions[y][0]
		}
	}
	for i := n - 2; i >= 0; i-- {
		for x := range Labels {
			best := int32(never)
			for _, y := range leads[x] {
				best = max(best, c.Transitions[x][y]+l.emit[i+1][y]+l.back[i+1][y])
			}
			l.back[i][x] = best
		}
	}
}

// margin returns by how much the best path beats the best one without the name of tokens first to end. Another path
// differs in the label of at least one. The confidence depends on it.
func (l *lattice) margin(first, end int) int32 {
	// fore and back of the path's first token: the score of the whole.
	total := l.fore[0][l.path[0]] + l.back[0][l.path[0]]
	other := int32(never)
	for i := first; i < end; i++ {
		for y := range Labels {
			if y != int(l.path[i]) {
				other = max(other, l.fore[i][y]+l.back[i][y])
			}
		}
	}
	return total - other
}

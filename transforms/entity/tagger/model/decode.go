package model

import (
	"math"
)

// A quarter, so that the sum of several does not overflow.
const never = math.MinInt32 / 4

// A lattice is the scores of a run: of each token and label the best of the paths that lead there, and of those that go
// on from there. emit is the score of each token by itself and belongs to Scratch; the others are this run's and
// their memory is used again.
type lattice struct {
	emit, fore, back []scores
	path             []uint8
}

// resize makes room for n tokens. Growing by half makes few allocations for many runs.
func (l *lattice) resize(n int) {
	if cap(l.fore) < n {
		k := n + n/2
		l.fore, l.back, l.path = make([]scores, k), make([]scores, k), make([]uint8, k)
	}
	l.fore, l.back, l.path = l.fore[:n], l.back[:n], l.path[:n]
}

// best finds the best path and reports whether there is a name in it. No name reaches over the ends. Viterbi's
// algorithm: the best path to each label, token by token. emit must hold at least one token.
func (l *lattice) best(c *Chain) bool {
	for y := range Labels {
		l.fore[0][y] = never
		// The first token follows what is outside, and so does what follows the last (trace).
		if Follows(0, y) {
			l.fore[0][y] = c.Transitions[0][y] + l.emit[0][y]
		}
	}
	for i := 1; i < len(l.emit); i++ {
		// Labels that cannot follow each other are not looked at.
		for y := range Labels {
			best := int32(never)
			for _, x := range follows[y] {
				best = max(best, l.fore[i-1][x]+c.Transitions[x][y])
			}
			l.fore[i][y] = best + l.emit[i][y]
		}
	}
	return l.trace(c)
}

// trace reads the path back from its end. The path ends where the label 0 may follow, so the last name is closed.
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

// bestBefore returns the best label of token i when y follows. It looks again instead of keeping where each best came
// from: runs are short, and most hold no name.
func (l *lattice) bestBefore(c *Chain, i, y int) int {
	// Equal scores go to the lower label, so that the answer is the same each time.
	at := int(follows[y][0])
	for _, x := range follows[y] {
		if l.fore[i][x]+c.Transitions[x][y] > l.fore[i][at]+c.Transitions[at][y] {
			at = int(x)
		}
	}
	return at
}

// backward fills in the best scores from each token on. With fore it gives for every token and label the best path
// through there.
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

// margin returns by how much the best path beats the best one without the name of tokens first to end: another path
// differs in the label of at least one of them. The name's confidence is read from it.
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

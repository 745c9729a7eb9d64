package model

import (
	"encoding/binary"
	"math"
)

// A Type is what a name names. Its numbers are part of the file: labels and confidences are in their order.
type Type int

// The types.
const (
	Person Type = iota
	Organization
	Location
	Types
)

// The labels: 0 is outside of names, and each type has four, for its first, inner and last token, and for its only one.
const (
	Labels = 1 + 4*int(Types)
	begin  = 0
	inner  = 1
	end    = 2
	single = 3
)

// label returns the label of token i of a name of n tokens. Labels of a type stand side by side: 1 + 4 times the
// type, and the place.
func label(kind Type, i, n int) uint8 {
	at := inner
	switch {
	case n == 1:
		at = single
	case i == 0:
		at = begin
	case i == n-1:
		at = end
	}
	return uint8(1 + 4*int(kind) + at)
}

// opens reports whether a name goes on behind a token with label y, and which. y is 0 outside of names; (y-1)%4 is
// then negative and not used, as y > 0 is asked too.
func opens(y int) (kind Type, ok bool) {
	at := (y - 1) % 4
	return Type(y-1) / 4, y > 0 && (at == begin || at == inner)
}

// Begins reports whether a name begins at a token with label y, and of which type.
func Begins(y int) (kind Type, ok bool) {
	at := (y - 1) % 4
	return Type(y-1) / 4, y > 0 && (at == begin || at == single)
}

// Follows reports whether label y may follow label x. A name that is open must go on, with the same type; what is not
// open may not.
func Follows(x, y int) bool {
	kind, open := opens(x)
	at := (y - 1) % 4
	continues := y > 0 && (at == inner || at == end)
	return open == continues && (!open || kind == Type(y-1)/4)
}

// follows lists for each label those that it may follow. At most 7 of the 13 may stand before or behind another, so
// the search looks at few pairs.
var follows = func() (f [Labels][]uint8) {
	for y := range f {
		for x := range f {
			if Follows(x, y) {
				f[y] = append(f[y], uint8(x))
			}
		}
	}
	return f
}()

// leads lists for each label those that may follow it.
var leads = func() (f [Labels][]uint8) {
	for x := range f {
		for y := range f {
			if Follows(x, y) {
				f[x] = append(f[x], uint8(y))
			}
		}
	}
	return f
}()

// RowSize is how many bytes a row of weights has: one for each label, from 0 for -128, and three that are not used.
const RowSize = 16

// Margins is how many steps of 8 a margin has whose confidence is known.
const Margins = 64

// Weights are what is learnt. Rows are bytes with 128 for zero, and the transitions have the unit of their sums.
type Weights struct {
	Rows        []byte // of hashed features, then of the words of the lexicon at three places
	Transitions [Labels][Labels]int32
	Vote        int32 // how much a vote counts, in 64ths
	VoteCap     int32 // the most that the votes for a type count
	Confidence  [Types][Margins]uint8
}

type scores [Labels]int32

// sum adds up rows of weights. Four of the labels' weights lie in the lanes of each word of 64 bits: the sum of at most
// 256 rows fits into 16 bits.
func (w *Weights) sum(rows []uint32) scores {
	// Even and odd bytes are added apart, so that each sum has 16 bits of room: 256 times 255 is
	// 65,280.
	const even = 0x00FF00FF00FF00FF
	var a, b, c, d uint64
	for _, r := range rows {
		row := w.Rows[int(r)*RowSize : int(r)*RowSize+RowSize]
		lo, hi := binary.LittleEndian.Uint64(row), binary.LittleEndian.Uint64(row[8:])
		a += lo & even
		b += lo >> 8 & even
		c += hi & even
		d += hi >> 8 & even
	}
	// Each row has its zero at 128.
	bias := int32(len(rows)) * 128
	var s scores
	for i := range s {
		// Label i is byte i of the row: of the first or second word, even or odd, and there in lane
		// i%8/2.
		lane := [4]uint64{a, b, c, d}[i/8*2+i%2]
		s[i] = int32(lane>>(i%8/2*16)&0xFFFF) - bias
	}
	return s
}

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
func (l *lattice) best(w *Weights) bool {
	for y := range Labels {
		l.fore[0][y] = never
		// The first token follows what is outside, and so does what follows the last (trace).
		if Follows(0, y) {
			l.fore[0][y] = w.Transitions[0][y] + l.emit[0][y]
		}
	}
	for i := 1; i < len(l.emit); i++ {
		// Labels that cannot follow each other are not looked at.
		for y := range Labels {
			best := int32(never)
			for _, x := range follows[y] {
				best = max(best, l.fore[i-1][x]+w.Transitions[x][y])
			}
			l.fore[i][y] = best + l.emit[i][y]
		}
	}
	return l.trace(w)
}

// trace reads the path back from its end. The path ends where the label 0 may follow, so the last name is closed.
func (l *lattice) trace(w *Weights) (found bool) {
	i := len(l.emit) - 1
	y := l.bestBefore(w, i, 0)
	for ; ; i-- {
		l.path[i] = uint8(y)
		found = found || y != 0
		if i == 0 {
			return found
		}
		y = l.bestBefore(w, i-1, y)
	}
}

// bestBefore returns the best label of token i when y follows. It looks again instead of keeping where each best came
// from: runs are short, and most hold no name.
func (l *lattice) bestBefore(w *Weights, i, y int) int {
	// Equal scores go to the lower label, so that the answer is the same each time.
	at := int(follows[y][0])
	for _, x := range follows[y] {
		if l.fore[i][x]+w.Transitions[x][y] > l.fore[i][at]+w.Transitions[at][y] {
			at = int(x)
		}
	}
	return at
}

// backward fills in the best scores from each token on. With fore it gives for every token and label the best path
// through there.
func (l *lattice) backward(w *Weights) {
	n := len(l.emit)
	for y := range Labels {
		l.back[n-1][y] = never
		if _, open := opens(y); !open {
			l.back[n-1][y] = w.Transitions[y][0]
		}
	}
	for i := n - 2; i >= 0; i-- {
		for x := range Labels {
			best := int32(never)
			for _, y := range leads[x] {
				best = max(best, w.Transitions[x][y]+l.emit[i+1][y]+l.back[i+1][y])
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

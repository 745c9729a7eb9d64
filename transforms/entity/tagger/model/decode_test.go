package model

import (
	"math/rand/v2"
	"testing"
)

// TestLattice compares the best path and the margins with those of all paths.
func TestLattice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var w Weights
		for x := range w.Transitions {
			for y := range w.Transitions[x] {
				w.Transitions[x][y] = int32(r.IntN(41) - 20)
			}
		}
		l := lattice{emit: make([]scores, 1+r.IntN(3))}
		for i := range l.emit {
			for y := range l.emit[i] {
				l.emit[i][y] = int32(r.IntN(101) - 50)
			}
		}
		l.resize(len(l.emit))
		l.best(&w)
		l.backward(&w)
		all := paths(l.emit, &w)
		best := all[0]
		for _, p := range all {
			if p.score > best.score {
				best = p
			}
		}
		if got := score(l.emit, l.path, &w); got != best.score {
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

// paths returns all paths that names allow.
func paths(emit []scores, w *Weights) (all []path) {
	var walk func(labels []uint8)
	walk = func(labels []uint8) {
		before := 0
		if len(labels) > 0 {
			before = int(labels[len(labels)-1])
		}
		if len(labels) == len(emit) {
			if Follows(before, 0) {
				all = append(all, path{append([]uint8(nil), labels...), score(emit, labels, w)})
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

func score(emit []scores, labels []uint8, w *Weights) (sum int32) {
	before := uint8(0)
	for i, y := range labels {
		sum += w.Transitions[before][y] + emit[i][y]
		before = y
	}
	return sum + w.Transitions[before][0]
}

func TestWeights_sum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	w := Weights{Rows: make([]byte, 300*RowSize)}
	for i := range w.Rows {
		w.Rows[i] = byte(r.Uint32())
	}
	var rows []uint32
	var want scores
	for range 256 {
		row := r.Uint32N(300)
		rows = append(rows, row)
		for y := range want {
			want[y] += int32(w.Rows[int(row)*RowSize+y]) - 128
		}
	}
	if got := w.sum(rows); got != want {
		t.Errorf("sum = %v, want %v", got, want)
	}
	if got := w.sumGeneric(rows); got != want {
		t.Errorf("sumGeneric = %v, want %v", got, want)
	}
	if got := w.sum(nil); got != (scores{}) {
		t.Errorf("sum of nothing = %v, want zeroes", got)
	}
}

// TestWeights_sumOfMissingRow holds the assembly to what Go does with a row behind the last.
func TestWeights_sumOfMissingRow(t *testing.T) {
	w := Weights{Rows: make([]byte, 300*RowSize)}
	for _, row := range []uint32{300, 1<<32 - 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the sum of row %d of 300 does not panic", row)
				}
			}()
			w.sum([]uint32{1, row})
		}()
	}
}

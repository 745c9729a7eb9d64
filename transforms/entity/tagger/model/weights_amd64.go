//go:build !purego

package model

import "golang.org/x/sys/cpu"

// hasAVX2 tells whether the processor has the instructions that addRows is made of. Nearly all since 2015 have.
var hasAVX2 = cpu.X86.HasAVX2

// The assembly knows this.
var _ [0]struct{} = [RowSize - 16]struct{}{}

// addRows sets sums to the sums of rows of weights, byte by byte, of 256 rows at most, and reports whether all are in
// weights. Rows are far from each other in memory: what it gains is that the processor asks for more of them at once.
//
//go:noescape
func addRows(weights []byte, rows []uint32, sums *[RowSize]uint16) bool

// sum adds up rows of weights, 256 at most.
func (w *Weights) sum(rows []uint32) (s scores) {
	var sums [RowSize]uint16
	if !hasAVX2 || !addRows(w.Rows, rows, &sums) {
		return w.sumGeneric(rows) // which panics for a row that there is not
	}
	// Each row has its zero at 128.
	bias := int32(len(rows)) * 128
	for i := range s {
		s[i] = int32(sums[i]) - bias
	}
	return s
}

//go:build !purego

package model

import "golang.org/x/sys/cpu"

// hasAVX2 reports whether the processor has the assembly's instructions; nearly all since 2015 have.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// The assembly assumes these values.
var (
	_ [0]struct{} = [Width - 64]struct{}{}
	_ [0]struct{} = [NetScores - 16]struct{}{}
	_ [0]struct{} = [weightBits - 12]struct{}{}
	_ [0]struct{} = [ValueUnit/EmbedUnit - 1<<3]struct{}{}
	_ [0]struct{} = [Labels - 13]struct{}{}
	_ [0]struct{} = [never + 1<<29]struct{}{}
)

// addLayer is layerGeneric in assembly. It skips pairs of values that are zero, nearly half of all.
//
//go:noescape
func addLayer(weights *int16, bias *[Width]int32, window *[Window]int16, values *[Width]int16)

// addProducts adds to sums the products of pairs of values and of their weights.
//
//go:noescape
func addProducts(sums *[NetScores]int32, weights *int16, values *[Width]int16)

// addEmbeddings is embedGeneric in assembly, and reports whether all rows are in the table.
//
//go:noescape
func addEmbeddings(table []byte, rows []uint32, values *[Width]int16) bool

func (a *Affine) layer(window *[Window]int16, values *[Width]int16) {
	if !hasAVX2 {
		a.layerGeneric(window, values)
		return
	}
	_ = a.Weights[Width*Window-1] // bounds check for the assembly
	addLayer(&a.Weights[0], (*[Width]int32)(a.Bias), window, values)
}

func (a *Affine) scores(values *[Width]int16) (s [NetScores]int32) {
	if !hasAVX2 {
		return a.scoresGeneric(values)
	}
	_ = a.Weights[NetScores*Width-1]
	s = [NetScores]int32(a.Bias)
	addProducts(&s, &a.Weights[0], values)
	return s
}

func (n *Net) embed(rows []uint32, values *[Width]int16) {
	if !hasAVX2 || !addEmbeddings(n.Table, rows, values) {
		n.embedGeneric(rows, values) // panics for a missing row
	}
}

// requestRows requests the rows of a table that differ from token to token: the first three, and the last.
//
//go:noescape
func requestRows(table *byte, rows []uint32)

// request requests rows of the table from memory, without waiting for them.
func (n *Net) request(rows []uint32) {
	if len(rows) >= 3 {
		requestRows(&n.Table[0], rows)
	}
}

// forwardScores is forwardGeneric in assembly, for n tokens. Steps are the transitions, and never where there is none.
//
//go:noescape
func forwardScores(steps *[Labels][Labels]int32, emit, fore *scores, n int)

func (l *lattice) forward(c *Chain) {
	n := len(l.emit)
	if n < 2 {
		return
	}
	if !hasAVX2 {
		l.forwardGeneric(c)
		return
	}
	_ = l.fore[n-1] // bounds check for the assembly
	forwardScores(l.stepsOf(c), &l.emit[0], &l.fore[0], n)
}

// stepsOf returns the transitions of a chain for forwardScores.
func (l *lattice) stepsOf(c *Chain) *[Labels][Labels]int32 {
	if l.of == c {
		return &l.steps
	}
	l.of = c
	for y := range Labels {
		for x := range Labels {
			l.steps[x][y] = never
		}
		for _, x := range follows[y] {
			l.steps[x][y] = c.Transitions[x][y]
		}
	}
	return &l.steps
}

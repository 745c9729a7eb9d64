//go:build !purego

package model

// The assembly assumes these values.
var (
	_ [0]struct{} = [Width - 64]struct{}{}
	_ [0]struct{} = [Window - 192]struct{}{}
	_ [0]struct{} = [NetScores - 16]struct{}{}
	_ [0]struct{} = [ValueUnit/EmbedUnit - 1<<3]struct{}{}
)

// addLayer is multiply for a layer, in assembly. It takes a tenth of the instructions.
//
//go:noescape
func addLayer(sums *[Width]int32, weights *int16, values *[Window]int16)

// addProducts is multiply for scores.
//
//go:noescape
func addProducts(sums *[NetScores]int32, weights *int16, values *[Width]int16)

// addEmbeddings is embedGeneric in assembly, and reports whether all rows are in the table.
//
//go:noescape
func addEmbeddings(table []byte, rows []uint32, values *[Width]int16) bool

func (a *Affine) layer(window *[Window]int16, values *[Width]int16) {
	_ = a.Weights[Width*Window-1] // bounds check for the assembly
	sums := [Width]int32(a.Bias)
	addLayer(&sums, &a.Weights[0], window)
	finishLayer(&sums, window, values)
}

func (a *Affine) scores(values *[Width]int16) (s [NetScores]int32) {
	_ = a.Weights[NetScores*Width-1]
	s = [NetScores]int32(a.Bias)
	addProducts(&s, &a.Weights[0], values)
	return s
}

func (n *Net) embed(rows []uint32, values *[Width]int16) {
	if !addEmbeddings(n.Table, rows, values) {
		n.embedGeneric(rows, values) // panics for a missing row
	}
}

func (n *Net) request([]uint32) {}

func (l *lattice) forward(c *Chain) { l.forwardGeneric(c) }

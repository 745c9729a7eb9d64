//go:build !amd64 || purego

package score

// add adds the leaves of the rows to sums.
func (f *forest) add(_ []uint32, b *rowBatch, sums *[batch]float32) { f.addGeneric(b, sums) }

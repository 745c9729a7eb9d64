//go:build !amd64 || purego

package score

// add adds to sums what the trees say of the rows.
func (f *forest) add(b *rowBatch, sums *[batch]float32) { f.addGeneric(b, sums) }

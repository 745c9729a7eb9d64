//go:build !amd64 || purego

package model

// sum adds up rows of weights, 256 at most.
func (w *Weights) sum(rows []uint32) scores { return w.sumGeneric(rows) }

//go:build !amd64 || purego

package minhash

func (m *Maker) minima(sequences []uint64) { m.minimaGeneric(sequences) }

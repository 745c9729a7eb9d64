package inflate

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// randomCode returns the lengths of a complete code of n symbols, in a random order. It splits codes in two until there
// are enough. If deep is true, it mostly splits the longest.
func randomCode(r *rand.Rand, n int, deep bool) []uint8 {
	lengths := []uint8{1, 1}
	for len(lengths) < n {
		i := r.IntN(len(lengths))
		if deep && r.IntN(8) > 0 {
			i = len(lengths) - 1
		}
		if lengths[i] < maxCodeBits {
			lengths[i]++
			lengths = append(lengths, lengths[i])
		}
		if lengths[len(lengths)-1] == maxCodeBits && r.IntN(2) == 0 {
			j := r.IntN(len(lengths))
			lengths[j], lengths[len(lengths)-1] = lengths[len(lengths)-1], lengths[j]
		}
	}
	r.Shuffle(n, func(i, j int) { lengths[i], lengths[j] = lengths[j], lengths[i] })
	return lengths
}

// TestBuild_everyCodeIsFound looks up every code of many, each with random bits after it.
func TestBuild_everyCodeIsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var tabs tables
	for i := range 2000 {
		table, tableBits, symbols := tabs.litlen[:], litlenBits, litlenSymbols[:]
		if i%2 == 0 {
			table, tableBits, symbols = tabs.dist[:], distBits, distSymbols[:]
		}
		lengths := randomCode(r, 2+r.IntN(len(symbols)-1), i%3 == 0)
		if !build(table, tableBits, lengths, symbols) {
			t.Fatalf("build(%v) = false", lengths)
		}
		code := uint16(0)
		for l := uint(1); l <= maxCodeBits; l++ {
			code <<= 1
			for s, n := range lengths {
				if uint(n) != l {
					continue
				}
				next := uint64(bits.Reverse16(code)>>(16-l)) | r.Uint64()<<l
				want := symbols[s] + entry(l)*oneBit
				if got := find(table, uint(tableBits), next); got != want {
					t.Fatalf("find(%b) = %x, want %x of symbol %d in %v", next, got, want, s, lengths)
				}
				code++
			}
		}
	}
}

//go:build !purego

package minhash

import "golang.org/x/sys/cpu"

// hasAVX2 reports whether the processor has the assembly's instructions; nearly all since 2015 have.
var hasAVX2 = cpu.X86.HasAVX2

// group is eight functions as the assembly reads them: the halves of their factors, and the summands of functions with
// even and with odd numbers.
type group struct {
	low, high [8]uint32
	even, odd [4]uint64
}

var groups = func() (list [len(factors) / 8]group) {
	for i, f := range factors {
		g, j := &list[i/8], i%8
		g.low[j], g.high[j] = uint32(f.odd), uint32(f.odd>>32)
		if j%2 == 0 {
			g.even[j/2] = f.add
		} else {
			g.odd[j/2] = f.add
		}
	}
	return list
}()

// minimaAVX2 sets the minima of eight functions over n sequences, at least one.
//
//go:noescape
func minimaAVX2(functions *group, sequences *uint64, n int, minima *[8]uint32)

func (m *Maker) minima(sequences []uint64) {
	if !hasAVX2 {
		m.minimaGeneric(sequences)
		return
	}
	for i := range groups {
		minimaAVX2(&groups[i], &sequences[0], len(sequences), (*[8]uint32)(m.mins[i*8:]))
	}
}

//go:build !purego

package inflate

import "golang.org/x/sys/cpu"

// hasBMI2 tells whether the processor has the instructions that fastBMI2 is made of; all since 2015 have.
var hasBMI2 = cpu.X86.HasBMI2 && cpu.X86.HasSSSE3

// What fastBMI2 returns.
const (
	fastStopped  = iota // as fastGeneric does without an error
	fastSymbol          // errSymbol
	fastDistance        // errDistance
)

// patterns[d] are the indices by which half bytes are made of a repetition of the first d of them, and strides[d] is how
// many of them are whole repetitions.
var patterns, strides = makePatterns()

func makePatterns() (p [half][half]uint8, s [half]uint64) {
	for d := 1; d < half; d++ {
		for i := range half {
			p[d][i] = uint8(i % d)
		}
		s[d] = uint64(half - half%d)
	}
	return p, s
}

// The assembly knows these.
var (
	_ [0]struct{} = [distBits - 8]struct{}{}
	_ [0]struct{} = [half - 16]struct{}{}
)

// fastBMI2 is fastGeneric in assembly. The cursor must be roomy.
//
//go:noescape
func fastBMI2(t *tables, c *cursor) (result int)

func (t *tables) fast(c *cursor) error {
	if !hasBMI2 {
		return t.fastGeneric(c)
	}
	if !c.roomy() {
		return nil
	}
	switch fastBMI2(t, c) {
	case fastSymbol:
		return errSymbol
	case fastDistance:
		return errDistance
	}
	return nil
}

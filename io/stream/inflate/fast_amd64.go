//go:build !purego

package inflate

import "golang.org/x/sys/cpu"

// hasBMI2 reports whether the processor has the instructions that fastBMI2 is made of. Nearly all since 2015 have.
var hasBMI2 = cpu.X86.HasBMI2 && cpu.X86.HasSSSE3

// What fastBMI2 returns, and the error that stands for.
const (
	fastStopped  = iota // nil
	fastSymbol          // errSymbol
	fastDistance        // errDistance
)

// repetition is how half bytes are made that repeat their first d ones: from which index each is copied, and after
// that, how many of them are whole repetitions.
type repetition [2 * half]uint8

// repetitions are indexed by d.
var repetitions = makeRepetitions()

func makeRepetitions() (r [half]repetition) {
	for d := 1; d < half; d++ {
		for i := range half {
			r[d][i] = uint8(i % d)
		}
		r[d][half] = uint8(half - half%d)
	}
	return r
}

// The assembly knows these.
var (
	_ [0]struct{} = [distBits - 8]struct{}{}
	_ [0]struct{} = [half - 16]struct{}{}
)

// fastBMI2 is fastGeneric in assembly, which takes a sixth less time. The cursor must be roomy. As all assembly, it
// lets the garbage collector wait until it returns: some milliseconds when dst has room for megabytes.
//
//go:noescape
func fastBMI2(t *tables, c *cursor, r *[half]repetition) (result int)

func (t *tables) fast(c *cursor) error {
	if !hasBMI2 {
		return t.fastGeneric(c)
	}
	if !c.roomy() {
		return nil
	}
	switch fastBMI2(t, c, &repetitions) {
	case fastSymbol:
		return errSymbol
	case fastDistance:
		return errDistance
	}
	return nil
}

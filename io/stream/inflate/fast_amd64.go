//go:build !purego

package inflate

import "golang.org/x/sys/cpu"

// hasBMI2 reports whether the processor has the instructions in fastBMI2. Nearly all since 2015 have them.
var hasBMI2 = cpu.X86.HasBMI2 && cpu.X86.HasSSSE3

// The results of fastBMI2, with their errors.
const (
	fastStopped  = iota // nil
	fastSymbol          // errSymbol
	fastDistance        // errDistance
)

// repetition makes half bytes that repeat their first d ones. First it has the source index of each byte, then the
// number of them that are whole repetitions.
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

// The assembly depends on these values.
var (
	_ [0]struct{} = [distBits - 8]struct{}{}
	_ [0]struct{} = [half - 16]struct{}{}
)

// fastBMI2 is fastGeneric in assembly, which takes a sixth less time. The cursor must be roomy. Like all assembly, it
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

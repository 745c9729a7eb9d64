//go:build !purego

package digest

import "golang.org/x/sys/cpu"

// hasPair reports whether the processor has Intel's SHA extensions. Most have them since 2017.
// A processor with BMI2 has leaf 7 of CPUID.
var hasPair = cpu.X86.HasAVX2 && cpu.X86.HasBMI2 && cpu.X86.HasSSSE3 && extensions()&(1<<29) != 0

// extensions returns register EBX of leaf 7 of CPUID, which golang.org/x/sys/cpu has in part.
func extensions() uint32

// blockPair updates two states of SHA-1, of five words each, by blocks of 64 bytes at a and at b. The rounds of one
// hash wait for each other, so rounds of another are free in between. Like all assembly, it lets the garbage collector
// wait until it returns, as crypto/sha1 does.
//
//go:noescape
func blockPair(states *[2][8]uint32, a, b *byte, blocks int)

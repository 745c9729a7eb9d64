//go:build !purego

package zstd

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasBMI2 reports whether the processor has the instructions in the assembly. Nearly all since 2015 have them.
var hasBMI2 = cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasSSE41

// repetition makes a chunk that repeats its first d bytes. First it has the source index of each byte, then the number
// of them that are whole repetitions.
type repetition [2 * chunk]uint8

// shuffles are the patterns by which the assembly moves bytes.
type shuffles struct {
	repetitions [chunk]repetition // indexed by d

	// The changes of block.recent when one of its distances is recalled, or a new one, the fourth: that comes first.
	recalls [4][chunk]uint8
}

var shuffled = makeShuffles()

func makeShuffles() (s shuffles) {
	for d := 1; d < chunk; d++ {
		for i := range chunk {
			s.repetitions[d][i] = uint8(i % d)
		}
		s.repetitions[d][chunk] = uint8(chunk - chunk%d)
	}
	for i, order := range [4][4]uint8{{0, 1, 2, 3}, {1, 0, 2, 3}, {2, 0, 1, 3}, {3, 0, 1, 3}} {
		for j := range chunk {
			s.recalls[i][j] = 4*order[j/4] + uint8(j%4)
		}
	}
	return s
}

// The assembly depends on these values.
var (
	_ [0]struct{} = [chunk - 16]struct{}{}
	_ [0]struct{} = [extraShift - 8]struct{}{}
	_ [0]struct{} = [valueShift - 16]struct{}{}
	_ [0]struct{} = [inRound - 5]struct{}{}
)

// sequencesBMI2 is fastGeneric in assembly. The block must be roomy. As all assembly, it lets the garbage collector
// wait until it returns: for a block at most.
//
//go:noescape
func sequencesBMI2(b *block, c *cursor, s *shuffles, limit int, window int64)

func (d *Decoder) fast(c *cursor) {
	limit := min(c.limit, cap(c.dst)-outMargin)
	switch {
	case !d.block.roomy(c, limit):
	case hasBMI2:
		d.block.bits.fill()
		sequencesBMI2(&d.block, c, &shuffled, limit, d.frame.window)
	default:
		d.block.fastGeneric(c, limit, d.frame.window)
	}
}

// literalsBMI2 is lanesGeneric in assembly.
//
//go:noescape
func literalsBMI2(h *huffman, dst unsafe.Pointer, quarter, last int, l *[4]lane) (done int)

func (h *huffman) lanes(dst unsafe.Pointer, quarter, last int, l *[4]lane) (done int) {
	if hasBMI2 {
		return literalsBMI2(h, dst, quarter, last, l)
	}
	return h.lanesGeneric(dst, quarter, last, l)
}

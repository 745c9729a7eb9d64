package zstd

import (
	"encoding/binary"
	"math/bits"
)

// bitReader reads a bitstream backwards, from the highest bit of its last byte on (RFC 8878 section 4.1).
type bitReader struct {
	src []byte
	pos int // of src, that is not in word

	// The last read bytes of src, as one number. Its lowest n bits are still unused, and the highest of them is the
	// next one. It holds src[pos:pos+8], or all of src if that is less.
	word uint64
	n    uint
}

// init begins to read src. It returns false if src is not a bitstream: the highest set bit in its last byte marks the
// end.
func (b *bitReader) init(src []byte) bool {
	if len(src) == 0 || src[len(src)-1] == 0 {
		return false
	}
	b.src, b.pos = src, max(len(src)-8, 0)
	b.word = littleEndian(src[b.pos:])
	b.n = uint(bits.Len64(b.word)) - 1
	return true
}

// fill reads until there are 56 to 63 bits, or all that remain.
func (b *bitReader) fill() {
	if k := min(int(63-b.n)>>3, b.pos); k > 0 {
		b.pos -= k
		b.word = binary.LittleEndian.Uint64(b.src[b.pos:])
		b.n += 8 * uint(k)
	}
}

// read uses k bits, 56 at most, and returns them. It returns false if there are fewer.
func (b *bitReader) read(k uint) (v uint, ok bool) {
	b.fill()
	if k > b.n {
		return 0, false
	}
	b.n -= k
	return uint(b.word>>(b.n&63)) & (1<<k - 1), true
}

// peek returns the next k bits, 56 at most, with zeros after the last one.
func (b *bitReader) peek(k uint) uint {
	b.fill()
	v := b.word
	if b.n < k {
		v <<= k - b.n
	} else {
		v >>= b.n - k
	}
	return uint(v) & (1<<k - 1)
}

// atEnd reports whether all bits are used.
func (b *bitReader) atEnd() bool { return b.n == 0 && b.pos == 0 }

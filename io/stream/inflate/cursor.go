package inflate

import "encoding/binary"

// cursor is the progress of a call of Decode.
type cursor struct {
	dst []byte // decoded so far; never reallocated
	low int    // start of the stream's window in dst, the limit of matches
	src []byte
	pos int // in src, of the first byte that n does not count

	// Bits read from src and not yet used, the next one lowest. n of them count. Those above are zero or the next bits
	// of src, so that reading them again changes nothing.
	bits uint64
	n    uint
}

// fill reads bits until there are at least 56, or src is at its end.
func (c *cursor) fill() {
	if len(c.src)-c.pos >= 8 {
		c.bits |= binary.LittleEndian.Uint64(c.src[c.pos:]) << (c.n & 63)
		c.pos += int((63 - c.n) >> 3)
		c.n |= 56
		return
	}
	for c.n < 56 && c.pos < len(c.src) {
		c.bits |= uint64(c.src[c.pos]) << (c.n & 63)
		c.pos++
		c.n += 8
	}
}

// skip uses k bits. There must be as many.
func (c *cursor) skip(k uint) {
	c.bits >>= k & 63
	c.n -= k
}

// take uses k bits and returns them. There must be as many.
func (c *cursor) take(k uint) uint {
	v := uint(c.bits) & (1<<k - 1)
	c.skip(k)
	return v
}

// giveBack returns whole bytes to src. A call leaves fewer than 8 bits for the next one, so all returned bytes were
// read from this src.
func (c *cursor) giveBack() {
	c.pos -= int(c.n >> 3)
	c.n &= 7
	c.bits &= 1<<c.n - 1
}

package inflate

import "encoding/binary"

// cursor is how far a call of Decode has come.
type cursor struct {
	dst []byte // decoded so far; never reallocated
	low int    // where in dst the stream's window begins: a match must not reach below
	src []byte
	pos int // in src, of the first byte that is not counted in n

	// Bits read from src and not yet used, the next one lowest. n of them count; those above are either zero or what
	// src has next, so that reading them again changes nothing.
	bits uint64
	n    uint
}

// fill reads bits until there are at least 56, or all that src has.
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

// skip uses k bits, no more than there are.
func (c *cursor) skip(k uint) {
	c.bits >>= k & 63
	c.n -= k
}

// take uses k bits, no more than there are, and returns them.
func (c *cursor) take(k uint) uint {
	v := uint(c.bits) & (1<<k - 1)
	c.skip(k)
	return v
}

// giveBack gives whole bytes back to src. Less than 8 bits of a call are left over for the next, so there are never
// more to give back than were read from this src.
func (c *cursor) giveBack() {
	c.pos -= int(c.n >> 3)
	c.n &= 7
	c.bits &= 1<<c.n - 1
}

//go:build (amd64 || arm64) && !purego

package inflate

import "unsafe"

// Unsafe code is in this file alone, and in the assembly that does the same. It takes a little-endian processor that
// reads and writes words at any address. Each access names the bound that makes it safe:
//
//	(in)   pos <= len(src)-inMargin at the top of the loop in fastGeneric, and each round reads from src at pos and,
//	       7 bytes further at most, once again: so no read ends behind pos+7+8
//	(out)  end <= cap(dst)-outMargin at the top of that loop, and each round appends no more than a literal and a
//	       match, or two literals, and writes no more than chunk bytes behind them
//	(back) the distance of a match is no more than end-low, where low >= 0: so what it refers to is in dst
//
// The addresses are made of a slice's pointer and an index within it, so that none ever points outside.
const (
	inMargin  = 7 + 8
	outMargin = 1 + maxMatch + chunk
	maxMatch  = 258 // bytes (RFC 1951 section 3.2.5)
	chunk     = 32  // bytes that are copied at a time, in two halves
	half      = chunk / 2
)

// roomy tells whether there is as much of src and dst as a round of the fast loop may use.
func (c *cursor) roomy() bool {
	return len(c.src)-c.pos >= inMargin && cap(c.dst)-len(c.dst) >= outMargin
}

// drop uses the bits of an entry.
func drop(bits, n uint64, e entry) (newBits, newN uint64) { return bits >> (e & 63), n - uint64(e) }

// refill reads bits until there are at least 56, from the 8 bytes at src[pos], and goes on by 7 of them at most. Of n
// only the low six bits count: that saves masking what is subtracted from it.
func refill(bits, n uint64, src unsafe.Pointer, pos uintptr) (newBits, newN uint64, newPos uintptr) {
	next := *(*uint64)(unsafe.Add(src, pos)) // (in)
	return bits | next<<(n&63), n | 56, pos + 7 - uintptr(n>>3&7)
}

// fastGeneric decodes symbols of a block as long as the cursor is roomy, or until it meets one that is neither a literal
// nor a length. The rest is for careful.
//
// Each round begins with at least 28 bits. A literal takes up to 15, a length up to 20 and a distance up to 28, and
// distBits and litlenBits are enough to look up the next entry: so each entry is looked up before more bits are read,
// and the processor need not wait for them.
func (t *tables) fastGeneric(c *cursor) (err error) {
	if !c.roomy() {
		return nil
	}
	src, dst := unsafe.Pointer(unsafe.SliceData(c.src)), unsafe.Pointer(unsafe.SliceData(c.dst))
	lastPos, lastEnd := uintptr(len(c.src)-inMargin), uintptr(cap(c.dst)-outMargin)
	end, low := uintptr(len(c.dst)), uintptr(c.low)
	bits, n, pos := refill(c.bits, uint64(c.n), src, uintptr(c.pos))
	e := t.litlen[bits&litlenMask]
	for pos <= lastPos && end <= lastEnd {
		if e&literal != 0 {
			bits, n = drop(bits, n, e)
			*(*byte)(unsafe.Add(dst, end)) = e.literal() // (out)
			end++
			e = t.litlen[bits&litlenMask]
			bits, n, pos = refill(bits, n, src, pos)
			if e&literal != 0 {
				bits, n = drop(bits, n, e)
				*(*byte)(unsafe.Add(dst, end)) = e.literal() // (out)
				end++
				e = t.litlen[bits&litlenMask]
				bits, n, pos = refill(bits, n, src, pos)
				continue
			}
		}
		if e&special != 0 {
			if e = find(t.litlen[:], litlenBits, bits); e&special != 0 {
				break
			}
			continue
		}
		length := uintptr(e.value(bits))
		bits, n = drop(bits, n, e)
		d := t.dist[bits&distMask]
		bits, n, pos = refill(bits, n, src, pos)
		if d&special != 0 {
			if d = find(t.dist[:], distBits, bits); d&special != 0 {
				err = errSymbol
				break
			}
		}
		dist := uintptr(d.value(bits))
		bits, n = drop(bits, n, d)
		if dist > end-low {
			err = errDistance
			break
		}
		e = t.litlen[bits&litlenMask]
		if dist >= half {
			for to := end; to < end+length; to += 2 * half {
				move(dst, to, to-dist)
				move(dst, to+half, to+half-dist)
			}
		} else {
			repeat(dst, end, dist, length)
		}
		end += length
	}
	c.bits, c.n, c.pos, c.dst = bits, uint(n&63), int(pos), c.dst[:end]
	return err
}

// move copies half bytes within dst.
func move(dst unsafe.Pointer, to, from uintptr) {
	*(*[half]byte)(unsafe.Add(dst, to)) = *(*[half]byte)(unsafe.Add(dst, from)) // (out), (back)
}

// repeat copies a match whose distance is less than half, in words: what was just written is not read again, because
// processors are slow at reading what two writes have made.
func repeat(dst unsafe.Pointer, to, dist, length uintptr) {
	stop, step := to+length, uintptr(8)
	word := *(*uint64)(unsafe.Add(dst, to-dist)) // (out), (back)
	if dist < 8 {
		word &= 1<<(8*dist) - 1
		for n := 8 * dist; n < 64; n *= 2 {
			word |= word << n
		}
		step -= 8 % dist // whole repetitions
	}
	for ; to < stop; to += step {
		if dist >= 8 {
			word = *(*uint64)(unsafe.Add(dst, to-dist)) // (out), (back)
		}
		*(*uint64)(unsafe.Add(dst, to)) = word // (out)
	}
}

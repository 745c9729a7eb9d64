//go:build (amd64 || arm64) && !purego

package inflate

import "unsafe"

// Unsafe code is only in this file and in the equivalent assembly. It needs a little-endian processor that accesses
// words at any address. Each access names the condition that makes it safe:
//
//	(in)   pos <= len(src)-inMargin at the top of the loop in fastGeneric, and each round reads from src at pos and,
//	       7 bytes further at most, once again: so no read ends after pos+7+8
//	(out)  end <= cap(dst)-outMargin at the top of that loop, and each round appends no more than a literal and a
//	       match, or two literals, and writes no more than chunk bytes after them
//	(back) the distance of a match is no more than end-low, where low >= 0: so its source is in dst
//
// Each address is a slice's pointer plus an index within the slice, so none ever points outside.
const (
	inMargin  = 7 + 8
	outMargin = 1 + maxMatch + chunk
	maxMatch  = 258 // bytes (RFC 1951 section 3.2.5)
	chunk     = 32  // bytes that are copied at a time, in two halves
	half      = chunk / 2
)

// roomy reports whether src and dst have enough bytes for a round of the fast loop.
func (c *cursor) roomy() bool {
	return len(c.src)-c.pos >= inMargin && cap(c.dst)-len(c.dst) >= outMargin
}

// drop uses the bits of an entry.
func drop(bits, n uint64, e entry) (newBits, newN uint64) { return bits >> (e & 63), n - uint64(e) }

// refill reads bits from the 8 bytes at src[pos] until there are at least 56, and advances by at most 7 bytes. Only the
// low six bits of n count, so that subtractions from n need no mask.
func refill(bits, n uint64, src unsafe.Pointer, pos uintptr) (newBits, newN uint64, newPos uintptr) {
	next := load(src, pos) // (in)
	return bits | next<<(n&63), n | 56, pos + 7 - uintptr(n>>3&7)
}

// fastGeneric decodes symbols of a block as long as the cursor is roomy. It leaves any symbol other than a literal or
// length to careful.
//
// Each round begins with at least 28 bits. A literal takes up to 15, a length up to 20 and a distance up to 28. The
// next entry needs distBits or litlenBits. So each entry is looked up before more bits are read, and the processor need
// not wait for them.
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
			repeat(dst, end, dist, end+length)
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

// repeat copies a match that ends at stop and whose distance is less than half, in words. It does not read new bytes
// again for a distance less than a word. Processors are slow at reading the result of two writes. It is small enough to
// be inlined: a call would cost the surrounding loop its registers.
func repeat(dst unsafe.Pointer, to, dist, stop uintptr) {
	if dist < 8 {
		p := &periods[dist]
		word := load(dst, to-dist) & p.mask * p.factor // (out), (back)
		for ; to < stop; to += p.stride {
			store(dst, to, word) // (out)
		}
	}
	for ; to < stop; to += 8 {
		store(dst, to, load(dst, to-dist)) // (out), (back)
	}
}

func load(p unsafe.Pointer, i uintptr) uint64 { return *(*uint64)(unsafe.Add(p, i)) }

func store(p unsafe.Pointer, i uintptr, word uint64) { *(*uint64)(unsafe.Add(p, i)) = word }

// period makes a word from a repetition of its first bytes: those under mask, times factor. Its first stride bytes are
// whole repetitions.
type period struct {
	mask, factor uint64
	stride       uintptr
}

// periods are indexed by the number of repeated bytes.
var periods = makePeriods()

func makePeriods() (p [8]period) {
	for d := 1; d < 8; d++ {
		p[d] = period{mask: 1<<(8*d) - 1, stride: uintptr(8 - 8%d)}
		for i := 0; i < 8; i += d {
			p[d].factor |= 1 << (8 * i)
		}
	}
	return p
}

//go:build !purego

package inflate

import "unsafe"

const (
	inMargin  = 32
	outMargin = 320
)

func load64(p unsafe.Pointer, i uintptr) uint64 { return *(*uint64)(unsafe.Add(p, i)) }

func store64(p unsafe.Pointer, i uintptr, v uint64) { *(*uint64)(unsafe.Add(p, i)) = v }

func copy16(p unsafe.Pointer, to, from uintptr) {
	*(*[16]byte)(unsafe.Add(p, to)) = *(*[16]byte)(unsafe.Add(p, from))
}

func refill(bits uint64, n uint64, src unsafe.Pointer, i uintptr) (uint64, uint64, uintptr) {
	return bits | load64(src, i)<<(n&63), n | 56, i + 7 - uintptr(n>>3&7)
}

// fast decodes symbols as long as
func (t *tables) fast(c *cursor) error {
	if len(c.src)-c.pos < inMargin || cap(c.dst)-len(c.dst) < outMargin {
		return nil
	}
	src, dst := unsafe.Pointer(unsafe.SliceData(c.src)), unsafe.Pointer(unsafe.SliceData(c.dst))
	i, iEnd := uintptr(c.pos), uintptr(len(c.src)-inMargin)
	o, oEnd := uintptr(len(c.dst)), uintptr(cap(c.dst)-outMargin)
	low := uintptr(c.low)
	bits, n, i := refill(c.bits, uint64(c.n), src, i)
	e := t.litlen[bits&(1<<litlenBits-1)]
	var err error
	for i <= iEnd && o <= oEnd {
		if e&literal != 0 {
			bits >>= e & 63
			n -= uint64(e)
			*(*byte)(unsafe.Add(dst, o)) = byte(e >> valueShift)
			o++
			e = t.litlen[bits&(1<<litlenBits-1)]
			if e&literal != 0 {
				bits >>= e & 63
				n -= uint64(e)
				*(*byte)(unsafe.Add(dst, o)) = byte(e >> valueShift)
				o++
				e = t.litlen[bits&(1<<litlenBits-1)]
				if e&literal != 0 {
					bits >>= e & 63
					n -= uint64(e)
					*(*byte)(unsafe.Add(dst, o)) = byte(e >> valueShift)
					o++
					bits, n, i = refill(bits, n, src, i)
					e = t.litlen[bits&(1<<litlenBits-1)]
					continue
				}
			}
			bits, n, i = refill(bits, n, src, i)
		}
		if e&special != 0 {
			if e&subtable == 0 {
				break
			}
			e = t.litlen[uint64(e>>valueShift)+bits>>litlenBits&(1<<(e&63)-1)]
			if e&special != 0 {
				break
			}
			if e&literal != 0 {
				bits >>= e & 63
				n -= uint64(e)
				*(*byte)(unsafe.Add(dst, o)) = byte(e >> valueShift)
				o++
				bits, n, i = refill(bits, n, src, i)
				e = t.litlen[bits&(1<<litlenBits-1)]
				continue
			}
		}
		length := uintptr(e>>valueShift) + uintptr(bits&(1<<(e&63)-1)>>(e>>codeShift&15))
		bits >>= e & 63
		n -= uint64(e)
		e = t.dist[bits&(1<<distBits-1)]
		if e&special != 0 {
			if e&subtable != 0 {
				e = t.dist[uint64(e>>valueShift)+bits>>distBits&(1<<(e&63)-1)]
			}
			if e&special != 0 {
				err = errSymbol
				break
			}
		}
		dist := uintptr(e>>valueShift) + uintptr(bits&(1<<(e&63)-1)>>(e>>codeShift&15))
		bits >>= e & 63
		n -= uint64(e)
		if dist > o-low {
			err = errDistance
			break
		}
		bits, n, i = refill(bits, n, src, i)
		e = t.litlen[bits&(1<<litlenBits-1)]
		from, end := o-dist, o+length
		switch {
		case dist >= 16:
			copy16(dst, o, from)
			copy16(dst, o+16, from+16)
			for o += 32; o < end; o += 32 {
				copy16(dst, o, o-dist)
				copy16(dst, o+16, o-dist+16)
			}
		case dist == 1:
			v := uint64(*(*byte)(unsafe.Add(dst, from))) * 0x0101010101010101
			for ; o < end; o += 16 {
				store64(dst, o, v)
				store64(dst, o+8, v)
			}
		case dist >= 8:
			for ; o < end; o += 16 {
				store64(dst, o, load64(dst, o-dist))
				store64(dst, o+8, load64(dst, o+8-dist))
			}
		default:
			for ; o < end; o += dist {
				store64(dst, o, load64(dst, o-dist))
			}
		}
		o = end
	}
	c.bits, c.n, c.pos = bits, uint(n&63), int(i)
	c.dst = c.dst[:o]
	return err
}

package inflate

import "math/bits"

// bitWriter writes a deflate stream bit by bit.
type bitWriter struct {
	b []byte
	n uint // bits written
}

// put writes the low n bits of v, the lowest first.
func (w *bitWriter) put(v, n uint) *bitWriter {
	for i := range n {
		if w.n%8 == 0 {
			w.b = append(w.b, 0)
		}
		w.b[len(w.b)-1] |= byte(v>>i&1) << (w.n % 8)
		w.n++
	}
	return w
}

// align goes on at the next byte.
func (w *bitWriter) align() *bitWriter { return w.put(0, -w.n%8) }

// bytes writes whole bytes.
func (w *bitWriter) bytes(s string) *bitWriter {
	for i := range len(s) {
		w.put(uint(s[i]), 8)
	}
	return w
}

// stored writes a stored block.
func (w *bitWriter) stored(final uint, s string) *bitWriter {
	return w.put(final, 3).align().put(uint(len(s)), 16).put(^uint(len(s)), 16).bytes(s)
}

// alphabet is a code: the length in bits of each symbol's.
type alphabet []uint8

// symbol writes the code of s.
func (w *bitWriter) symbol(a alphabet, s int) *bitWriter {
	code := 0
	for l := uint8(1); l <= a[s]; l++ {
		code <<= 1
		for i, n := range a {
			if n == l && (l < a[s] || i < s) {
				code++
			}
		}
	}
	return w.put(uint(bits.Reverse16(uint16(code))>>(16-a[s])), uint(a[s]))
}

// symbols writes the codes of several symbols.
func (w *bitWriter) symbols(a alphabet, s ...int) *bitWriter {
	for _, s := range s {
		w.symbol(a, s)
	}
	return w
}

// dynamic begins a final block with those two codes. Their lengths are written one by one, in four bits each.
func (w *bitWriter) dynamic(litlen, dist alphabet) *bitWriter {
	precode := make(alphabet, maxPrecode)
	for i := range 16 {
		precode[i] = 4
	}
	w.precode(len(litlen), len(dist), precode)
	for _, l := range append(append(alphabet{}, litlen...), dist...) {
		w.symbol(precode, int(l))
	}
	return w
}

// precode begins a final block up to the lengths of its codes.
func (w *bitWriter) precode(litlen, dist int, precode alphabet) *bitWriter {
	w.put(1, 1).put(blockDynamic, 2).put(uint(litlen-257), 5).put(uint(dist-1), 5).put(maxPrecode-4, 4)
	for _, s := range precodeOrder {
		w.put(uint(precode[s]), 3)
	}
	return w
}

// lengths returns an alphabet of n symbols with the given lengths.
func lengths(n int, of map[int]uint8) alphabet {
	a := make(alphabet, n)
	for s, l := range of {
		a[s] = l
	}
	return a
}

// The fixed codes.
var (
	fixedLitlen = func() alphabet {
		a := make(alphabet, maxLitlen)
		for i := range a {
			a[i] = [...]uint8{8, 9, 7, 8}[min(i/144, 1)+min(i/256, 1)+min(i/280, 1)]
		}
		return a
	}()
	fixedDist = func() alphabet {
		a := make(alphabet, maxDist)
		for i := range a {
			a[i] = 5
		}
		return a
	}()
)

// ladder returns an alphabet of n symbols. The given symbols, 16 in number, have codes of 1, 2, 3... bits, and the last
// two have maxCodeBits.
func ladder(n int, symbols ...int) alphabet {
	a := make(alphabet, n)
	for i, s := range symbols {
		a[s] = uint8(min(i+1, maxCodeBits))
	}
	return a
}

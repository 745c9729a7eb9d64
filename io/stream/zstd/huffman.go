package zstd

import "math/bits"

const (
	maxCodeBits  = 11 // of a Huffman code (RFC 8878 section 4.2.1)
	maxWeights   = 255
	codeMask     = 1<<maxCodeBits - 1
	maxWeightLog = 6 // of the code for weights (RFC 8878 section 4.2.1.2)
)

// A leaf of a Huffman code has the length of the code in bits 0-7, and the symbol in bits 8-15.
type leaf uint16

func (l leaf) bits() uint   { return uint(l & 0xff) }
func (l leaf) symbol() byte { return byte(l >> 8) }

// huffman is a Huffman code for literals. Its leaves are indexed by as many bits as the longest code has. A shorter
// code is the highest of them, and its leaf is repeated for all bits that may follow.
type huffman struct {
	log    uint // length of the longest code
	leaves [1 << maxCodeBits]leaf
}

// read reads a code's description (RFC 8878 section 4.2.1) and returns the number of used bytes of src. scratch is for
// the code of weights.
func (h *huffman) read(src []byte, scratch *table) (used int, err error) {
	if len(src) == 0 {
		return 0, errShort
	}
	var w [maxWeights + 1]uint8
	n, size := 0, int(src[0])
	// Below 128 it is the size of compressed weights. Otherwise it gives the number of weights, of four bits each.
	if size < 128 {
		if len(src) < 1+size {
			return 0, errShort
		}
		n, err = readWeights(w[:maxWeights], src[1:1+size], scratch)
		if err != nil {
			return 0, err
		}
	} else {
		n = size - 127
		size = (n + 1) / 2
		if len(src) < 1+size {
			return 0, errShort
		}
		for i := range n {
			// The first weight of a byte is in its upper half.
			w[i] = src[1+i/2] >> (4 * (^i & 1)) & 15
		}
	}
	// One more than was read: the last weight is not written.
	return 1 + size, h.build(w[:n+1])
}

// readWeights reads weights that are compressed with a finite state code with two alternating states. It returns their
// number.
func readWeights(w []uint8, src []byte, t *table) (n int, err error) {
	used, err := t.read(src, weights, maxWeightLog)
	if err != nil {
		return 0, err
	}
	var b bitReader
	if !b.init(src[used:]) {
		return 0, errBits
	}
	// The two states alternate, and each has its own start.
	first, ok := b.read(t.log)
	second, ok2 := b.read(t.log)
	if !ok || !ok2 {
		return 0, errBits
	}
	e, other := t.states[first&tableMask], t.states[second&tableMask]
	// One place is left free for the weight that follows from the others.
	for n < len(w)-1 {
		w[n] = uint8(e.value())
		n++
		if e.bits() > b.n {
			b.fill()
		}
		if e.bits() > b.n { // the bits are used up: the other state is the last one
			w[n] = uint8(other.value())
			return n + 1, nil
		}
		b.n -= e.bits()
		// The mask of 63 is for the compiler, which otherwise tests the shift.
		at := e.next() + uint(b.word>>(b.n&63))&(1<<(e.bits()&63)-1)
		e, other = other, t.states[at&tableMask]
	}
	return 0, errTable
}

// build makes the code from those weights. The last of them is the remainder of the others.
func (h *huffman) build(w []uint8) error {
	var count [maxCodeBits + 2]int
	sum := uint(0)
	for _, v := range w[:len(w)-1] {
		if v > maxCodeBits {
			return errTable
		}
		count[v]++
		// A weight v has 2^(v-1) places of the table; 0 means a symbol that does not occur.
		sum += 1 << v >> 1
	}
	log := uint(bits.Len(sum))
	// The difference to a power of two is the last symbol's share, which must be a power of two itself.
	left := uint(1)<<log - sum
	if sum == 0 || log > maxCodeBits || left&(left-1) != 0 {
		return errTable
	}
	w[len(w)-1] = uint8(bits.Len(left))
	count[bits.Len(left)]++
	// The longest codes come in pairs; otherwise the code would be incomplete.
	if count[1] < 2 {
		return errTable
	}
	h.log = log
	h.fill(w, count[:])
	return nil
}

// fill sets the leaves of the codes, ordered by weight and then by symbol, the longest first.
func (h *huffman) fill(w []uint8, count []int) {
	var next [maxCodeBits + 2]int // place of the next symbol of a weight among the sorted ones
	for v := range maxCodeBits + 1 {
		next[v+1] = next[v] + count[v]
	}
	var sorted [maxWeights + 1]uint8 // by weight, which makes the loops below regular and halves their time
	for s, v := range w {
		sorted[next[v]&maxWeights] = uint8(s)
		next[v]++
	}
	// Symbols of weight 0 come first and have no code.
	symbols, rest := sorted[count[0]:len(w)], h.leaves[:]
	for v := uint(1); v <= h.log; v++ {
		n := 1 << (v - 1)
		for _, s := range symbols[:count[v]] {
			// A weight's share of the table: the heavier, the shorter the code.
			repeatLeaf(rest[:n], leaf(s)<<8|leaf(h.log+1-v))
			rest = rest[n:]
		}
		symbols = symbols[count[v]:]
	}
}

// repeatLeaf fills a run, whose length is a power of two, with a leaf.
func repeatLeaf(run []leaf, l leaf) {
	for ; len(run) >= 4; run = run[4:] {
		run[0], run[1], run[2], run[3] = l, l, l, l
	}
	for i := range run {
		run[i] = l
	}
}

// decode decodes a stream into all of dst.
func (h *huffman) decode(dst []byte, b *bitReader) error {
	const many = 5 // literals, each of at most maxCodeBits, that need no test for enough bits
	for len(dst) >= many {
		b.fill()
		word, n := b.word, b.n
		// Few bits are left: the loop below tests each literal.
		if n < many*maxCodeBits {
			break
		}
		for i := range many {
			l := h.leaves[word>>((n-h.log)&63)&(1<<h.log-1)&codeMask]
			n -= l.bits()
			dst[i] = l.symbol()
		}
		// Kept in variables within the loop, which is faster than in b.
		b.n = n
		dst = dst[many:]
	}
	for i := range dst {
		l := h.leaves[b.peek(h.log)&codeMask]
		if l.bits() > b.n {
			return errBits
		}
		b.n -= l.bits()
		dst[i] = l.symbol()
	}
	// All bits have to be used up: otherwise something is damaged.
	if !b.atEnd() {
		return errBits
	}
	return nil
}

// decode4 decodes four streams, which begin with the sizes of the first three, into the quarters of dst (RFC 8878
// section 4.2.2).
func (h *huffman) decode4(dst, src []byte) error {
	const sizes = 6
	if len(src) < sizes {
		return errShort
	}
	quarter := (len(dst) + 3) / 4
	// The last quarter may be shorter, but not negative.
	if 3*quarter > len(dst) {
		return errShort
	}
	var s [4]bitReader
	at := sizes
	for i := range s {
		end := len(src)
		if i < 3 {
			// Sizes have two bytes each, little endian; the fourth stream takes the rest.
			end = at + int(src[2*i]) + int(src[2*i+1])<<8
		}
		if end > len(src) || !s[i].init(src[at:end]) {
			return errBits
		}
		at = end
	}
	// The fast loop decodes most; the rest of each stream is decoded one by one.
	done := h.fast4(dst, quarter, &s)
	for i := range s {
		end := min((i+1)*quarter, len(dst))
		if err := h.decode(dst[i*quarter+done:end], &s[i]); err != nil {
			return err
		}
	}
	return nil
}

//go:build (amd64 || arm64) && !purego

package zstd

import (
	"math/bits"
	"unsafe"
)

// Unsafe code is only in this file and in the equivalent assembly. It needs a little-endian processor that accesses
// words at any address. Each access names the condition that makes it safe:
//
//	(in)       8 <= pos <= len(src)-8 at the top of a loop, and each round makes pos less by 8 at most: so the words
//	           at pos are in src
//	(literals) used+n <= len(literals) for the n literals of a sequence, and there are literalSlack bytes of memory
//	           after the last one: so chunks that begin within the n are in memory
//	(out)      the output of a sequence ends at cap(dst)-outMargin at most, and chunks that begin before that end in dst
//	(back)     the distance of a match is from 1 to end-low, where low >= 0: so its source is in dst
//	(state)    a state's next plus the number from its bits is below 1<<log: so it is in the table
//	(code)     an index of log bits, maxCodeBits at most, is in the table of the code
//	(quarter)  a round of fast4 begins with inRound bytes of room in the last quarter at least, and the others are no
//	           shorter
//
// Each address is a slice's pointer plus an index within the slice, so none ever points outside.
const (
	outMargin = 32
	chunk     = 16 // bytes that are copied at a time
	inRound   = 5  // literals of each stream: with maxCodeBits each, less than the 56 available bits
)

func load(p unsafe.Pointer, i uintptr) uint64 { return *(*uint64)(unsafe.Add(p, i)) }

func store(p unsafe.Pointer, i uintptr, word uint64) { *(*uint64)(unsafe.Add(p, i)) = word }

// move copies a chunk.
func move(to, from unsafe.Pointer) { *(*[chunk]byte)(to) = *(*[chunk]byte)(from) }

// low returns the lowest k bits of v.
func low(v uint64, k entry) uint64 { return v & (1<<(k&63) - 1) }

// tooLong are bits in the sum of three entries and one more extra bit. One of them is set if there are more than 30
// extra bits. Otherwise a sequence fits into the 56 available bits: 26 find the next states (maxTableLog twice, and
// maxOffsetLog).
const tooLong = 0xe0 << extraShift

// roomy reports whether the fast loop can begin if its output must end at limit in dst. The next sequence must not be
// the last one, and the bitstream must have enough bytes.
func (b *block) roomy(c *cursor, limit int) bool {
	return b.left > 1 && b.bits.pos >= 8 && limit > len(c.dst)
}

// fastGeneric decodes and writes sequences as long as the block is roomy. It does not decode a sequence that takes more
// bits than a word has. It decodes but does not write one that needs careful handling or is invalid. The output must
// end at limit in dst, and window is the largest distance of matches.
func (b *block) fastGeneric(c *cursor, limit int, window int64) {
	src, dst := unsafe.Pointer(unsafe.SliceData(b.bits.src)), unsafe.Pointer(unsafe.SliceData(c.dst))
	literals, used := unsafe.Pointer(unsafe.SliceData(b.literals)), uintptr(b.used)
	end := uintptr(len(c.dst))
	b.bits.fill()
	word, n, pos := b.bits.word, entry(b.bits.n), uintptr(b.bits.pos)
	ll, ml, of := b.literalLength, b.matchLength, b.offset
	for b.left > 1 && pos >= 8 {
		sum := ll + ml + of + 1<<extraShift
		if sum&tooLong != 0 {
			break
		}
		n -= of >> extraShift & 0xff
		offset := uint64(of.value()) + low(word>>(n&63), of>>extraShift)
		n -= ml >> extraShift & 0xff
		match := uintptr(ml.value()) + uintptr(low(word>>(n&63), ml>>extraShift))
		n -= ll >> extraShift & 0xff
		length := uintptr(ll.value()) + uintptr(low(word>>(n&63), ll>>extraShift))
		n -= ll & 0xff
		ll = b.literalLengths.states[(uint64(ll>>nextShift)+low(word>>(n&63), ll))&tableMask]
		n -= ml & 0xff
		ml = b.matchLengths.states[(uint64(ml>>nextShift)+low(word>>(n&63), ml))&tableMask]
		n -= of & 0xff
		of = b.offsets.states[(uint64(of>>nextShift)+low(word>>(n&63), of))&tableMask]
		pos -= uintptr(63-n) >> 3
		n |= 56
		word = load(src, pos) // (in)
		b.left--

		distance := uintptr(b.recall(uint32(offset), length == 0))
		start := end + length
		if length > uintptr(len(b.literals))-used || start+match > uintptr(limit) ||
			distance-1 >= start-uintptr(c.low) || distance > uintptr(window) {
			b.copyLiterals, b.copyMatch, b.distance = int(length), int(match), int(distance)
			break
		}
		for i := uintptr(0); ; i += chunk {
			move(unsafe.Add(dst, end+i), unsafe.Add(literals, used+i)) // (out), (literals)
			if i+chunk >= length {
				break
			}
		}
		used += length
		end = start + match
		if distance >= chunk {
			for to := start; to < end; to += chunk {
				move(unsafe.Add(dst, to), unsafe.Add(dst, to-distance)) // (out), (back)
			}
		} else {
			repeat(dst, start, distance, end)
		}
	}
	b.bits.word, b.bits.n, b.bits.pos = word, uint(n), int(pos)
	b.literalLength, b.matchLength, b.offset = ll, ml, of
	b.used, c.dst = int(used), c.dst[:end]
}

// strides are the least multiples of their indexes that are not below 8.
var strides = [8]uintptr{0, 8, 8, 9, 8, 10, 12, 14}

// repeat copies a match that ends at stop and whose distance is less than a chunk, in words.
func repeat(dst unsafe.Pointer, to, distance, stop uintptr) {
	if distance < 8 {
		for range 8 {
			*(*byte)(unsafe.Add(dst, to)) = *(*byte)(unsafe.Add(dst, to-distance)) // (out), (back)
			to++
		}
		distance = strides[distance]
	}
	for ; to < stop; to += 8 {
		store(dst, to, load(dst, to-distance)) // (out), (back)
	}
}

// lane is one of the four streams of literals. The highest bits of word are the next ones. Below the unused bits are a
// one and zeros, which show the number of used bits. So literals need no counting bit by bit.
type lane struct {
	src  unsafe.Pointer
	pos  uintptr
	word uint64
}

// refill reads until there are 56 unused bits or more.
func (l *lane) refill() {
	used := uintptr(bits.TrailingZeros64(l.word))
	l.pos -= used >> 3
	l.word = (load(l.src, l.pos) | 1) << (used & 7) // (in)
}

// take uses a code and returns its leaf.
func (l *lane) take(h *huffman) leaf {
	f := h.leaves[l.word>>((64-h.log)&63)&codeMask] // (code)
	l.word <<= f & 63
	return f
}

// fast4 decodes equally many literals of the four streams, and returns their number. decode decodes the rest.
func (h *huffman) fast4(dst []byte, quarter int, s *[4]bitReader) (done int) {
	last := len(dst) - 3*quarter - inRound
	if last < 0 || min(s[0].pos, s[1].pos, s[2].pos, s[3].pos) < 8 {
		return 0
	}
	var l [4]lane
	for i := range s {
		s[i].fill()
		l[i] = lane{unsafe.Pointer(unsafe.SliceData(s[i].src)), uintptr(s[i].pos), (s[i].word | 1) << (64 - s[i].n)}
	}
	done = h.lanes(unsafe.Pointer(unsafe.SliceData(dst)), quarter, last, &l)
	for i, l := range l {
		s[i].pos = int(l.pos)
		s[i].n = 64 - uint(bits.TrailingZeros64(l.word))
		s[i].word = load(l.src, l.pos) // (in)
	}
	return done
}

// lanesGeneric decodes equally many literals of each lane, until last or more, or until one of them has too few bytes.
func (h *huffman) lanesGeneric(dst unsafe.Pointer, quarter, last int, l *[4]lane) (done int) {
	l0, l1, l2, l3 := l[0], l[1], l[2], l[3]
	q := uintptr(quarter)
	for ; done <= last && min(l0.pos, l1.pos, l2.pos, l3.pos) >= 8; done += inRound {
		p := unsafe.Add(dst, done)
		for range inRound {
			*(*byte)(p) = l0.take(h).symbol()                  // (quarter)
			*(*byte)(unsafe.Add(p, q)) = l1.take(h).symbol()   // (quarter)
			*(*byte)(unsafe.Add(p, 2*q)) = l2.take(h).symbol() // (quarter)
			*(*byte)(unsafe.Add(p, 3*q)) = l3.take(h).symbol() // (quarter)
			p = unsafe.Add(p, 1)
		}
		l0.refill()
		l1.refill()
		l2.refill()
		l3.refill()
	}
	*l = [4]lane{l0, l1, l2, l3}
	return done
}

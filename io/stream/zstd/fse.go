package zstd

import (
	"encoding/binary"
	"math/bits"
)

// An entry of a table for a finite state code (RFC 8878 section 4.1) is a state with the meaning of its symbol:
//
//	bits 0-7    number of bits to read for the next state
//	bits 8-15   number of extra bits of the symbol
//	bits 16-47  the length or offset that the extra bits are added to, or the symbol itself
//	bits 48-63  the number of the next state if those bits are zero
//
// The first two fields of three entries can be added without a carry.
type entry uint64

const (
	extraShift = 8
	valueShift = 16
	nextShift  = 48
)

func (e entry) bits() uint    { return uint(e & 0xff) }
func (e entry) extra() uint   { return uint(e >> extraShift & 0xff) }
func (e entry) next() uint    { return uint(e >> nextShift) }
func (e entry) value() uint32 { return uint32(e >> valueShift) }

const (
	// The largest number of bits of a state in the codes of lengths and of offsets (RFC 8878 sections 3.1.1.3.2.1.1 and
	// 3.1.1.3.2.1.2).
	maxTableLog  = 9
	maxOffsetLog = 8

	tableSize  = 1 << maxTableLog
	tableMask  = tableSize - 1
	maxSymbols = 53 // of the largest alphabet, that of match lengths
)

// table has the states of a code. All states lead to states below 1<<log.
type table struct {
	log    uint // number of bits of a state
	states [tableSize]entry
}

// read reads a table's description (RFC 8878 section 4.1.1) and makes the table. Its symbols are those of the alphabet,
// and it has at most 1<<maxLog states. It returns the number of used bytes of src.
func (t *table) read(src []byte, alphabet []entry, maxLog uint) (used int, err error) {
	in := forward{src: src}
	t.log = in.take(4) + 5
	if t.log > maxLog {
		return 0, errTable
	}
	var counts [maxSymbols]int16
	left := 1 << t.log
	s := 0
	for left > 0 && s < len(alphabet) {
		n := in.count(left)
		counts[s] = int16(n)
		s++
		left -= max(n, -n)
		for n == 0 {
			zeros := int(in.take(2))
			if s += zeros; zeros < 3 || s > len(alphabet) {
				break
			}
		}
	}
	if left != 0 || s > len(alphabet) || in.used() > len(src) {
		return 0, errTable
	}
	t.build(counts[:s], alphabet)
	return in.used(), nil
}

// forward reads bits from the lowest of the first byte on. After the end there are zeros.
type forward struct {
	src []byte
	pos uint // in bits
}

func (f *forward) used() int { return int(f.pos+7) / 8 }

// peek returns the next 16 bits and some more.
func (f *forward) peek() uint32 {
	at := int(f.pos / 8)
	if at+4 <= len(f.src) {
		return binary.LittleEndian.Uint32(f.src[at:]) >> (f.pos % 8)
	}
	return uint32(littleEndian(f.src[min(at, len(f.src)):])) >> (f.pos % 8)
}

func (f *forward) take(k uint) uint {
	v := uint(f.peek()) & (1<<k - 1)
	f.pos += k
	return v
}

// count reads the number of states of a symbol, when left are not yet assigned. It is -1 for a symbol with less than
// one, which counts as one. Small numbers have a bit less.
func (f *forward) count(left int) int {
	k := uint(bits.Len(uint(left + 1)))
	short := 1<<k - 1 - (left + 1) // for numbers below this, k-1 bits are enough
	v := int(f.peek()) & (1<<k - 1)
	if low := v & (1<<(k-1) - 1); low < short {
		f.pos += k - 1
		return low - 1
	} else if v >= 1<<(k-1) {
		v -= short
	}
	f.pos += k
	return v - 1
}

// build makes the table of a code with the given number of states for each symbol, 1<<t.log together (RFC 8878 section
// 4.1.1).
func (t *table) build(counts []int16, alphabet []entry) {
	size := uint(1) << t.log
	var symbols [tableSize]uint8 // of the states
	var next [256]uint16         // number of a symbol's next state among its own, beginning with their count
	high := size
	for s, n := range counts {
		next[uint8(s)] = uint16(n)
		if n < 0 {
			high--
			symbols[high&tableMask] = uint8(s)
			next[uint8(s)] = 1
		}
	}
	at, step := uint(0), size>>1+size>>3+3
	for s, n := range counts {
		for range n {
			symbols[at&tableMask] = uint8(s)
			for at = (at + step) & (size - 1); at >= high; {
				at = (at + step) & (size - 1)
			}
		}
	}
	states := t.states[:size]
	for i, s := range symbols[:len(states)] {
		n := uint(next[s])
		next[s]++
		k := (t.log + 1 - uint(bits.Len(n))) & 63
		states[i] = alphabet[s] | entry(n<<k-size)<<nextShift | entry(k)
	}
}

// one makes the table of a code with one symbol that takes no bits.
func (t *table) one(e entry) {
	t.log = 0
	t.states[0] = e
}

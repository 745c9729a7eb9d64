package inflate

import "sync"

// The alphabets (RFC 1951 sections 3.2.5 to 3.2.7), with the symbols that no valid stream uses, and the tables for
// their codes. A code no longer than a table's bits is found with one access, a longer one with a second in a subtable.
const (
	maxPrecode = 19
	maxLitlen  = 288
	maxDist    = 32

	maxCodeBits = 15

	precodeBits = 7 // no code is longer
	litlenBits  = 11
	distBits    = 8
	litlenMask  = 1<<litlenBits - 1
	distMask    = 1<<distBits - 1

	// The maximum sizes of a table with its subtables, computed by the program enough.c of zlib: enough(288, 11, 15)
	// and enough(32, 8, 15).
	litlenSize = 2342
	distSize   = 402
)

// tables decode the symbols of a block.
type tables struct {
	litlen [litlenSize]entry
	dist   [distSize]entry
}

// An entry of a table has the meaning of the bits by which it was found:
//
//	bits 0-7    number of all bits: the code and the extra bits after it
//	bits 8-11   number of bits of the code
//	bits 12-15  flags; none for a length or distance
//	bits 16-30  the length or distance that the extra bits are added to
//	bits 16-23  the literal
//	bit 31      it is a literal
//
// In an entry that points to a subtable, bits 0-7 are the number of its index bits and bits 16-30 its start.
type entry uint32

const (
	literal  entry = 1 << 31
	special  entry = 1 << 15 // neither literal nor length nor distance
	subtable entry = 1 << 14
	endBlock entry = 1 << 13
	previous entry = 1 << 12 // of code lengths: the previous one is repeated
	invalid        = special // and no other flag

	valueShift = 16
	codeShift  = 8
	oneBit     = 1<<codeShift | 1 // added to an entry for each bit of a code
)

// size returns the number of bits of the entry.
func (e entry) size() uint { return uint(e & 0xff) }

// codeSize returns the number of bits of the code.
func (e entry) codeSize() uint { return uint(e >> codeShift & 15) }

// literal returns the byte of a literal.
func (e entry) literal() byte { return byte(e >> valueShift) }

// value returns the length or distance, given the bits by which the entry was found.
func (e entry) value(bits uint64) int {
	extra := bits & (1<<(e&63) - 1) >> e.codeSize()
	return int(e>>valueShift) + int(extra)
}

// index returns the index that an entry of a subtable points to, given the bits after those of the table.
func (e entry) index(bits uint64) uint64 { return uint64(e>>valueShift) + bits&(1<<(e&63)-1) }

// find returns the entry for the next bits.
func find(table []entry, tableBits uint, bits uint64) entry {
	e := table[bits&(1<<tableBits-1)]
	if e&subtable != 0 {
		e = table[e.index(bits>>tableBits)]
	}
	return e
}

// The meanings of the symbols, as entries without a code.
var (
	precodeSymbols = makePrecode()
	litlenSymbols  = makeLitlen()
	distSymbols    = makeDist()
)

func makePrecode() (s [maxPrecode]entry) {
	for i := range entry(16) {
		s[i] = literal | i<<valueShift
	}
	s[16] = previous | 3<<valueShift | 2
	s[17] = 3<<valueShift | 3
	s[18] = 11<<valueShift | 7
	return s
}

func makeLitlen() (s [maxLitlen]entry) {
	for i := range 256 {
		s[i] = literal | entry(i)<<valueShift
	}
	s[256] = special | endBlock
	base := entry(3)
	for i := range entry(28) {
		extra := max(i/4, 1) - 1
		s[257+i] = base<<valueShift | extra
		base += 1 << extra
	}
	s[285] = 258 << valueShift
	s[286], s[287] = invalid, invalid
	return s
}

func makeDist() (s [maxDist]entry) {
	base := entry(1)
	for i := range entry(30) {
		extra := max(i/2, 1) - 1
		s[i] = base<<valueShift | extra
		base += 1 << extra
	}
	s[30], s[31] = invalid, invalid
	return s
}

// fixedTables returns the tables of the fixed codes (RFC 1951 section 3.2.6). They must not be changed.
var fixedTables = sync.OnceValue(func() *tables {
	var lengths [maxLitlen]uint8
	for i := range lengths {
		switch {
		case i < 144, i >= 280:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		default:
			lengths[i] = 7
		}
	}
	t := new(tables)
	build(t.litlen[:], litlenBits, lengths[:], litlenSymbols[:])
	for i := range maxDist {
		lengths[i] = 5
	}
	build(t.dist[:], distBits, lengths[:maxDist], distSymbols[:])
	return t
})

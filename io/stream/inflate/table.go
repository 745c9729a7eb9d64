package inflate

import "sync"

// The alphabets (RFC 1951 sections 3.2.5 to 3.2.7), with the symbols that no valid stream uses, and the tables for
// their codes. A code no longer than a table's bits is found with one look, a longer one with a second in a subtable.
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

	// The largest a table with its subtables can get, by the program enough.c of zlib: enough(288, 11, 15) and
	// enough(32, 8, 15).
	litlenSize = 2342
	distSize   = 402
)

// tables decode the symbols of a block.
type tables struct {
	litlen [litlenSize]entry
	dist   [distSize]entry
}

// An entry of a table says what the bits by which it was found mean:
//
//	bits 0-7    how many bits it is in all: the code and the extra bits behind it
//	bits 8-11   how many of them are the code
//	bits 12-15  flags; none for a length or distance
//	bits 16-30  the length or distance that the extra bits are added to
//	bits 16-23  the literal
//	bit 31      it is a literal
//
// In an entry that points to a subtable, bits 0-7 say how many bits index that and bits 16-30 where it begins.
type entry uint32

const (
	literal  entry = 1 << 31
	special  entry = 1 << 15 // neither literal nor length nor distance
	subtable entry = 1 << 14
	endBlock entry = 1 << 13
	previous entry = 1 << 12 // of code lengths: the one before is repeated
	invalid        = special // and no other flag

	valueShift = 16
	codeShift  = 8
	oneBit     = 1<<codeShift | 1 // what each bit of a code adds to an entry
)

// size returns how many bits the entry stands for.
func (e entry) size() uint { return uint(e & 0xff) }

// codeSize returns how many of them are the code.
func (e entry) codeSize() uint { return uint(e >> codeShift & 15) }

// literal returns the byte that a literal stands for.
func (e entry) literal() byte { return byte(e >> valueShift) }

// value returns the length or distance, given the bits by which the entry was found.
func (e entry) value(bits uint64) int {
	extra := bits & (1<<(e&63) - 1) >> e.codeSize()
	return int(e>>valueShift) + int(extra)
}

// index returns where an entry that points to a subtable says to look, given the bits behind those of the table.
func (e entry) index(bits uint64) uint64 { return uint64(e>>valueShift) + bits&(1<<(e&63)-1) }

// find returns the entry for the next bits.
func find(table []entry, tableBits uint, bits uint64) entry {
	e := table[bits&(1<<tableBits-1)]
	if e&subtable != 0 {
		e = table[e.index(bits>>tableBits)]
	}
	return e
}

// What the symbols mean, as entries without a code.
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

package zstd

// The types of literals sections (RFC 8878 section 3.1.1.3.1.1).
const (
	literalsRaw = iota
	literalsRLE
	literalsCompressed
	literalsTreeless
)

// minStreams is the minimum number of literals for four streams.
const minStreams = 6

// section is the header of a literals section.
type section struct {
	kind    int
	size    int // of the literals, in bytes
	packed  int // bytes of the section after the header
	streams int
}

// readSection reads the header and returns its size, or 0 if src is too short.
func readSection(src []byte) (s section, used int) {
	if len(src) == 0 {
		return s, 0
	}
	// Two bits give the number of bytes in the header, differently for the kinds below.
	format := src[0] >> 2 & 3
	s.kind = int(src[0] & 3)
	// Five bytes hold the longest header. Missing ones count as zero, and used shows that below.
	h := int(littleEndian(src[:min(len(src), 5)]))
	if s.kind == literalsRaw || s.kind == literalsRLE {
		used = [4]int{1, 2, 1, 3}[format]
		s.size = h & (1<<(8*used) - 1) >> [4]int{3, 4, 3, 4}[format]
		s.packed = s.size
		// One byte, which is repeated.
		if s.kind == literalsRLE {
			s.packed = 1
		}
	} else {
		used = [4]int{3, 3, 4, 5}[format]
		k := [4]int{10, 10, 14, 18}[format]
		// Two sizes of k bits each, after four bits of kind and format.
		s.size, s.packed = h>>4&(1<<k-1), h>>(4+k)&(1<<k-1)
		s.streams = [4]int{1, 4, 4, 4}[format]
	}
	if used > len(src) {
		return s, 0
	}
	return s, used
}

// readLiterals decodes the literals section at the start of src, and returns its length. There must be at most limit
// literals.
func (b *block) readLiterals(src []byte, limit int) (used int, err error) {
	s, used := readSection(src)
	switch {
	case used == 0 || s.packed > len(src)-used:
		return 0, errShort
	// Tested before memory is allocated for them.
	case s.size > limit:
		return 0, errBlockSize
	}
	src = src[used : used+s.packed]
	used += s.packed
	dst := b.allot(s.size)
	switch s.kind {
	case literalsRaw:
		copy(dst, src)
		return used, nil
	case literalsRLE:
		repeatByte(dst, src[0])
		return used, nil
	// The code stays for later blocks, which may be treeless and use it again.
	case literalsCompressed:
		n, err := b.ownCode.read(src, &b.weights)
		if err != nil {
			return 0, err
		}
		b.code = &b.ownCode
		src = src[n:]
	}
	// A treeless section needs the code of an earlier block.
	if b.code == nil {
		return 0, errNoTable
	}
	return used, b.decodeLiterals(dst, src, s.streams)
}

func (b *block) decodeLiterals(dst, src []byte, streams int) error {
	if streams == 4 {
		if len(dst) < minStreams {
			return errShort
		}
		return b.code.decode4(dst, src)
	}
	var r bitReader
	if !r.init(src) {
		return errBits
	}
	return b.code.decode(dst, &r)
}

// allot returns memory for n literals of the block.
func (b *block) allot(n int) []byte {
	// Allocated once for the largest block, so that it is large enough later. The slack lets copies write beyond the
	// end.
	if cap(b.literals) < n+literalSlack {
		b.literals = make([]byte, maxBlock+literalSlack)
	}
	b.literals, b.used = b.literals[:n], 0
	return b.literals
}

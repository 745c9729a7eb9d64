package zstd

// block is a compressed block (RFC 8878 section 3.1.1.3), and the state that blocks share.
type block struct {
	bits   bitReader // of the sequences
	stream int       // start of the bitstream in the block
	left   int       // remaining sequences

	// The states, and the tables of their successors.
	literalLength, matchLength, offset entry
	literalLengths, matchLengths       *table
	offsets                            *table

	recent [4]uint32 // distances that can be repeated, the last one first; the fourth is unused

	literals []byte
	used     int // number of used literals

	// The unwritten rest of the last decoded sequence: literals, and then a match.
	copyLiterals, copyMatch, distance int

	dictionary []byte // matches may refer to it, as if it preceded the frame

	code *huffman // of the literals; nil when there is none yet

	ownCode                                        huffman
	ownLiteralLengths, ownMatchLengths, ownOffsets table
	weights                                        table
}

// literalSlack is the memory after the literals.
const literalSlack = 32

// reset begins a frame with the dictionary id.
func (b *block) reset(d *Dictionary, id uint32) error {
	if d == nil {
		d = &noDictionary
	}
	if id != 0 && id != d.id {
		return ErrDictionary
	}
	b.recent = d.recent
	b.code = d.code
	b.literalLengths, b.matchLengths, b.offsets = d.literalLengths, d.matchLengths, d.offsets
	b.dictionary = d.content
	return nil
}

// begin reads the sections of the block in src up to the first sequence. The block decodes to at most limit bytes.
func (b *block) begin(src []byte, limit int) error {
	size := len(src)
	n, err := b.readLiterals(src, limit)
	if err != nil {
		return err
	}
	src = src[n:]
	b.copyLiterals, b.copyMatch = 0, 0
	if b.left, n = sequenceCount(src); n == 0 {
		return errShort
	}
	src = src[n:]
	if b.left == 0 {
		if len(src) > 0 {
			return errBits
		}
		b.bits, b.stream = bitReader{}, size
		return nil
	}
	if src, err = b.readTables(src); err != nil {
		return err
	}
	b.stream = size - len(src)
	return b.readStates(src)
}

// sequenceCount reads the number of sequences (RFC 8878 section 3.1.1.3.2.1), and returns the number of used bytes of
// src. If src is too short, used is 0.
func sequenceCount(src []byte) (count, used int) {
	switch {
	case len(src) >= 1 && src[0] < 128:
		return int(src[0]), 1
	case len(src) >= 2 && src[0] < 255:
		return int(src[0]-128)<<8 | int(src[1]), 2
	case len(src) >= 3 && src[0] == 255:
		return int(src[1]) + int(src[2])<<8 + 0x7f00, 3
	}
	return 0, 0
}

// readTables reads the modes and descriptions of the three codes, and returns the rest of src.
func (b *block) readTables(src []byte) ([]byte, error) {
	if len(src) == 0 {
		return nil, errShort
	}
	modes := src[0]
	if modes&3 != 0 {
		return nil, errReserved
	}
	src = src[1:]
	for _, t := range [...]struct {
		mode            byte
		current         **table
		own, predefined *table
		alphabet        []entry
		maxLog          uint
	}{
		{modes >> 6, &b.literalLengths, &b.ownLiteralLengths, predefinedLiteralLengths, literalLengths, maxTableLog},
		{modes >> 4 & 3, &b.offsets, &b.ownOffsets, predefinedOffsets, offsets, maxOffsetLog},
		{modes >> 2 & 3, &b.matchLengths, &b.ownMatchLengths, predefinedMatchLengths, matchLengths, maxTableLog},
	} {
		n, err := 0, error(nil)
		switch t.mode {
		case 0:
			*t.current = t.predefined
		case 1: // RLE_Mode
			if len(src) == 0 || int(src[0]) >= len(t.alphabet) {
				return nil, errTable
			}
			t.own.one(t.alphabet[src[0]])
			*t.current, n = t.own, 1
		case 2:
			n, err = t.own.read(src, t.alphabet, t.maxLog)
			*t.current = t.own
		case 3: // Repeat_Mode
			if *t.current == nil {
				return nil, errNoTable
			}
		}
		if err != nil {
			return nil, err
		}
		src = src[n:]
	}
	return src, nil
}

// readStates begins the bitstream of the sequences.
func (b *block) readStates(src []byte) error {
	if !b.bits.init(src) {
		return errBits
	}
	for _, s := range [...]struct {
		state *entry
		t     *table
	}{{&b.literalLength, b.literalLengths}, {&b.offset, b.offsets}, {&b.matchLength, b.matchLengths}} {
		i, ok := b.bits.read(s.t.log)
		if !ok {
			return errBits
		}
		*s.state = s.t.states[i&tableMask]
	}
	return nil
}

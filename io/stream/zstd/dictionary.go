package zstd

import (
	"encoding/binary"
	"fmt"
)

const dictionaryMagic = 0xEC30A437 // RFC 8878 section 5

// Dictionary is content to which frames may refer as if it preceded them. Decoders do not change it, so they can share
// it.
type Dictionary struct {
	id      uint32 // 0 when it has none
	content []byte
	recent  [4]uint32

	// The tables that the first block of a frame can repeat; nil when there are none.
	code                                  *huffman
	literalLengths, matchLengths, offsets *table
}

// noDictionary is the initial state of a frame without a dictionary (RFC 8878 section 3.1.1.5).
var noDictionary = Dictionary{recent: [4]uint32{1, 4, 8}}

// ParseDictionary returns the dictionary in b, which must not change afterwards. Without the magic number b is all
// content. The error is of kind [ErrCorrupt].
func ParseDictionary(b []byte) (*Dictionary, error) {
	d := noDictionary
	d.content = b
	if len(b) < 8 || binary.LittleEndian.Uint32(b) != dictionaryMagic {
		return &d, nil
	}
	d.id = binary.LittleEndian.Uint32(b[4:])
	if err := d.readTables(b[8:]); err != nil {
		return nil, fmt.Errorf("dictionary %d: %w", d.id, err)
	}
	return &d, nil
}

// readTables reads the entropy tables and recent offsets, and the content after them.
func (d *Dictionary) readTables(b []byte) error {
	d.code = new(huffman)
	n, err := d.code.read(b, new(table))
	if err != nil {
		return err
	}
	b = b[n:]
	for _, t := range [...]struct {
		table    **table
		alphabet []entry
		maxLog   uint
	}{
		{&d.offsets, offsets, maxOffsetLog},
		{&d.matchLengths, matchLengths, maxTableLog},
		{&d.literalLengths, literalLengths, maxTableLog},
	} {
		*t.table = new(table)
		if n, err = (*t.table).read(b, t.alphabet, t.maxLog); err != nil {
			return err
		}
		b = b[n:]
	}
	if len(b) < 12 {
		return errShort
	}
	d.content = b[12:]
	for i := range 3 {
		d.recent[i] = binary.LittleEndian.Uint32(b[4*i:])
		if d.recent[i] == 0 || int64(d.recent[i]) > int64(len(d.content)) {
			return errDistance
		}
	}
	return nil
}

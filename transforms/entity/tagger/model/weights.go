package model

import (
	"encoding/binary"
)

// RowSize is how many bytes a row of weights has: one for each label, from 0 for -128, and three that are not used.
const RowSize = 16

// Margins is how many steps of 8 a margin has whose confidence is known.
const Margins = 64

// Weights are what is learnt. Rows are bytes with 128 for zero, and the transitions have the unit of their sums.
type Weights struct {
	Rows        []byte // of hashed features, then of the words of the lexicon at three places
	Transitions [Labels][Labels]int32
	Vote        int32 // how much a vote counts, in 64ths
	VoteCap     int32 // the most that the votes for a type count
	Confidence  [Types][Margins]uint8
}

type scores [Labels]int32

// sumGeneric adds up rows of weights. Four of the labels' weights lie in the lanes of each word of 64 bits: the sum of
// at most 256 rows fits into 16 bits.
func (w *Weights) sumGeneric(rows []uint32) scores {
	// Even and odd bytes are added apart, so that each sum has 16 bits of room: 256 times 255 is
	// 65,280.
	const even = 0x00FF00FF00FF00FF
	var a, b, c, d uint64
	for _, r := range rows {
		row := w.Rows[int(r)*RowSize : int(r)*RowSize+RowSize]
		lo, hi := binary.LittleEndian.Uint64(row), binary.LittleEndian.Uint64(row[8:])
		a += lo & even
		b += lo >> 8 & even
		c += hi & even
		d += hi >> 8 & even
	}
	// Each row has its zero at 128.
	bias := int32(len(rows)) * 128
	var s scores
	for i := range s {
		// Label i is byte i of the row: of the first or second word, even or odd, and there in lane
		// i%8/2.
		lane := [4]uint64{a, b, c, d}[i/8*2+i%2]
		s[i] = int32(lane>>(i%8/2*16)&0xFFFF) - bias
	}
	return s
}

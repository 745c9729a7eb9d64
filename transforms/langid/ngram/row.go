package ngram

import "encoding/binary"

// rowBias is added to the weights of a row, to make its bytes unsigned.
const rowBias = 128

// rowSize returns the length of a row for this number of languages; it is read in units of eight bytes.
func rowSize(languages int) int { return (languages + 7) &^ 7 }

// A rowSum adds rows, eight languages at a time. The bytes of a row are added to lanes of 16 bits, four in each
// number. The lanes of languages 8i to 8i+7 of the script are in numbers 2i (the even ones) and 2i+1.
type rowSum struct {
	lanes   [MaxLanguages / 4]uint64
	rows    int
	touched uint8 // of all weights, which are read ahead
}

// maxRows is the number of rows that the lanes can hold.
const maxRows = 256

// add adds a row; there must be fewer than maxRows so far.
func (s *rowSum) add(row []byte) {
	const even = 0x00FF_00FF_00FF_00FF
	for i := 0; len(row) >= 8 && i+1 < len(s.lanes); i += 2 {
		eight := binary.LittleEndian.Uint64(row)
		s.lanes[i] += eight & even
		s.lanes[i+1] += eight >> 8 & even
		row = row[8:]
	}
	s.rows++
}

// moveTo adds the sums to the scores of the languages of a script and resets them.
func (s *rowSum) moveTo(scores *Scores, languages []int) {
	for i, language := range languages {
		lane := s.lanes[i/8*2+i%2] >> (i % 8 / 2 * 16)
		scores[language] += int32(uint16(lane)) - int32(rowBias*s.rows)
	}
	*s = rowSum{}
}

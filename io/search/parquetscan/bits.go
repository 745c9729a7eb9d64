package parquetscan

import "math/bits"

// rowSet is a set of rows of a row group, one bit a row. All sets of a row group have equal length.
type rowSet []uint64

// Bits after the last row are always 0, on which count, empty and next rely.
func newRowSet(rows int) rowSet { return make(rowSet, (rows+63)/64) }

// allRows returns the set of all rows.
func allRows(rows int) rowSet {
	s := newRowSet(rows)
	for i := range s {
		s[i] = ^uint64(0)
	}
	if last := rows % 64; last != 0 {
		s[len(s)-1] = 1<<last - 1
	}
	return s
}

func (s rowSet) add(row int)      { s[row>>6] |= 1 << (row & 63) }
func (s rowSet) has(row int) bool { return s[row>>6]&(1<<(row&63)) != 0 }

func (s rowSet) empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

func (s rowSet) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// without returns the rows of s that are not in o.
func (s rowSet) without(o rowSet) rowSet {
	// A new set, because the caller may still use s.
	left := make(rowSet, len(s))
	for i := range s {
		left[i] = s[i] &^ o[i]
	}
	return left
}

// or adds the rows of o.
func (s rowSet) or(o rowSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

// and returns the rows in both sets.
func (s rowSet) and(o rowSet) rowSet {
	both := make(rowSet, len(s))
	for i := range s {
		both[i] = s[i] & o[i]
	}
	return both
}

// next returns the first row of s at or after row, or -1.
func (s rowSet) next(row int) int {
	i := row >> 6
	if i >= len(s) {
		return -1
	}
	// Shifting removes the rows before row from the first word.
	if w := s[i] >> (row & 63); w != 0 {
		return row + bits.TrailingZeros64(w)
	}
	for i++; i < len(s); i++ {
		if s[i] != 0 {
			return i<<6 + bits.TrailingZeros64(s[i])
		}
	}
	return -1
}

// within reports whether s has a row in [from, to).
func (s rowSet) within(from, to int) bool {
	row := s.next(from)
	return row >= 0 && row < to
}

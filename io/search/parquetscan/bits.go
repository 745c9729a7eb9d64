package parquetscan

import "math/bits"

// rowSet is a set of rows of a row group: a bit each. All sets of a row group are equally long.
type rowSet []uint64

// The bits behind the last row are always 0, which count, empty and next rely on.
func newRowSet(rows int) rowSet { return make(rowSet, (rows+63)/64) }

// allRows is the set of all.
func allRows(rows int) rowSet {
	s := newRowSet(rows)
	for i := range s {
		s[i] = ^uint64(0)
	}
	// The last word has only the rows that there are.
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

// without returns the rows of s that o has not.
func (s rowSet) without(o rowSet) rowSet {
	// A new set: s may be the caller's selection, which others are still to be asked of.
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

// and returns the rows that both have.
func (s rowSet) and(o rowSet) rowSet {
	both := make(rowSet, len(s))
	for i := range s {
		both[i] = s[i] & o[i]
	}
	return both
}

// next is the first row of s at or after row, -1 for none.
func (s rowSet) next(row int) int {
	i := row >> 6
	if i >= len(s) {
		return -1
	}
	// The first word is shifted so that the rows before row fall out; those after are looked at whole.
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

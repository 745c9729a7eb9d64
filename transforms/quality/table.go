package quality

import "math/bits"

const (
	maxSlots  = 1 << 16 // a table's, 1 MiB
	maxProbes = 16      // an add's: keys that were made to collide cost no more than this
)

// A table counts keys in bounded memory and time: it takes no new key when three quarters of it are full, or when a
// key's neighbourhood is. It is open addressing with linear probes, the size a power of two. It is cleared and used
// again for the next text, and never grows while one is counted.
type table struct {
	slots []slot
	free  int
	best  slot
}

// A slot is one key: count is 0 in an empty one. The length is of all occurrences, since the same n-gram may be
// written with other punctuation.
type slot struct {
	key    uint64
	count  uint32
	length uint32 // characters, of all occurrences
}

// reset empties the table and makes room for about n different keys.
func (t *table) reset(n int) {
	// At least 48 keys, since an estimate for a short text is a poor one; a third more slots than
	// keys, so that probes stay few.
	size := min(maxSlots, 1<<bits.Len(uint(max(n, 48)*4/3)))
	// The memory only grows; what is there is cut to the size that the text asks for, so that
	// clearing it costs no more than the text.
	if cap(t.slots) < size {
		t.slots = make([]slot, size)
	}
	*t = table{slots: t.slots[:size], free: size * 3 / 4}
	clear(t.slots)
}

// add counts key, of which length characters were seen, and returns how often it has been seen, 0 if it found no place.
func (t *table) add(key uint64, length int) int {
	mask := uint64(len(t.slots) - 1)
	// Nothing is ever removed, so that the first empty slot proves that the key is not in the table.
	for i := range uint64(maxProbes) {
		s := &t.slots[(key+i)&mask]
		switch {
		case s.count == 0 && t.free == 0:
			return 0
		case s.count == 0:
			t.free--
			*s = slot{key: key}
		case s.key != key:
			continue
		}
		s.count++
		s.length += uint32(length)
		// Kept up while counting, so that no pass over the slots is needed at the end.
		if s.count > t.best.count || s.count == t.best.count && s.length > t.best.length {
			t.best = *s
		}
		return int(s.count)
	}
	return 0
}

// top returns how many characters the most frequent key covers, the longest of them if several are; 0 if none occurs
// twice. Occurrences may overlap ("ha ha ha"), so that the most frequent n-gram may seem to cover more than there is.
func (t *table) top() int {
	if t.best.count < 2 {
		return 0
	}
	return int(t.best.length)
}

package quality

import "math/bits"

const (
	maxSlots  = 1 << 16 // a table's, 1 MiB
	maxProbes = 16      // an add's: keys that were made to collide cost no more than this
)

// A table counts keys in bounded memory and time: it takes no new key when three quarters of it are full, or when a
// key's neighbourhood is. It is open addressing with linear probes, the size a power of two. It is cleared and used
// again for the next text, and never grows while one is counted.
//
// Slots are small, so that little is cleared and many fit a cache: the counts stand apart, in the order in which their
// keys came. A slot is 0, or the number of a count from 1 on, below the upper 16 bits of its key, which tell most
// keys apart without a look at the count.
type table struct {
	slots  []uint32
	counts []count
	free   int // keys that still find room
	best   count
}

// A count is of one key. The length is of all occurrences, since the same n-gram may be written with other
// punctuation.
type count struct {
	key    uint64
	n      uint32
	length uint32 // characters, of all occurrences
}

// The numbers of counts must fit the lower half of a slot.
var _ [1<<16 - maxSlots*3/4]struct{}

// reset empties the table and makes room for about n different keys.
func (t *table) reset(n int) {
	// At least 48 keys, since an estimate for a short text is a poor one; a third more slots than
	// keys, so that probes stay few.
	size := min(maxSlots, 1<<bits.Len(uint(max(n, 48)*4/3)))
	// The memory only grows; what is there is cut to the size that the text asks for, so that
	// clearing it costs no more than the text.
	if cap(t.slots) < size {
		t.slots = make([]uint32, size)
	}
	*t = table{slots: t.slots[:size], counts: t.counts[:0], free: size * 3 / 4}
	clear(t.slots)
}

// add counts key, of which length characters were seen, and returns how often it has been seen, 0 if it found no place.
func (t *table) add(key uint64, length int) int {
	mask, tag := uint64(len(t.slots)-1), uint32(key>>48)<<16
	// Nothing is ever removed, so that the first empty slot proves that the key is not in the table.
	for i := range uint64(maxProbes) {
		s := &t.slots[(key+i)&mask]
		switch {
		case *s == 0 && t.free == 0:
			return 0
		case *s == 0:
			t.free--
			t.counts = append(t.counts, count{key: key})
			*s = tag | uint32(len(t.counts))
		case *s>>16 != tag>>16 || t.counts[*s&0xFFFF-1].key != key:
			continue
		}
		c := &t.counts[*s&0xFFFF-1]
		c.n++
		c.length += uint32(length)
		// Kept up while counting, so that no pass over the counts is needed at the end.
		if c.n > t.best.n || c.n == t.best.n && c.length > t.best.length {
			t.best = *c
		}
		return int(c.n)
	}
	return 0
}

// top returns how many characters the most frequent key covers, the longest of them if several are; 0 if none occurs
// twice. Occurrences may overlap ("ha ha ha"), so that the most frequent n-gram may seem to cover more than there is.
func (t *table) top() int {
	if t.best.n < 2 {
		return 0
	}
	return int(t.best.length)
}

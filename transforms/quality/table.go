package quality

import "math/bits"

const (
	maxSlots  = 1 << 16 // of a table: 1 MiB
	maxProbes = 16      // of one add: colliding keys cost no more than this
)

// A table counts keys in bounded memory and time. It takes no new key if three quarters of it are full, or if a key's
// neighbourhood is. It is open addressing with linear probes, its size a power of two. It is cleared and reused for
// the next text, and never grows during one.
//
// Slots are small, so that clearing is fast and many fit into a cache. The counts are separate, in the order in which
// their keys came. A slot is 0, or has the index of a count, from 1, in its lower half. Its upper 16 bits are those of
// the key, which distinguish most keys without a look at the count.
type table struct {
	slots  []uint32
	counts []count
	free   int // number of keys that still fit
	best   count
}

// A count belongs to one key. The length is of all occurrences, since the same n-gram may be written with different
// punctuation.
type count struct {
	key    uint64
	n      uint32
	length uint32 // in characters
}

// The index of a count must fit into the lower half of a slot.
var _ [1<<16 - maxSlots*3/4]struct{}

// reset empties the table and makes room for about n different keys.
func (t *table) reset(n int) {
	// There are at least 48 keys, since the estimate for a short text is poor. There are a third more slots than keys,
	// so that probes stay few.
	size := min(maxSlots, 1<<bits.Len(uint(max(n, 48)*4/3)))
	// The memory only grows. It is used only up to the size that the text needs, so that clearing it costs no more
	// than the text.
	if cap(t.slots) < size {
		t.slots = make([]uint32, size)
	}
	*t = table{slots: t.slots[:size], counts: t.counts[:0], free: size * 3 / 4}
	clear(t.slots)
}

// add counts key, with length characters, and returns its number of occurrences, or 0 if there was no room for it.
func (t *table) add(key uint64, length int) int {
	mask, tag := uint64(len(t.slots)-1), uint32(key>>48)<<16
	// Nothing is ever removed, so the first empty slot proves that the key is not in the table.
	for i := range uint64(maxProbes) {
		s := &t.slots[(key+i)&mask]
		if *s == 0 {
			if t.free == 0 {
				return 0
			}
			t.free--
			t.counts = append(t.counts, count{key: key, n: 1, length: uint32(length)})
			*s = tag | uint32(len(t.counts))
			return 1
		}
		if *s>>16 != tag>>16 {
			continue
		}
		c := &t.counts[*s&0xFFFF-1]
		if c.key != key {
			continue
		}
		c.n++
		c.length += uint32(length)
		// The best is updated during counting, so that no pass over the counts is needed at the end. It occurs twice.
		if c.n > t.best.n || c.n == t.best.n && c.length > t.best.length {
			t.best = *c
		}
		return int(c.n)
	}
	return 0
}

// top returns the number of characters that the most frequent key covers, of several the longest, or 0 if none occurs
// twice. Occurrences may overlap ("ha ha ha"), so the result may exceed the real number.
func (t *table) top() int {
	if t.best.n < 2 {
		return 0
	}
	return int(t.best.length)
}

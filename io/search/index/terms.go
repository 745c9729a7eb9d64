package index

import (
	"hash/maphash"
	"iter"
)

// terms is the set of terms of a text. The index does not store how often a term occurs, and FTS5 would take longer to
// remove repetitions. About half of a text's terms are different.
type terms struct {
	// text is the terms, each with its ending and a space after it. FTS5 splits at spaces, because terms are letters
	// and digits.
	text  []byte
	key   *termKey
	slots []slot       // hash table with open addressing; its size is a power of two
	used  []int32      // slots in use
	seed  maphash.Seed // random, so that no page can be written whose terms all collide
}

// slot is the position of a term in text; a free slot has size 0.
type slot struct {
	hash       uint64
	from, size int32
}

// reset empties the set.
func (t *terms) reset() {
	if t.slots == nil {
		t.slots = make([]slot, 1<<12)
	}
	// Only used slots: clearing all would take longer than most texts.
	for _, i := range t.used {
		t.slots[i] = slot{}
	}
	t.text, t.used = t.text[:0], t.used[:0]
}

// add adds a term unless it exists.
func (t *terms) add(term []byte) {
	hash := maphash.Bytes(t.seed, term)
	i := t.find(hash, term)
	if t.slots[i].size != 0 {
		return
	}
	// At most half full, so that searches are short and end at a free slot.
	if 2*len(t.used) >= len(t.slots) {
		t.grow()
		i = t.find(hash, term)
	}
	t.slots[i] = slot{hash, int32(len(t.text)), int32(len(term))}
	t.used = append(t.used, int32(i))
	t.text = append(appendEnding(append(t.text, term...), t.key, term), ' ')
}

// find returns the slot of a term, or the free slot where it belongs.
func (t *terms) find(hash uint64, term []byte) int {
	mask := len(t.slots) - 1
	i := int(hash) & mask
	for ; t.slots[i].size != 0; i = (i + 1) & mask {
		s := t.slots[i]
		if s.hash == hash && string(t.text[s.from:s.from+s.size]) == string(term) {
			return i
		}
	}
	return i
}

// grow doubles the table.
func (t *terms) grow() {
	old := t.slots
	t.slots = make([]slot, 2*len(old))
	for n, i := range t.used {
		s := old[i]
		j := t.find(s.hash, t.text[s.from:s.from+s.size])
		t.slots[j] = s
		t.used[n] = int32(j)
	}
}

// all yields the terms with their hashes, which are the same in all texts of a process.
func (t *terms) all() iter.Seq2[uint64, []byte] {
	return func(yield func(uint64, []byte) bool) {
		for _, i := range t.used {
			if s := t.slots[i]; !yield(s.hash, t.text[s.from:s.from+s.size]) {
				return
			}
		}
	}
}

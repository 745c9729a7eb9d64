package index

import "hash/maphash"

// terms gathers the terms of a text, each once: how often one is in a text is not kept, and FTS5 takes longer to
// find that out. A text has half as many different terms as it has terms.
type terms struct {
	// text is the terms, each with its ending and a space after it: FTS5 divides at spaces, for terms are letters and
	// digits.
	text  []byte
	key   *termKey
	slots []slot  // a hash table with open addressing, of a size that is a power of two
	used  []int32 // slots that are taken
	seed  maphash.Seed
}

// slot is where in the text a term stands; its length is 0 in a slot that is free.
type slot struct {
	hash       uint64
	from, size int32
}

// reset makes it empty.
func (t *terms) reset() {
	if t.slots == nil {
		// A seed by chance: nobody can write a page whose terms all meet in one slot.
		t.slots, t.seed = make([]slot, 1<<12), maphash.MakeSeed()
	}
	// Only those that were used: clearing all would take longer than most texts.
	for _, i := range t.used {
		t.slots[i] = slot{}
	}
	t.text, t.used = t.text[:0], t.used[:0]
}

// add adds a term unless it is there.
func (t *terms) add(term []byte) {
	hash := maphash.Bytes(t.seed, term)
	i := t.find(hash, term)
	if t.slots[i].size != 0 {
		return
	}
	// Half full at most, so that a search ends soon, and always at a free slot.
	if 2*len(t.used) >= len(t.slots) {
		t.grow()
		i = t.find(hash, term)
	}
	t.slots[i] = slot{hash, int32(len(t.text)), int32(len(term))}
	t.used = append(t.used, int32(i))
	t.text = append(appendEnding(append(t.text, term...), t.key, term), ' ')
}

// find is the slot of a term, or the free one where it belongs.
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

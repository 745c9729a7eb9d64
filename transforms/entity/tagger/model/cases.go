package model

// maxProbes bounds the search in a table: somebody may choose words whose hashes are the same. Beyond it a word
// counts as unknown, which costs accuracy and no time.
const maxProbes = 32

// A caseTable counts how the words of a document are written: in lower case, and with a capital letter where a sentence
// does not begin. When it is full, new words are not counted. 16,384 slots are more than the distinct words of a long
// page. It is cleared by the list of used slots, since most texts use few.
type caseTable struct {
	slots [1 << 14]caseSlot
	used  []uint16
}

// A caseSlot counts one word: key is the upper half of the word's hash, never 0; the counts end at 3.
type caseSlot struct {
	key          uint32
	lower, upper uint8
}

func (c *caseTable) reset() {
	for _, i := range c.used {
		c.slots[i] = caseSlot{}
	}
	c.used = c.used[:0]
}

// slot returns the slot of a word, nil when it has none and insert is false or the table is full.
func (c *caseTable) slot(hash uint64, insert bool) *caseSlot {
	// The lowest bit marks a used slot, whatever the hash is.
	key := uint32(hash>>32) | 1
	for k := range uint64(maxProbes) {
		i := (hash + k) % uint64(len(c.slots))
		s := &c.slots[i]
		if s.key == key {
			return s
		}
		if s.key == 0 {
			// Above three quarters, searches get long.
			if !insert || len(c.used) > len(c.slots)*3/4 {
				return nil
			}
			s.key = key
			c.used = append(c.used, uint16(i))
			return s
		}
	}
	return nil
}

// count counts token t; first tells that it begins a sentence.
func (c *caseTable) count(t *Token, first bool) {
	// A capital at the beginning of a sentence says nothing, and signs and numbers are not words.
	if t.Shape != Lower && (first || !t.Shape.isCapital()) {
		return
	}
	s := c.slot(t.hash, true)
	switch {
	case s == nil:
	case t.Shape == Lower:
		s.lower = min(s.lower+1, 3)
	default:
		s.upper = min(s.upper+1, 3)
	}
}

// of returns how a word is written elsewhere: 0 to 3 times in lower case, and with a capital. Four bits in all, so
// that it can be a row of the net's table.
func (c *caseTable) of(hash uint64) uint64 {
	s := c.slot(hash, false)
	if s == nil {
		return 0
	}
	return uint64(s.lower)<<2 | uint64(s.upper)
}

// hasLower reports whether the document has the word in lower case.
func (c *caseTable) hasLower(hash uint64) bool {
	s := c.slot(hash, false)
	return s != nil && s.lower > 0
}

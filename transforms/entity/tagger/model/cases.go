package model

// maxProbes bounds the search in a table, since an attacker may choose words with equal hashes. Beyond it a word is
// unknown, which costs accuracy but not time.
const maxProbes = 32

// caseTable counts how the words of a document are written: in lower case, and with a capital inside a sentence. A
// full table ignores new words; its 16,384 slots exceed the distinct words of a long page. It clears only the used
// slots, since most texts use few.
type caseTable struct {
	slots [1 << 14]caseSlot
	used  []uint16
}

// caseSlot counts one word: key is the upper half of the word's hash, never 0; the counts end at 3.
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

// slot returns the slot of a word. It returns nil for a new word if insert is false or the table is full.
func (c *caseTable) slot(hash uint64, insert bool) *caseSlot {
	// The lowest bit marks a used slot for any hash.
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

// count counts token t; first marks the start of a sentence.
func (c *caseTable) count(t *Token, first bool) {
	// A capital at the start of a sentence says nothing, and signs and numbers are not words.
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

// of returns how a word is written elsewhere: 0 to 3 times in lower case, and with a capital. Its four bits are a row
// of the net's table.
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

package score

// counter counts keys in a table that is cleared for each page, where a map would allocate. An entry with count 0 is
// free.
type counter struct {
	keys   []uint64
	counts []int32
	mask   uint64
}

func (c *counter) reset(n int) {
	// A power of two above twice the keys, so it is never more than half full.
	size := 64
	for size < 2*n {
		size *= 2
	}
	c.keys, c.counts = resize(c.keys, size), resize(c.counts, size)
	clear(c.counts)
	c.mask = uint64(size - 1)
}

// maxProbes bounds the search for a key. Only keys made to collide need more, and then some count as one.
const maxProbes = 64

// slot is the index of key, or of its free entry. After maxProbes it returns the last index it tried: a wrong count,
// but no endless loop.
func (c *counter) slot(key uint64) uint64 {
	// The multiplier spreads keys whose low bits are alike.
	i := key * 0x9E3779B97F4A7C15 >> 20 & c.mask
	for range maxProbes {
		if c.counts[i] == 0 || c.keys[i] == key {
			break
		}
		i = (i + 1) & c.mask
	}
	return i
}

func (c *counter) add(key uint64) {
	i := c.slot(key)
	c.keys[i] = key
	c.counts[i]++
}

func (c *counter) count(key uint64) float32 { return float32(c.counts[c.slot(key)]) }

// wordSet holds the words of a title, as a Bloom filter of 1,024 bits with one hash. A title has a dozen words, so
// false hits are rare.
type wordSet struct{ bits [16]uint64 }

// read replaces the words by those of text.
func (s *wordSet) read(text string) {
	*s = wordSet{}
	eachWord([]byte(text), func(h uint32) { s.bits[h>>6&15] |= 1 << (h & 63) })
}

// share is the part of the text's words that are in the set.
func (s *wordSet) share(text []byte) float32 {
	all, in := int32(0), int32(0)
	eachWord(text, func(h uint32) {
		all++
		in += int32(s.bits[h>>6&15] >> (h & 63) & 1)
	})
	return ratio(in, all)
}

// eachWord calls yield with a hash of each word of text. A word is a run of ASCII letters and digits, in lower case,
// and bytes above ASCII. A text without spaces is one long word.
func eachWord(text []byte, yield func(uint32)) {
	// FNV-1a of 32 bits, mixed at the end since its low bits are weak.
	const offset, prime = 2166136261, 16777619
	h, in := uint32(offset), false
	for _, c := range text {
		if k := wordBytes[c]; k != 0 {
			h, in = (h^uint32(k))*prime, true
		} else if in {
			yield(h ^ h>>15)
			h, in = offset, false
		}
	}
	if in {
		yield(h ^ h>>15)
	}
}

// wordBytes are the bytes of words, letters in lower case.
var wordBytes = func() (t [256]uint8) {
	for i := range t {
		c := uint8(i)
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80:
			t[i] = c
		case c >= 'A' && c <= 'Z':
			t[i] = c | 0x20
		}
	}
	return t
}()

// slots numbers keys in the order in which they come, in the counts of counter.
type slots struct {
	counter
	next int32
}

func (s *slots) reset(n int) {
	s.counter.reset(n)
	s.next = 0
}

// find is the number of key, the next one if it is new.
func (s *slots) find(key uint64) int32 {
	i := s.slot(key)
	if s.counts[i] == 0 {
		s.next++
		s.keys[i], s.counts[i] = key, s.next
	}
	return s.counts[i] - 1
}

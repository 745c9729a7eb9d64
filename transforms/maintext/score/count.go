package score

// counter counts keys, in a table that is used again. A map would allocate for each page; this one is cleared. An
// entry without a count is free, whatever its key is.
type counter struct {
	keys   []uint64
	counts []int32
	mask   uint64
}

// reset empties the counter for at most n keys.
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

// maxProbes is how many places are looked at for a key. The table is never more than half full, so that more are only
// needed by keys made for it, of which some then count as one.
const maxProbes = 64

// slot is where key stands, or would stand. Beyond maxProbes it gives the last place that it looked at, whose key is
// then another: a wrong count, and no loop.
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

// add counts key once more.
func (c *counter) add(key uint64) {
	i := c.slot(key)
	c.keys[i] = key
	c.counts[i]++
}

// count is how often key was added.
func (c *counter) count(key uint64) float32 { return float32(c.counts[c.slot(key)]) }

// wordSet holds the words of a title. It is a Bloom filter of 1,024 bits with one hash: a title has a dozen words, so
// hardly a word is in it by chance.
type wordSet struct{ bits [16]uint64 }

// read takes the words of text in the place of those before.
func (s *wordSet) read(text string) {
	*s = wordSet{}
	eachWord([]byte(text), func(h uint32) { s.bits[h>>6&15] |= 1 << (h & 63) })
}

// share is how much of the text's words are in the set.
func (s *wordSet) share(text []byte) float32 {
	all, in := int32(0), int32(0)
	eachWord(text, func(h uint32) {
		all++
		in += int32(s.bits[h>>6&15] >> (h & 63) & 1)
	})
	return ratio(in, all)
}

// eachWord calls yield with a hash of each word of text: runs of ASCII letters and digits, in lower case, and of bytes
// beyond ASCII. Texts without spaces give one long word, which is in the title as a whole or not.
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

// wordBytes are the bytes of which words are made, letters in lower case.
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

// slots numbers keys in the order in which they come. It uses the counts of counter for the numbers.
type slots struct {
	counter
	next int32
}

// reset forgets all numbers.
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

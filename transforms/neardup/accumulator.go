package neardup

import "math/bits"

// spread[b] holds the eight bits of b, one in each byte: eight counters advance with one addition.
var spread = func() (t [256]uint64) {
	for b := range t {
		for bit := range 8 {
			t[b] |= uint64(b>>bit&1) << (8 * bit)
		}
	}
	return t
}()

// An accumulator counts for each bit of a hash the shingles that have it set.
type accumulator struct {
	lanes    [8]uint64 // 64 counters of one byte: lane i holds those of bits 8i to 8i+7
	pending  int       // shingles in lanes, at most 255
	counts   [64]int
	shingles int
	recent   [shingle - 1]uint64 // the hashes of the last words
	words    int
}

// word adds the next word, by its hash.
func (a *accumulator) word(h uint64) {
	if a.words >= shingle-1 {
		a.shingle(mix(mix(a.recent[0]) ^ bits.RotateLeft64(a.recent[1], 21) ^ bits.RotateLeft64(h, 42)))
	}
	a.recent[0], a.recent[1] = a.recent[1], h
	a.words++
}

// shingle counts the bits of one shingle's hash.
func (a *accumulator) shingle(h uint64) {
	for i := range a.lanes {
		a.lanes[i] += spread[byte(h>>(8*i))]
	}
	a.shingles++
	if a.pending++; a.pending == 255 {
		a.flush()
	}
}

// flush adds the narrow counters to the wide ones before they overflow.
func (a *accumulator) flush() {
	for i, lane := range a.lanes {
		for bit := range 8 {
			a.counts[8*i+bit] += int(byte(lane >> (8 * bit)))
		}
	}
	a.lanes, a.pending = [8]uint64{}, 0
}

// sum returns the fingerprint: the bits set in more than half of the shingles.
func (a *accumulator) sum() (uint64, bool) {
	if a.words == 0 {
		return 0, false
	}
	if a.words < shingle {
		a.shingle(mix(mix(a.recent[0]) ^ bits.RotateLeft64(a.recent[1], 21)))
	}
	a.flush()
	var h uint64
	for bit, n := range a.counts {
		if 2*n > a.shingles {
			h |= 1 << bit
		}
	}
	return h, true
}

package filter

import (
	"math/bits"
	"slices"
)

// modulus is the prime that sequences of words are hashed with: 2^61-1.
const modulus = 1<<61 - 1

func multiply(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return reduce(low&modulus + (low>>61 | high<<3))
}

func reduce(x uint64) uint64 {
	if x >= modulus {
		return x - modulus
	}
	return x
}

const base = 0x1f3d5b79a2c4e6 // any number below the modulus will do

// powers are those of base by their exponents: the factors of words, nearly all of which are short.
var powers = func() (list [64]uint64) {
	list[0] = 1
	for i := 1; i < len(list); i++ {
		list[i] = multiply(list[i-1], base)
	}
	return list
}()

// placed has what a byte adds to a hash when so many bytes of its four are behind it.
var placed = func() (t [4][256]uint64) {
	for behind := range t {
		for c := range t[behind] {
			t[behind][c] = multiply(uint64(c)+1, powers[behind])
		}
	}
	return t
}()

func power(n int) uint64 {
	if n < len(powers) {
		return powers[n]
	}
	p := uint64(1)
	for ; n >= len(powers); n -= len(powers) - 1 {
		p = multiply(p, powers[len(powers)-1])
	}
	return multiply(p, powers[n])
}

// hashWord is the polynomial of a word's bytes, four at a time.
func hashWord(w string) (h uint64) {
	for ; len(w) >= 4; w = w[4:] {
		// Five numbers below 2^61 are less than 2^64.
		sum := multiply(h, powers[4]) + placed[3][w[0]] + placed[2][w[1]] + placed[1][w[2]] + placed[0][w[3]]
		h = reduce(sum&modulus + sum>>61)
	}
	for i := range len(w) {
		h = reduce(multiply(h, base) + uint64(w[i]) + 1)
	}
	return h
}

// hash hashes each word by its bytes, so that hashes of words in a row make that of the words joined: the rule compares
// joined words.
func (r *repetition) hash(words []string) {
	r.words = r.words[:0]
	for _, w := range words {
		r.words = append(r.words, wordHash{hashWord(w), power(len(w)), runes(w)})
	}
}

// join is the hash of n words in a row.
func join(words []wordHash) (h uint64) {
	for _, w := range words {
		h = reduce(multiply(h, w.power) + w.hash)
	}
	return h
}

// gramTable counts hashes. It is emptied at no cost: what has another stamp is not there.
type gramTable struct {
	slots []gramSlot // a power of two of them
	mask  uint64     // of those that are in use, at least half of which are free: few stay in the processor's cache
	shift int
	stamp uint32
}

type gramSlot struct {
	hash                uint64
	stamp, count, first uint32
}

// reset empties the table, and makes room for n hashes.
func (t *gramTable) reset(n int) {
	size := bits.Len(uint(2 * n))
	if t.stamp++; len(t.slots) < 1<<size || t.stamp == 0 {
		t.slots, t.stamp = make([]gramSlot, 1<<size), 1
	}
	t.mask, t.shift = 1<<size-1, 64-size
}

// add counts a hash that is met at a place, and returns where its slot is.
func (t *gramTable) add(hash uint64, at int) uint32 {
	// Multiplied, since the hashes of short words differ in few bits.
	i := hash * 0x9e3779b97f4a7c15 >> t.shift
	for t.slots[i].stamp == t.stamp && t.slots[i].hash != hash {
		i = (i + 1) & t.mask
	}
	s := &t.slots[i]
	if s.stamp != t.stamp {
		*s = gramSlot{hash: hash, stamp: t.stamp, first: uint32(at)}
	}
	s.count++
	return uint32(i)
}

// isNew counts a hash, and tells whether it was not there before.
func (t *gramTable) isNew(hash uint64) bool { return t.slots[t.add(hash, 0)].count == 1 }

// tops are how many code points the most frequent n-grams take, with spaces between their words; of equally frequent
// ones the first. It calls do for n from 2 until that returns false.
func (r *repetition) tops(most int, do func(n, length int) bool) {
	r.grams, r.again = r.grams[:0], r.again[:0]
	for _, w := range r.words {
		r.grams, r.again = append(r.grams, w.hash), append(r.again, true)
	}
	for n := 2; n <= most && n <= len(r.words); n++ {
		if !do(n, r.top(n)) {
			return
		}
	}
}

// top counts the n-grams. It makes their hashes of those of the (n-1)-grams, and looks only at those that begin and
// end with a (n-1)-gram that is there more than once: others are there once.
func (r *repetition) top(n int) (length int) {
	grams := r.grams[:len(r.words)-n+1]
	r.table.reset(len(grams))
	// What is left of the n before is never looked at: again says whose slots are set.
	r.slots = slices.Grow(r.slots[:0], len(grams))[:len(grams)]
	most, first := uint32(1), uint32(0)
	for i := range grams {
		if r.again[i] = r.again[i] && r.again[i+1]; !r.again[i] {
			continue
		}
		// With a factor for the space: "a bc" is another 2-gram than "ab c".
		w := r.words[i+n-1]
		grams[i] = reduce(multiply(multiply(grams[i], w.power), base) + w.hash)
		r.slots[i] = r.table.add(grams[i], i)
		if s := r.table.slots[r.slots[i]]; s.count > most || s.count == most && s.first < first {
			most, first = s.count, s.first
		}
	}
	for i := range grams {
		r.again[i] = r.again[i] && r.table.slots[r.slots[i]].count > 1
	}
	r.again[len(grams)] = false
	length = n - 1
	for _, w := range r.words[first : int(first)+n] {
		length += w.runes
	}
	return int(most) * length
}

// least is the length of the shortest sequences whose copies are counted.
const least = 5

// mayCover is a number that covered is not above: the code points in words of sequences of five whose first and last
// four words are there more than once. It takes what top has left of n = 4, and counts nothing anew.
func (r *repetition) mayCover() (length int) {
	end := 0 // of what was counted
	for i := 0; i+least <= len(r.words); i++ {
		if !r.again[i] || !r.again[i+1] {
			continue
		}
		for end = max(end, i); end < i+least; end++ {
			length += r.words[end].runes
		}
	}
	return length
}

// covered is how many code points are in words of sequences of five that were there before: copies of longer sequences
// consist of such, so that no count of copies is more than this; but for sequences that are equal only when joined, as
// "1 11" and "11 1", which make a few code points in tables of numbers. It leaves the hashes of the sequences in grams.
func (r *repetition) covered() (length int) {
	r.table.reset(len(r.words))
	r.grams = r.grams[:max(0, len(r.words)-least+1)]
	end := 0 // of what was counted
	for i := range r.grams {
		r.grams[i] = join(r.words[i : i+least])
		if r.table.isNew(r.grams[i]) {
			continue
		}
		for end = max(end, i); end < i+least; end++ {
			length += r.words[end].runes
		}
	}
	return length
}

// copies is how many code points are in n-grams that were there before, none counted twice. It makes the hashes of
// those of the (n-1)-grams, but for the first n, whose hashes covered has left.
func (r *repetition) copies(n int) (length int) {
	r.table.reset(len(r.words))
	r.grams = r.grams[:max(0, len(r.words)-n+1)]
	if n > least {
		for i := range r.grams {
			w := r.words[i+n-1]
			r.grams[i] = reduce(multiply(r.grams[i], w.power) + w.hash)
		}
	}
	for i := 0; i < len(r.grams); {
		if r.table.isNew(r.grams[i]) {
			i++
			continue
		}
		for _, w := range r.words[i : i+n] {
			length += w.runes
		}
		i += n
	}
	return length
}

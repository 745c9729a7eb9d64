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

// powers are those of base by their exponents: the factors of sequences of words, nearly all of which are shorter.
var powers = func() (list [256]uint64) {
	list[0] = 1
	for i := 1; i < len(list); i++ {
		list[i] = multiply(list[i-1], base)
	}
	return list
}()

// placed has what a byte adds to a hash when so many bytes of its four are after it.
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

// hash hashes each word by its bytes.
func (r *repetition) hash(words []string) {
	r.words = slices.Grow(r.words[:0], len(words)+1)[:len(words)+1]
	begins := 0
	for i, w := range words {
		r.words[i] = wordHash{hash: hashWord(w), begins: begins}
		begins += len(w)
	}
	r.words[len(words)] = wordHash{begins: begins}
	r.texts, r.count = words, len(words)
}

// join makes the hashes of all beginnings of the text, by which those of sequences are told: of the words joined, since
// that is what the rule compares.
func (r *repetition) join() {
	h := uint64(0)
	for i := range r.count {
		w, next := &r.words[i], &r.words[i+1]
		w.before = h
		h = reduce(multiply(h, power(next.begins-w.begins)) + w.hash)
	}
	r.words[r.count].before = h
}

// joined is the hash of n words in a row, joined, from one word on.
func (r *repetition) joined(from, n int) uint64 {
	begin, end := &r.words[from], &r.words[from+n]
	return reduce(end.before + modulus - multiply(begin.before, power(end.begins-begin.begins)))
}

// follow is the hash of a sequence and a word after it, from those of the two: it tells where words end, and takes one
// multiplication.
func follow(sequence, word uint64) uint64 {
	high, low := bits.Mul64(sequence^0x9e3779b97f4a7c15, word^0xe7037ed1a0b428db)
	return high ^ low
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

// isNew counts a hash, and reports whether it was not there before.
func (t *gramTable) isNew(hash uint64) bool { return t.slots[t.add(hash, 0)].count == 1 }

// sieve tells hashes that were not added twice, most of them: a bit for each that was, and one for each that was twice.
type sieve struct {
	once, twice []uint64
	shift       int
}

// reset empties the sieve, and makes room for n hashes: eight bits each, so that it stays in the processor's cache.
func (s *sieve) reset(n int) {
	size := max(bits.Len(uint(8*n)), 6)
	words := 1 << (size - 6)
	s.once, s.twice = slices.Grow(s.once[:0], words)[:words], slices.Grow(s.twice[:0], words)[:words]
	clear(s.once)
	clear(s.twice)
	s.shift = 64 - size
}

func (s *sieve) add(hash uint64) {
	i := hash >> s.shift
	bit := uint64(1) << (i & 63)
	s.twice[i>>6] |= s.once[i>>6] & bit
	s.once[i>>6] |= bit
}

// mayHaveTwice is 1 for a hash that may have been added twice, and else 0.
func (s *sieve) mayHaveTwice(hash uint64) int {
	i := hash >> s.shift
	return int(s.twice[i>>6] >> (i & 63) & 1)
}

// tops are how many code points the most frequent n-grams take, with spaces between their words; of equally frequent
// ones the first. It calls do for n from 2 until that returns false.
func (r *repetition) tops(most int, do func(n, length int) bool) {
	r.grams = slices.Grow(r.grams[:0], r.count)[:r.count]
	r.again = slices.Grow(r.again[:0], r.count)[:r.count]
	for i, w := range r.words[:r.count] {
		r.grams[i], r.again[i] = w.hash, uint32(i)
	}
	for n := 2; n <= most && n <= r.count; n++ {
		if !do(n, r.top(n)) {
			return
		}
	}
}

// top counts the n-grams. It makes their hashes of those of the (n-1)-grams, and looks only at those that begin and
// end with a (n-1)-gram that is there more than once: others are there once. So are most of these, which a sieve tells.
// Places are kept in lists and not as flags, and lists are shortened without a branch: no processor foresees which
// words a text says again.
func (r *repetition) top(n int) (length int) {
	places := r.again[:pairs(r.again)]
	r.sieve.reset(len(places))
	for _, i := range places {
		r.grams[i] = follow(r.grams[i], r.words[int(i)+n-1].hash)
		r.sieve.add(r.grams[i])
	}
	left := 0
	for _, i := range places {
		places[left] = i
		left += r.sieve.mayHaveTwice(r.grams[i])
	}
	places = places[:left]
	r.table.reset(left)
	r.slots = slices.Grow(r.slots[:0], left)[:left]
	most, first := uint32(1), uint32(0)
	for j, i := range places {
		r.slots[j] = r.table.add(r.grams[i], int(i))
		if s := &r.table.slots[r.slots[j]]; s.count > most || s.count == most && s.first < first {
			most, first = s.count, s.first
		}
	}
	left = 0
	for j, i := range places {
		places[left] = i
		left += int(min(r.table.slots[r.slots[j]].count, 2)) - 1
	}
	r.again = places[:left]
	length = n - 1
	for _, w := range r.texts[first : int(first)+n] {
		length += runes(w)
	}
	return int(most) * length
}

// pairs leaves of a list of places those whose next place is in it too, and returns how many these are.
func pairs(places []uint32) (left int) {
	for j := 1; j < len(places); j++ {
		i := places[j-1]
		places[left] = i
		if places[j] == i+1 {
			left++
		}
	}
	return left
}

// least is the length of the shortest sequences whose copies are counted.
const least = 5

// mayCover is a number that covered is not above: the code points in words of sequences of five whose first and last
// four words are there more than once. It takes what top has left of n = 4, and counts nothing again.
func (r *repetition) mayCover() (length int) {
	end := 0 // of what was counted
	for _, i := range r.again[:pairs(r.again)] {
		for end = max(end, int(i)); end < int(i)+least; end++ {
			length += runes(r.texts[end])
		}
	}
	return length
}

// covered is how many code points are in words of sequences of five that were there before: copies of longer sequences
// consist of such, so that no count of copies is more than this; except for sequences that are equal only when joined,
// as "1 11" and "11 1", which make a few code points in tables of numbers. Words have to be joined.
func (r *repetition) covered() (length int) {
	r.table.reset(r.count)
	end := 0 // of what was counted
	for i := 0; i+least <= r.count; i++ {
		if r.table.isNew(r.joined(i, least)) {
			continue
		}
		for end = max(end, i); end < i+least; end++ {
			length += runes(r.texts[end])
		}
	}
	return length
}

// copies is how many code points are in n-grams that were there before, none counted twice. Words have to be joined.
func (r *repetition) copies(n int) (length int) {
	r.table.reset(r.count)
	for i := 0; i+n <= r.count; {
		if r.table.isNew(r.joined(i, n)) {
			i++
			continue
		}
		for _, w := range r.texts[i : i+n] {
			length += runes(w)
		}
		i += n
	}
	return length
}

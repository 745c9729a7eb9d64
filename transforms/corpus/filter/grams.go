package filter

import (
	"math/bits"
	"slices"
)

// modulus is the prime for the hashes of word sequences: 2^61-1.
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

const base = 0x1f3d5b79a2c4e6 // any number below the modulus is suitable

// powers are the powers of base by exponent. They are enough for nearly all sequences of words; power computes higher
// ones.
var powers = func() (list [256]uint64) {
	list[0] = 1
	for i := 1; i < len(list); i++ {
		list[i] = multiply(list[i-1], base)
	}
	return list
}()

// placed holds the contribution of a byte to a hash, by the number of bytes after it in its group of four.
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

// hashWord returns the polynomial of a word's bytes, four at a time.
func hashWord(w string) (h uint64) {
	for ; len(w) >= 4; w = w[4:] {
		// The sum of five numbers below 2^61 is less than 2^64.
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

// join computes the hashes of all prefixes of the text, from which joined gets those of sequences. The hash is of the
// joined words, which the rule compares.
func (r *repetition) join() {
	h := uint64(0)
	for i := range r.count {
		w, next := &r.words[i], &r.words[i+1]
		w.before = h
		h = reduce(multiply(h, power(next.begins-w.begins)) + w.hash)
	}
	r.words[r.count].before = h
}

// joined returns the hash of n consecutive words, joined, starting at from.
func (r *repetition) joined(from, n int) uint64 {
	begin, end := &r.words[from], &r.words[from+n]
	return reduce(end.before + modulus - multiply(begin.before, power(end.begins-begin.begins)))
}

// follow returns the hash of a sequence and the word after it, from their hashes. It depends on word ends, and takes
// one multiplication.
func follow(sequence, word uint64) uint64 {
	high, low := bits.Mul64(sequence^0x9e3779b97f4a7c15, word^0xe7037ed1a0b428db)
	return high ^ low
}

// gramTable counts hashes. Emptying it costs nothing: slots with another stamp count as empty.
type gramTable struct {
	slots []gramSlot // their number is a power of two
	mask  uint64     // for the slots in use; at least half stay free, and few stay in the processor's cache
	shift int
	stamp uint32
}

type gramSlot struct {
	hash                uint64
	stamp, count, first uint32
}

// reset empties the table and makes room for n hashes.
func (t *gramTable) reset(n int) {
	size := bits.Len(uint(2 * n))
	if t.stamp++; len(t.slots) < 1<<size || t.stamp == 0 {
		t.slots, t.stamp = make([]gramSlot, 1<<size), 1
	}
	t.mask, t.shift = 1<<size-1, 64-size
}

// add counts a hash found at a position, and returns the index of its slot.
func (t *gramTable) add(hash uint64, at int) uint32 {
	// The hash is multiplied, since hashes of short words differ in few bits.
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

// isNew counts a hash, and reports whether it was new.
func (t *gramTable) isNew(hash uint64) bool { return t.slots[t.add(hash, 0)].count == 1 }

// sieve recognises most hashes that were added less than twice. It has a bit for each hash added, and one for each
// added twice.
type sieve struct {
	once, twice []uint64
	shift       int
}

// reset empties the sieve and makes room for n hashes. It has eight bits for each, so that it stays in the processor's
// cache.
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

// mayHaveTwice returns 1 for a hash that may have been added twice, and otherwise 0.
func (s *sieve) mayHaveTwice(hash uint64) int {
	i := hash >> s.shift
	return int(s.twice[i>>6] >> (i & 63) & 1)
}

// tops computes the number of code points of the most frequent n-grams, with spaces between their words. Of equally
// frequent ones the first counts. It calls do for n from 2 on until that returns false.
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

// top counts the n-grams. It makes their hashes from those of the (n-1)-grams. It checks only n-grams that begin and
// end with an (n-1)-gram that occurs more than once; all others occur once. Most of these occur once too, and a sieve
// finds them. Positions are kept in lists instead of flags, and lists are shortened without a branch: no processor can
// predict which words a text repeats.
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

// pairs keeps the positions of a list whose next position is in it too, and returns their number.
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

// mayCover returns an upper bound of covered. It is the number of code points in sequences of five words whose first
// and last four words occur more than once. It uses the result of top for n = 4, so it counts nothing again.
func (r *repetition) mayCover() (length int) {
	end := 0 // end of the counted part
	for _, i := range r.again[:pairs(r.again)] {
		for end = max(end, int(i)); end < int(i)+least; end++ {
			length += runes(r.texts[end])
		}
	}
	return length
}

// covered returns the number of code points in repeated sequences of n words. Copies of longer sequences consist of
// these, so this bounds the count of copies. An exception is sequences that are equal only when joined, such as "1 11"
// and "11 1", a few code points in tables of numbers. Words must be joined before.
func (r *repetition) covered(n int) (length int) {
	r.table.reset(r.count)
	end := 0 // end of the counted part
	for i := 0; i+n <= r.count; i++ {
		if r.table.isNew(r.joined(i, n)) {
			continue
		}
		for end = max(end, i); end < i+n; end++ {
			length += runes(r.texts[end])
		}
	}
	return length
}

// copies returns the number of code points in repeated n-grams, none counted twice. Words must be joined before.
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

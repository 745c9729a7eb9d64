package index

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// termKey makes the ending that each term has in text.db.
//
// FTS5 gathers terms in a hash table without a key, whose function is linear (fts5HashKey in SQLite's fts5_hash.c): all
// words of 16 letters, each written twice in a row, meet in one slot, and to add n of them takes n² steps. So a term
// is followed by four bytes that nobody can foresee who does not know the key, which each text.db is born with. They
// come first in that function, which begins at a term's end.
//
// The bytes are a polynomial whose coefficients are those of the term, modulo a prime, at a secret point (Carter and
// Wegman, "Universal classes of hash functions", 1979), with a secret number before the first. For any two terms, and
// whatever difference makes them meet, that they do has a chance of their length in 2^27 at most, but that a table has
// no more than 2^15 of the slots for what the four bytes can be: of a million terms made to meet, some thirty do.
type termKey struct{ point, first uint64 }

// prime is the Mersenne prime 2^61 - 1: to reduce by it takes a shift and a sum.
const prime = 1<<61 - 1

// endingBytes is how long the ending of a term is. Three bytes would leave 2^12 slots.
const endingBytes = 4

// readTermKey is that of a text.db.
func readTermKey(ctx context.Context, text asker) (*termKey, error) {
	n, err := state(ctx, text, "key")
	if err != nil {
		return nil, err
	}
	return newTermKey(n), nil
}

func newTermKey(n int64) *termKey {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64(nil, uint64(n)))
	// Neither is 0, at which all polynomials have one value.
	number := func(b []byte) uint64 { return binary.LittleEndian.Uint64(b)%(prime-1) + 1 }
	return &termKey{number(sum[:8]), number(sum[8:16])}
}

// appendEnding appends the ending of a term.
//
// Its first byte is one that continues with a character in UTF-8 and begins none. So no question for the terms with
// some beginning reaches into the ending of a shorter term; and endings are of one length, so that no two terms become
// one.
func appendEnding[T string | []byte](b []byte, k *termKey, term T) []byte {
	h := k.first
	for i := range len(term) {
		hi, lo := bits.Mul64(h, k.point)
		// Of a number a·2^61 + b the rest is that of a + b. It may be above the prime by some hundred, which
		// the next product has room for.
		h = lo&prime + (hi<<3 | lo>>61) + uint64(term[i])
		if h >= prime {
			h -= prime
		}
	}
	h %= prime
	// Of 128 and more, so that FTS5 takes them for letters, whatever text they make.
	return append(b, 0x80|byte(h&0x3f), 0x80|byte(h>>6), 0x80|byte(h>>13), 0x80|byte(h>>20))
}

package index

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// termKey makes the ending of each term in text.db.
//
// FTS5 collects terms in a hash table with an unkeyed, linear function (fts5HashKey in SQLite's fts5_hash.c). All words
// of 16 letters, each written twice in a row, collide, and adding n of them takes n² steps. So four bytes follow each
// term, which depend on a secret key of each text.db. The function reads them first, because it begins at a term's end.
//
// The bytes are a polynomial with the term's bytes as coefficients, modulo a prime, at a secret point and after a
// secret number. See Carter and Wegman, "Universal classes of hash functions", 1979. Any two terms collide with a
// probability of at most their length in 2^27. Since the four bytes reach no more than 2^15 slots, about thirty of a
// million chosen terms collide.
type termKey struct{ point, first uint64 }

// prime is the Mersenne prime 2^61 - 1, modulo which a shift and a sum reduce.
const prime = 1<<61 - 1

// endingBytes is the length of an ending. Three bytes would reach only 2^12 slots.
const endingBytes = 4

// readTermKey reads the key of a text.db.
func readTermKey(ctx context.Context, text asker) (*termKey, error) {
	n, err := state(ctx, text, "key")
	if err != nil {
		return nil, err
	}
	return newTermKey(n), nil
}

func newTermKey(n int64) *termKey {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64(nil, uint64(n)))
	// Neither is 0, at which all polynomials are equal.
	number := func(b []byte) uint64 { return binary.LittleEndian.Uint64(b)%(prime-1) + 1 }
	return &termKey{number(sum[:8]), number(sum[8:16])}
}

// appendEnding appends the ending of a term.
//
// Its first byte is a continuation byte of UTF-8, which begins no character. So a prefix search never matches the
// ending of a shorter term. Endings have equal length, so different terms stay different.
func appendEnding[T string | []byte](b []byte, k *termKey, term T) []byte {
	h := k.first
	for i := range len(term) {
		hi, lo := bits.Mul64(h, k.point)
		// a·2^61 + b is congruent to a + b. The sum may exceed the prime by some hundred, which the next product
		// tolerates.
		h = lo&prime + (hi<<3 | lo>>61) + uint64(term[i])
		if h >= prime {
			h -= prime
		}
	}
	h %= prime
	// Bytes from 128 on, which FTS5 treats as letters.
	return append(b, 0x80|byte(h&0x3f), 0x80|byte(h>>6), 0x80|byte(h>>13), 0x80|byte(h>>20))
}

package index

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// scoreLengths sets scores by the length of texts, between 0 and 1; shorter is better.
//
// This is BM25 with what the index stores. It does not store how often a term occurs (detail=none), so FTS5's bm25() is
// always 0. All texts here have all terms, so the rarity of terms does not matter either.
func (s *snapshot) scoreLengths(ctx context.Context, list []candidate) error {
	shards, err := s.shards(ctx)
	if err != nil {
		return err
	}
	var fits []byte // of the last candidate's shard, because many share one
	var from, end uint64
	for i := range list {
		c := &list[i]
		if id := uint64(c.id); id < from || id >= end {
			at, found := slices.BinarySearchFunc(shards, c.id, shardRange.compare)
			if !found {
				return fmt.Errorf("%w: a version of no shard", ErrDamaged)
			}
			if fits, err = s.fits(ctx, shards[at]); err != nil {
				return err
			}
			from, end = uint64(shards[at].first), shards[at].end()
		}
		c.score = float64(fits[uint64(c.id)-from]) / 100
	}
	return nil
}

// fits returns the length scores of a shard's versions, from its columns if they are cached.
func (s *snapshot) fits(ctx context.Context, r shardRange) (fits []byte, err error) {
	if c, ok := s.columns.get(r.first); ok {
		return c.fits, nil
	}
	err = s.index.QueryRowContext(ctx, "select fits from shard where id = ?", r.id).Scan(&fits)
	if err == nil && len(fits) != r.rows {
		err = fmt.Errorf("%w: columns of a shard", ErrDamaged)
	}
	return fits, explain(err)
}

// lengthScore returns the score of a text with n different terms, in hundredths.
func lengthScore(n int) uint8 {
	const (
		average = 250 // approximate number of different terms of a page
		short   = 30  // a shorter text is a feed's title or an error page: it counts as average
		k, b    = 1.2, .75
	)
	if n < short {
		n = average
	}
	// Rounded, because a text that is three words longer is not worse: then the newest comes first.
	return uint8(math.Round(100 / (1 + k*(1-b+b*float64(n)/average))))
}

// varint decodes SQLite's integers: seven bits a byte, the most significant first, the last byte without the eighth
// bit. Nine-byte integers exceed any number of terms.
func varint(b []byte) (n uint64) {
	for _, c := range b[:min(len(b), 8)] {
		n = n<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			break
		}
	}
	return n
}

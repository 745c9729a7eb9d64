package index

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// scoreLengths gives candidates a score by how long their texts are: between 0 and 1, the more the shorter.
//
// That is BM25 with what the index keeps. How often a term is in a text is not in it (detail=none), so that FTS5's
// own bm25() is 0 for every text. All texts here have all terms, so their rarity tells nothing either.
func (s *snapshot) scoreLengths(ctx context.Context, list []candidate) error {
	shards, err := s.shards(ctx)
	if err != nil {
		return err
	}
	var fits []byte // of the shard of the last candidate, as many are of one
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

// fits is how well the texts of a shard's versions fit, from its columns where these are kept.
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

// lengthScore is the score of a text with n different terms, in hundredths.
func lengthScore(n int) uint8 {
	const (
		average = 250 // different terms of a page, about: the index has each once
		short   = 30  // a text with less is a feed's title or the page of an error: it is taken for an average one
		k, b    = 1.2, .75
	)
	if n < short {
		n = average
	}
	// Rounded, since a text that is three words longer fits no worse: of such the newest comes first.
	return uint8(math.Round(100 / (1 + k*(1-b+b*float64(n)/average))))
}

// varint reads SQLite's: seven bits a byte, the most significant first, the last byte without the eighth bit. Those of
// nine bytes are of numbers that no text has terms.
func varint(b []byte) (n uint64) {
	for _, c := range b[:min(len(b), 8)] {
		n = n<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			break
		}
	}
	return n
}

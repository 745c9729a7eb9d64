package index

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"
)

// stored is the kind with bitmaps that a field is counted by, and its values of a value there.
func (f small) stored() (k kind, value func(string) string) {
	if f.kind == kindYear {
		return kindMonth, yearOf
	}
	return f.kind, func(text string) string { return text }
}

// yearOf returns the year of a month's name.
func yearOf(month string) string { return month[:max(0, len(month)-len("-01"))] }

// addPairs counts the versions of a set by the values of two fields, from their columns. Bitmaps of all combinations
// would take a hundred times as long: of hosts and languages there are hundreds of thousands.
func (t tally) addPairs(ctx context.Context, s *snapshot, set *roaring.Bitmap, a, b small) error {
	one, valueOf := a.stored()
	two, otherOf := b.stored()
	counts, err := s.countPairs(ctx, set, one, two)
	if err != nil {
		return err
	}
	for key, n := range counts {
		if key[0] == 0 || key[1] == 0 {
			continue // it has no value
		}
		first, err := s.name(ctx, key[0])
		if err != nil {
			return err
		}
		second, err := s.name(ctx, key[1])
		if err != nil {
			return err
		}
		if err := t.note([]string{valueOf(first), otherOf(second)}, n); err != nil {
			return err
		}
	}
	return nil
}

// countPairs counts the versions of a set by the numbers of their values of two kinds; 0 means none.
func (s *snapshot) countPairs(
	ctx context.Context, set *roaring.Bitmap, one, two kind,
) (counts map[[2]int64]uint64, err error) {
	counts = map[[2]int64]uint64{}
	for parts := range batches(set) {
		firsts, err := s.valueColumns(ctx, one, parts)
		if err != nil {
			return nil, err
		}
		seconds, err := s.valueColumns(ctx, two, parts)
		if err != nil {
			return nil, err
		}
		for chunk, part := range parts {
			x, y := firsts[chunk], seconds[chunk]
			last, n := [2]int64{}, uint64(0)
			eachOf(part, func(version uint32) {
				key := [2]int64{x.ids[x.of.at(version&chunkMask)], y.ids[y.of.at(version&chunkMask)]}
				// In the order of SURTs, the same host mostly follows.
				if key != last {
					counts[last] += n
					last, n = key, 0
				}
				n++
			})
			if counts[last] += n; len(counts) > maxFacets {
				return nil, ErrManyFacets
			}
		}
	}
	return counts, nil
}

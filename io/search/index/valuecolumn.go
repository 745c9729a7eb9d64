package index

import (
	"context"
	"database/sql"
	"fmt"
	"math/bits"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// valueColumn holds the value of a kind for each version of a chunk. It is made from the bitmaps, whose reading and
// intersecting takes many times as long, for hosts a hundred times.
type valueColumn struct {
	ids []int64 // of the values; ids[0] means none
	of  places  // for each version of the chunk, the index of its value in ids
}

// places is a list of indexes, in as few bytes each as possible.
type places interface {
	put(i, place uint32)
	at(i uint32) uint32
	// count adds the number of versions in a chunk's set to each index's count.
	count(set *roaring.Bitmap, n []uint64)
	size() int64
}

// placesFor returns a list of n indexes below most.
func placesFor(n int, most int64) places {
	switch {
	case most <= 1<<8:
		return make(placesOf[uint8], n)
	case most <= 1<<16:
		return make(placesOf[uint16], n)
	}
	return make(placesOf[uint32], n)
}

type placesOf[T uint8 | uint16 | uint32] []T

func (p placesOf[T]) put(i, place uint32) { p[i] = T(place) }

func (p placesOf[T]) at(i uint32) uint32 { return uint32(p[i]) }

func (p placesOf[T]) count(set *roaring.Bitmap, n []uint64) {
	eachOf(set, func(version uint32) { n[p[version&chunkMask]]++ })
}

func (p placesOf[T]) size() int64 { return int64(len(p)) * int64(bits.Len64(uint64(^T(0)))/8) }

// chunkMask is the part of a version's number that is its position in the chunk.
const chunkMask = 1<<chunkBits - 1

// valueColumn returns the column of a chunk, from the cache if possible.
func (s *snapshot) valueColumn(ctx context.Context, k kind, chunk uint32) (valueColumn, error) {
	key := valueChunk{k, chunk}
	if c, ok := s.counted.get(s.generation, key); ok {
		return c, nil
	}
	// The number of values determines the size of an index.
	var values int64
	err := s.index.QueryRowContext(ctx, "select count(*) from bits where kind = ? and chunk = ?", k, chunk).Scan(&values)
	if err != nil {
		return valueColumn{}, explain(err)
	}
	c := valueColumn{ids: []int64{0}, of: placesFor(1<<chunkBits, values+1)}
	err = each(ctx, s.index, func(rows *sql.Rows) error {
		var id int64
		set, err := scanBits(rows, &id)
		if err != nil {
			return err
		}
		// Versions of another chunk would be written outside the column.
		if !set.IsEmpty() && (chunkOf(set.Minimum()) != chunk || chunkOf(set.Maximum()) != chunk) {
			return fmt.Errorf("%w: a bitmap of another chunk", ErrDamaged)
		}
		place := uint32(len(c.ids))
		c.ids = append(c.ids, id)
		eachOf(set, func(version uint32) { c.of.put(version&chunkMask, place) })
		return nil
	}, "select value, bits from bits where kind = ? and chunk = ?", k, chunk)
	if err == nil {
		s.counted.keep(s.generation, key, c)
	}
	return c, err
}

// eachOf visits the members of a bitmap in batches, which takes a third of the time.
func eachOf(set *roaring.Bitmap, visit func(uint32)) {
	var buf [512]uint32
	it := set.ManyIterator()
	for n := it.NextMany(buf[:]); n > 0; n = it.NextMany(buf[:]) {
		for _, id := range buf[:n] {
			visit(id)
		}
	}
}

// countValues adds to counts how many versions of a set have each value of a kind.
func (s *snapshot) countValues(ctx context.Context, k kind, set *roaring.Bitmap, counts map[int64]uint64) error {
	for chunk, part := range chunks(set) {
		c, err := s.valueColumn(ctx, k, chunk)
		if err != nil {
			return err
		}
		// Counted in a list first, because a chunk has fewer values than versions.
		n := make([]uint64, len(c.ids))
		c.of.count(part, n)
		for place, n := range n[1:] {
			if n > 0 {
				counts[c.ids[place+1]] += n
			}
		}
	}
	return nil
}

type valueChunk struct {
	kind  kind
	chunk uint32
}

// valueColumns caches columns of one generation for all sessions of a volume.
type valueColumns struct {
	mu         sync.Mutex
	limit      int64 // bytes
	bytes      int64
	generation int64 // of the cached columns
	kept       map[valueChunk]valueColumn
}

// size returns the size in bytes.
func (c valueColumn) size() int64 { return c.of.size() + int64(8*cap(c.ids)) }

// get returns a cached column of a generation. It must not be changed.
func (k *valueColumns) get(generation int64, key valueChunk) (valueColumn, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if generation != k.generation {
		return valueColumn{}, false
	}
	c, ok := k.kept[key]
	return c, ok
}

// keep caches a column, dropping random others as columnCache does.
func (k *valueColumns) keep(generation int64, key valueChunk, c valueColumn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	size := c.size()
	// It may be of a query that began before a writer finished, or cached by another query.
	if _, again := k.kept[key]; again && generation == k.generation || generation < k.generation || size > k.limit {
		return
	}
	if generation > k.generation || k.kept == nil {
		// In a new generation any value may have changed.
		k.generation, k.bytes, k.kept = generation, 0, map[valueChunk]valueColumn{}
	}
	for old, c := range k.kept {
		if k.bytes+size <= k.limit {
			break
		}
		delete(k.kept, old)
		k.bytes -= c.size()
	}
	k.kept[key] = c
	k.bytes += size
}

package index

import (
	"context"
	"database/sql"
	"fmt"
	"math/bits"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// valueColumn tells which value of a kind each version of a chunk has. It is made of the bitmaps: to read these, and to
// intersect them, takes many times as long as to look at one such column, of hosts a hundred times.
type valueColumn struct {
	ids []int64 // of the values; the first stands for none
	of  places  // for each version of the chunk, the place of its value in ids
}

// places is a list of places, in as few bytes each as they fit in.
type places interface {
	put(i, place uint32)
	// count adds to the count of each place how many versions of a chunk's set have it.
	count(set *roaring.Bitmap, n []uint64)
	size() int64 // in bytes
}

// placesFor makes a list of n places below most.
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

func (p placesOf[T]) count(set *roaring.Bitmap, n []uint64) {
	eachOf(set, func(version uint32) { n[p[version&chunkMask]]++ })
}

func (p placesOf[T]) size() int64 { return int64(len(p)) * int64(bits.Len64(uint64(^T(0)))/8) }

// chunkMask is the part of a version's number that tells its place in its chunk.
const chunkMask = 1<<chunkBits - 1

// valueColumn gives the column of a chunk, and keeps it.
func (s *snapshot) valueColumn(ctx context.Context, k kind, chunk uint32) (valueColumn, error) {
	key := valueChunk{k, chunk}
	if c, ok := s.counted.get(s.generation, key); ok {
		return c, nil
	}
	// How many there are tells how wide a place is, before the first is written.
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
		// What is not of this chunk would be written beyond the column, or over another's value.
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

// eachOf visits the members of a bitmap, many at a time, which takes a third of the time.
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
		// By places first, which are a list and no map: a chunk has fewer values than versions.
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

// valueChunk is what a column is of.
type valueChunk struct {
	kind  kind
	chunk uint32
}

// valueColumns keeps columns of one generation, for all sessions of a volume.
type valueColumns struct {
	mu         sync.Mutex
	limit      int64 // bytes
	bytes      int64
	generation int64 // that they are of
	kept       map[valueChunk]valueColumn
}

// size is what a column takes.
func (c valueColumn) size() int64 { return c.of.size() + int64(8*cap(c.ids)) }

// get gives a column of a generation if it is kept. It is not to be changed.
func (k *valueColumns) get(generation int64, key valueChunk) (valueColumn, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if generation != k.generation {
		return valueColumn{}, false
	}
	c, ok := k.kept[key]
	return c, ok
}

// keep keeps a column. Those that must go for it are any, as of columnCache.
func (k *valueColumns) keep(generation int64, key valueChunk, c valueColumn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	size := c.size()
	// Of a question that began before a writer ended; or two questions made it at once.
	if _, again := k.kept[key]; again && generation == k.generation || generation < k.generation || size > k.limit {
		return
	}
	if generation > k.generation || k.kept == nil {
		// A new generation drops all: any value may have changed.
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

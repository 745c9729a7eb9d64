package index

import (
	"context"
	"database/sql"
	"iter"
	"maps"
	"math/bits"
	"slices"

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
	// put sets the index of n versions.
	put(from, n, place uint32)
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

func (p placesOf[T]) put(from, n, place uint32) {
	for i := range p[from : from+n] {
		p[from+uint32(i)] = T(place)
	}
}

func (p placesOf[T]) at(i uint32) uint32 { return uint32(p[i]) }

func (p placesOf[T]) count(set *roaring.Bitmap, n []uint64) {
	eachOf(set, func(version uint32) { n[p[version&chunkMask]]++ })
}

func (p placesOf[T]) size() int64 { return int64(len(p)) * int64(bits.Len64(uint64(^T(0)))/8) }

// chunkMask is the part of a version's number that is its position in the chunk.
const chunkMask = 1<<chunkBits - 1

// add notes the versions of the chunk that have a value, from its stored bitmap.
func (c *valueColumn) add(id int64, chunk uint32, stored []byte) error {
	place := uint32(len(c.ids))
	c.ids = append(c.ids, id)
	if place == 1<<8 || place == 1<<16 {
		old := c.of
		c.of = placesFor(1<<chunkBits, int64(place)+1)
		for i := range uint32(1 << chunkBits) {
			c.of.put(i, 1, old.at(i))
		}
	}
	return eachStored(stored, chunk, func(from, n uint32) { c.of.put(from, n, place) })
}

// chunksAtOnce limits the columns that are in use at a time, of which each takes 3 MiB at most.
const chunksAtOnce = 64

// batches yields the parts of a set, at most chunksAtOnce at a time.
func batches(set *roaring.Bitmap) iter.Seq[map[uint32]*roaring.Bitmap] {
	return func(yield func(map[uint32]*roaring.Bitmap) bool) {
		parts := chunks(set)
		for some := range slices.Chunk(slices.Sorted(maps.Keys(parts)), chunksAtOnce) {
			batch := map[uint32]*roaring.Bitmap{}
			for _, chunk := range some {
				batch[chunk] = parts[chunk]
			}
			if !yield(batch) {
				return
			}
		}
	}
}

// valueColumns returns the columns of the chunks of parts, from the cache if possible.
func (s *snapshot) valueColumns(
	ctx context.Context, k kind, parts map[uint32]*roaring.Bitmap,
) (map[uint32]*valueColumn, error) {
	shards, err := s.shardList(ctx)
	if err != nil {
		return nil, err
	}
	columns, missing := s.cachedColumns(k, shards, parts)
	if len(missing) == 0 {
		return columns, nil
	}
	// One request at a time makes columns, and the next mostly finds them in the cache.
	select {
	case s.counted.making <- struct{}{}:
		defer func() { <-s.counted.making }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if columns, missing = s.cachedColumns(k, shards, parts); len(missing) == 0 {
		return columns, nil
	}
	made, err := s.makeColumns(ctx, k, missing)
	if err != nil {
		return nil, err
	}
	for chunk, c := range made {
		columns[chunk] = c
		s.counted.keep(valueChunk{k, chunk}, shards.marks[chunk], c)
	}
	return columns, nil
}

// cachedColumns returns the cached columns of the chunks of parts, and the other chunks, sorted.
func (s *snapshot) cachedColumns(
	k kind, shards *shardList, parts map[uint32]*roaring.Bitmap,
) (columns map[uint32]*valueColumn, missing []uint32) {
	columns = map[uint32]*valueColumn{}
	for chunk := range parts {
		if c, ok := s.counted.get(valueChunk{k, chunk}, shards.marks[chunk]); ok {
			columns[chunk] = c
		} else {
			missing = append(missing, chunk)
		}
	}
	slices.Sort(missing)
	return columns, missing
}

// makeColumns makes columns in one pass over the bitmaps of a kind, which are in the order of values. A pass for each
// chunk would take time by the square of the index.
func (s *snapshot) makeColumns(ctx context.Context, k kind, wanted []uint32) (map[uint32]*valueColumn, error) {
	made := map[uint32]*valueColumn{}
	for _, chunk := range wanted {
		made[chunk] = &valueColumn{ids: []int64{0}, of: placesFor(1<<chunkBits, 1)}
	}
	err := each(ctx, s.index, func(rows *sql.Rows) error {
		var id int64
		var chunk uint32
		var stored sql.RawBytes
		if err := rows.Scan(&id, &chunk, &stored); err != nil {
			return err
		}
		if c := made[chunk]; c != nil {
			return c.add(id, chunk, stored)
		}
		return nil
	}, "select value, chunk, bits from bits where kind = ? and chunk between ? and ?", k, wanted[0],
		wanted[len(wanted)-1])
	return made, err
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
	for parts := range batches(set) {
		columns, err := s.valueColumns(ctx, k, parts)
		if err != nil {
			return err
		}
		for chunk, part := range parts {
			c := columns[chunk]
			// Counted in a list first, because a chunk has fewer values than versions.
			n := make([]uint64, len(c.ids))
			c.of.count(part, n)
			for place, n := range n[1:] {
				if n > 0 {
					counts[c.ids[place+1]] += n
				}
			}
		}
	}
	return nil
}

type valueChunk struct {
	kind  kind
	chunk uint32
}

// valueColumns caches columns for all sessions of a volume.
type valueColumns struct {
	room
	kept   map[valueChunk]markedColumn
	making chan struct{} // has an element while a request makes columns
}

// markedColumn is a column with the mark of its chunk. Versions of a chunk never change, so it is right as long as the
// chunk has the same shards.
type markedColumn struct {
	mark uint64
	*valueColumn
}

// size returns the size in bytes.
func (c *valueColumn) size() int64 { return c.of.size() + int64(8*cap(c.ids)) }

// get returns a cached column of a chunk with this mark. It must not be changed.
func (k *valueColumns) get(key valueChunk, mark uint64) (*valueColumn, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c, ok := k.kept[key]
	return c.valueColumn, ok && c.mark == mark
}

// keep caches a column, dropping random others as columnCache does.
func (k *valueColumns) keep(key valueChunk, mark uint64, c *valueColumn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	size, limit := c.size(), k.most()
	old, again := k.kept[key]
	if size > limit || again && old.mark == mark { // another query may have cached it
		return
	}
	if again {
		k.drop(key)
	}
	for other := range k.kept {
		if k.bytes+size <= limit {
			break
		}
		k.drop(other)
	}
	if k.kept == nil {
		k.kept = map[valueChunk]markedColumn{}
	}
	k.kept[key] = markedColumn{mark, c}
	k.add(size)
}

func (k *valueColumns) drop(key valueChunk) {
	k.add(-k.kept[key].size())
	delete(k.kept, key)
}

// close drops all columns, and keeps none from then on.
func (k *valueColumns) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.add(-k.bytes)
	k.kept, k.closed = nil, true
}

package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// value identifies the bitmaps of a name.
type value struct {
	kind kind
	id   int64
}

func (v value) compare(u value) int {
	return cmp.Or(cmp.Compare(v.kind, u.kind), cmp.Compare(v.id, u.id))
}

// chunkOf returns the chunk of a version.
func chunkOf(id uint32) uint32 { return id >> chunkBits }

// chunks divides a bitmap by chunks. The parts must not be changed.
func chunks(set *roaring.Bitmap) map[uint32]*roaring.Bitmap {
	list := map[uint32]*roaring.Bitmap{}
	if set.IsEmpty() {
		return list
	}
	if c := chunkOf(set.Minimum()); c == chunkOf(set.Maximum()) { // nearly always, for a single shard
		list[c] = set
		return list
	}
	for c := chunkOf(set.Minimum()); c <= chunkOf(set.Maximum()); c++ {
		if part := within(set, c); !part.IsEmpty() {
			list[c] = part
		}
	}
	return list
}

// within returns the part of a bitmap in a chunk.
func within(set *roaring.Bitmap, chunk uint32) *roaring.Bitmap {
	return roaring.And(set, span(uint64(chunk)<<chunkBits, uint64(chunk+1)<<chunkBits))
}

// span returns a bitmap of the numbers in [from, to).
func span(from, to uint64) *roaring.Bitmap {
	b := roaring.New()
	b.AddRange(from, to)
	return b
}

// parseBits parses a bitmap of the index. The bytes are validated, because the library does not tolerate all damage.
func parseBits(data []byte) (b *roaring.Bitmap, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: a bitmap: %v", ErrDamaged, p)
		}
	}()
	// A copy: the bytes are SQLite's and only last until the next row.
	b = roaring.New()
	if err := b.UnmarshalBinary(data); err != nil {
		return nil, fmt.Errorf("%w: a bitmap: %w", ErrDamaged, err)
	}
	if err := b.Validate(); err != nil && !b.IsEmpty() { // an empty bitmap does not validate
		return nil, fmt.Errorf("%w: a bitmap: %w", ErrDamaged, err)
	}
	return b, nil
}

// encodeBits returns the stored form of the bitmap.
func encodeBits(b *roaring.Bitmap) ([]byte, error) {
	// Captures of one host or month are adjacent, so runs make their bitmaps small.
	b.RunOptimize()
	return b.ToBytes()
}

// scanBits reads the bitmap in the last column of a row, and the columns before it.
func scanBits(rows *sql.Rows, before ...any) (*roaring.Bitmap, error) {
	var data sql.RawBytes // parseBits copies
	if err := rows.Scan(append(before, &data)...); err != nil {
		return nil, err
	}
	return parseBits(data)
}

// bitsOf returns the versions that have a value. The bitmap is shared and must not be changed.
func (s *snapshot) bitsOf(ctx context.Context, v value) (*roaring.Bitmap, error) {
	// Of this snapshot's generation: another's bitmap may have captures that this one does not see.
	if set := s.bitmaps.get(s.generation, v); set != nil {
		return set, nil
	}
	set := roaring.New()
	err := each(context.WithoutCancel(ctx), s.index, func(rows *sql.Rows) error {
		b, err := scanBits(rows)
		if err == nil {
			// A new bitmap, because a row's bytes do not last.
			set.Or(b)
		}
		return err
	}, "select bits from bits where kind = ? and value = ?", v.kind, v.id)
	if err == nil {
		s.bitmaps.keep(s.generation, v, set)
	}
	return set, err
}

// bitsCache caches bitmaps: reading and checking those of a language and a type takes longer than the rest of a query.
type bitsCache[K comparable] struct {
	mu         sync.Mutex
	limit      uint64 // bytes
	bytes      uint64
	generation int64 // of the cached bitmaps
	kept       map[K]*roaring.Bitmap
	making     map[keyed[K]]*making // in progress
}

// keyed identifies a bitmap.
type keyed[K comparable] struct {
	generation int64
	of         K
}

// making is a bitmap that a goroutine is making. After done is closed, set can be read; it is nil if that failed.
type making struct {
	done chan struct{}
	set  *roaring.Bitmap
}

// once returns a bitmap that is cached, or that another caller is making, or else makes and caches it. A search needs
// the same set for its list and its counts, and so do many equal searches.
func (k *bitsCache[K]) once(
	ctx context.Context, generation int64, v K, make func() (*roaring.Bitmap, error),
) (*roaring.Bitmap, error) {
	for {
		set, m, mine := k.begin(generation, v)
		if set != nil {
			return set, nil
		}
		if mine {
			defer k.end(generation, v, m)
			set, err := make()
			if err != nil {
				return nil, err // it may be incomplete, and must not be taken for complete
			}
			m.set = set
			k.keep(generation, v, set)
			return set, nil
		}
		if set, err := m.wait(ctx); set != nil || err != nil {
			return set, err
		}
		// The other caller has failed, maybe because it was cancelled: try again.
	}
}

// wait waits for a bitmap; it returns nil if making it failed.
func (m *making) wait(ctx context.Context) (*roaring.Bitmap, error) {
	select {
	case <-m.done:
		return m.set, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// begin returns a cached bitmap, or who makes it. If mine is true, the caller makes it and must call end.
func (k *bitsCache[K]) begin(generation int64, v K) (set *roaring.Bitmap, m *making, mine bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if set := k.kept[v]; set != nil && generation == k.generation {
		return set, nil, false
	}
	key := keyed[K]{generation, v}
	if m := k.making[key]; m != nil {
		return nil, m, false
	}
	if k.making == nil {
		k.making = map[keyed[K]]*making{}
	}
	m = &making{done: make(chan struct{})}
	k.making[key] = m
	return nil, m, true
}

func (k *bitsCache[K]) end(generation int64, v K, m *making) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.making, keyed[K]{generation, v})
	close(m.done)
}

// awaited returns a bitmap that is cached or being made, otherwise nil.
func (k *bitsCache[K]) awaited(ctx context.Context, generation int64, v K) (*roaring.Bitmap, error) {
	k.mu.Lock()
	set, m := k.kept[v], k.making[keyed[K]{generation, v}]
	current := generation == k.generation
	k.mu.Unlock()
	switch {
	case set != nil && current:
		return set, nil
	case m != nil:
		return m.wait(ctx)
	}
	return nil, nil
}

// get returns a cached bitmap of a generation, or nil.
func (k *bitsCache[K]) get(generation int64, v K) *roaring.Bitmap {
	k.mu.Lock()
	defer k.mu.Unlock()
	if generation != k.generation {
		return nil
	}
	return k.kept[v]
}

// keep caches a bitmap. Without room, all others are dropped: bitmaps in frequent use are soon read again.
func (k *bitsCache[K]) keep(generation int64, v K, set *roaring.Bitmap) {
	k.mu.Lock()
	defer k.mu.Unlock()
	size := set.GetSizeInBytes() + 100 // overhead of a small one
	if generation < k.generation || size > k.limit {
		return // of a query that began before a writer finished
	}
	if generation > k.generation || k.bytes+size > k.limit || k.kept == nil {
		// In a new generation any bitmap may have changed.
		k.generation, k.bytes, k.kept = generation, 0, map[K]*roaring.Bitmap{}
	}
	if _, again := k.kept[v]; !again { // another goroutine may have been faster
		k.kept[v] = set
		k.bytes += size
	}
}

// all returns every version: each has a month, if only the one for no time.
func (s *snapshot) all(ctx context.Context) (*roaring.Bitmap, error) {
	set := roaring.New()
	err := each(ctx, s.index, func(rows *sql.Rows) error {
		var first, n int64
		err := rows.Scan(&first, &n)
		set.AddRange(uint64(first), uint64(first+n))
		return err
	}, "select first, rows from shard")
	return set, err
}

// uint32s and int64s return columns as a shard stores them. Without rows they are empty, not nil, which would be null.
func uint32s(list []uint32) []byte {
	b := make([]byte, 0, 4*len(list))
	for _, v := range list {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

func int64s(list []int64) []byte {
	b := make([]byte, 0, 8*len(list))
	for _, v := range list {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

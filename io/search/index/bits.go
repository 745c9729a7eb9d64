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

// value is a name's place among the bitmaps.
type value struct {
	kind kind
	id   int64
}

func (v value) compare(u value) int {
	return cmp.Or(cmp.Compare(v.kind, u.kind), cmp.Compare(v.id, u.id))
}

// chunkOf is the number of the chunk that a version is in.
func chunkOf(id uint32) uint32 { return id >> chunkBits }

// chunks divides a bitmap by the chunks of its versions. The parts are not to be changed.
func chunks(set *roaring.Bitmap) map[uint32]*roaring.Bitmap {
	list := map[uint32]*roaring.Bitmap{}
	if set.IsEmpty() {
		return list
	}
	if c := chunkOf(set.Minimum()); c == chunkOf(set.Maximum()) { // as nearly always of one shard
		list[c] = set
		return list
	}
	// Chunk by chunk, up to the last that can have a member.
	for c := chunkOf(set.Minimum()); c <= chunkOf(set.Maximum()); c++ {
		if part := within(set, c); !part.IsEmpty() {
			list[c] = part
		}
	}
	return list
}

// within is what a bitmap has in a chunk.
func within(set *roaring.Bitmap, chunk uint32) *roaring.Bitmap {
	return roaring.And(set, span(uint64(chunk)<<chunkBits, uint64(chunk+1)<<chunkBits))
}

// span is a bitmap of all numbers from from to the one before to.
func span(from, to uint64) *roaring.Bitmap {
	b := roaring.New()
	// As one run, however long it is.
	b.AddRange(from, to)
	return b
}

// parseBits reads a bitmap from the index. The bytes are checked: the library does not expect damaged ones everywhere.
func parseBits(data []byte) (b *roaring.Bitmap, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: a bitmap: %v", ErrDamaged, p)
		}
	}()
	// Copied out of the bytes, which are SQLite's and last until the next row.
	b = roaring.New()
	if err := b.UnmarshalBinary(data); err != nil {
		return nil, fmt.Errorf("%w: a bitmap: %w", ErrDamaged, err)
	}
	if err := b.Validate(); err != nil && !b.IsEmpty() { // an empty one counts as not valid
		return nil, fmt.Errorf("%w: a bitmap: %w", ErrDamaged, err)
	}
	return b, nil
}

// encodeBits is the bitmap as the index keeps it.
func encodeBits(b *roaring.Bitmap) ([]byte, error) {
	// Captures of one host or month stand together: runs make their bitmaps small.
	b.RunOptimize()
	return b.ToBytes()
}

// scanBits reads the bitmap in the last column of a row, with what precedes it.
func scanBits(rows *sql.Rows, before ...any) (*roaring.Bitmap, error) {
	var data sql.RawBytes // parseBits copies
	if err := rows.Scan(append(before, &data)...); err != nil {
		return nil, err
	}
	return parseBits(data)
}

// bitsOf is which versions have a value. The bitmap is not to be changed: others have it, too.
func (s *snapshot) bitsOf(ctx context.Context, v value) (*roaring.Bitmap, error) {
	// Of this snapshot's generation: a bitmap of another one may have captures that are not seen here.
	if set := s.bitmaps.get(s.generation, v); set != nil {
		return set, nil
	}
	set := roaring.New()
	err := each(context.WithoutCancel(ctx), s.index, func(rows *sql.Rows) error {
		b, err := scanBits(rows)
		if err == nil {
			// Into a new one, since the parts of a query's row do not last.
			set.Or(b)
		}
		return err
	}, "select bits from bits where kind = ? and value = ?", v.kind, v.id)
	if err == nil {
		s.bitmaps.keep(s.generation, v, set)
	}
	return set, err
}

// bitsCache keeps bitmaps that were asked for: to read and check those of a language and a type takes longer than all
// else that a question does.
type bitsCache[K comparable] struct {
	mu         sync.Mutex
	limit      uint64 // bytes
	bytes      uint64
	generation int64 // that they are of
	kept       map[K]*roaring.Bitmap
	making     map[keyed[K]]*making // under way
}

// keyed is what a bitmap is of.
type keyed[K comparable] struct {
	generation int64
	of         K
}

// making is a bitmap that somebody makes. What it is may be read when done is closed; nil: it could not be made.
type making struct {
	done chan struct{}
	set  *roaring.Bitmap
}

// once gives a bitmap that is kept, or that somebody else makes at the moment, and otherwise has it made, and keeps it:
// a search asks for the same set for its list and for its counts, and so do many who look for the same.
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
				return nil, err // what there is of it may be a part, which nobody must take for the whole
			}
			m.set = set
			k.keep(generation, v, set)
			return set, nil
		}
		if set, err := m.wait(ctx); set != nil || err != nil {
			return set, err
		}
		// Whoever made it has failed, maybe since nobody waited for it any more: it is tried again.
	}
}

// wait waits for a bitmap; it is nil when it could not be made.
func (m *making) wait(ctx context.Context) (*roaring.Bitmap, error) {
	select {
	case <-m.done:
		return m.set, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// begin gives a bitmap that is kept; otherwise who makes it, and whether that is the caller, who has to call end.
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

// awaited gives a bitmap that is kept, or that somebody makes at the moment; else nil.
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

// get gives a bitmap of a generation if it is kept; else nil.
func (k *bitsCache[K]) get(generation int64, v K) *roaring.Bitmap {
	k.mu.Lock()
	defer k.mu.Unlock()
	if generation != k.generation {
		return nil
	}
	return k.kept[v]
}

// keep keeps a bitmap. When there is no room all others go: what is asked for again soon is read again once.
func (k *bitsCache[K]) keep(generation int64, v K, set *roaring.Bitmap) {
	k.mu.Lock()
	defer k.mu.Unlock()
	size := set.GetSizeInBytes() + 100 // what a small one takes besides
	if generation < k.generation || size > k.limit {
		return // of a question that began before a writer ended
	}
	if generation > k.generation || k.bytes+size > k.limit || k.kept == nil {
		// A new generation drops all: any bitmap may have changed.
		k.generation, k.bytes, k.kept = generation, 0, map[K]*roaring.Bitmap{}
	}
	if _, again := k.kept[v]; !again { // another goroutine may have been as fast
		k.kept[v] = set
		k.bytes += size
	}
}

// all is every version: each has a month, if only that of no time at all.
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

// uint32s and int64s are columns as a shard keeps them; of no rows empty and not nil, which would be null.
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

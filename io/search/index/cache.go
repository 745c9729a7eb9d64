package index

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
)

// columnCache caches columns of shards for all sessions of a volume. A shard's first number is never reused for another
// shard with versions, and a changed shard gets a new one. So the cache cannot be outdated.
type columnCache struct {
	room
	kept  map[uint32]columns // by first
	asked map[uint32]int     // versions read from rows because the columns were not cached

	shards *shardList // the last one that was read
}

// shardList has the shards of a generation that have versions, in their order. It is not changed.
type shardList struct {
	generation int64
	list       []shardRange
	marks      map[uint32]uint64 // of chunks, see mark
}

// newShardList returns a list without shards.
func newShardList(generation int64) *shardList {
	return &shardList{generation: generation, marks: map[uint32]uint64{}}
}

// add adds a shard with the hash of its file. The mark of a chunk is a hash of its shards. Numbers of versions are not
// used again, so chunks with the same mark have the same versions.
func (l *shardList) add(r shardRange, hash string) {
	r.mark = markOf(r.id, r.name, hash, r.first, r.rows)
	l.list = append(l.list, r)
	for chunk := chunkOf(r.first); chunk <= chunkOf(uint32(r.end()-1)); chunk++ {
		l.marks[chunk] = markOf(l.marks[chunk], r.mark)
	}
}

func markOf(list ...any) uint64 {
	sum := sha256.Sum256(fmt.Appendln(nil, list...))
	return binary.LittleEndian.Uint64(sum[:])
}

// shardRange are the versions of a shard.
type shardRange struct {
	id    int64
	name  string
	first uint32
	rows  int
	mark  uint64 // a hash of it, and of its file
}

// end returns the number after the shard's last version.
func (r shardRange) end() uint64 { return uint64(r.first) + uint64(r.rows) }

// compare returns 1 for a shard after a version, 0 for its shard, and -1 for a shard before it.
func (r shardRange) compare(id uint32) int {
	switch {
	// For slices.BinarySearchFunc: the position of the range relative to the number.
	case id < r.first:
		return 1
	case uint64(id) < r.end():
		return 0
	}
	return -1
}

// bytesPerVersion is the size of the stored columns: see indexTables.
const bytesPerVersion = 17

// get returns the columns of a shard if they are cached.
func (k *columnCache) get(first uint32) (columns, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	// The bytes are shared: nobody changes columns.
	c, ok := k.kept[first]
	return c, ok
}

// whole reports whether the columns of all shards are cached.
func (k *columnCache) whole() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.shards != nil && len(k.kept) > 0 && len(k.kept) >= len(k.shards.list)
}

// keep caches columns and drops random others to make room. A queue would be useless for repeated walks over more
// shards than fit: it would always lack the next one.
func (k *columnCache) keep(c columns) {
	k.mu.Lock()
	defer k.mu.Unlock()
	size, limit := c.size(), k.most()
	// Another goroutine may have read the same.
	if _, ok := k.kept[c.first]; ok || size > limit {
		return
	}
	// Maps have no order, so this chooses at random.
	for first, old := range k.kept {
		if k.bytes+size <= limit {
			break
		}
		delete(k.kept, first)
		k.add(-old.size())
	}
	if k.kept == nil {
		k.kept = map[uint32]columns{}
	}
	k.kept[c.first] = c
	k.add(size)
	delete(k.asked, c.first)
}

// close drops all columns, and keeps none from then on.
func (k *columnCache) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.add(-k.bytes)
	k.kept, k.closed = nil, true
}

// rowsPerRead is how many versions' columns are read in the time of one row.
const rowsPerRead = 400

// worth records that n versions of a shard are wanted, and reports whether to read its columns for them. That is so
// once reading rows has taken as long. So a single query reads few rows and no columns, and many queries cost at most
// twice the cheaper way.
func (k *columnCache) worth(r shardRange, n int) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.asked == nil {
		k.asked = map[uint32]int{}
	}
	// Over all queries: see rowsPerRead.
	k.asked[r.first] += n
	return k.asked[r.first]*rowsPerRead >= r.rows
}

// shards returns the shards that have versions, in their order.
func (s *snapshot) shards(ctx context.Context) ([]shardRange, error) {
	l, err := s.shardList(ctx)
	if err != nil {
		return nil, err
	}
	return l.list, nil
}

// shardList returns the shards with the marks of their chunks.
func (s *snapshot) shardList(ctx context.Context) (*shardList, error) {
	if l := s.columns.listOf(s.generation); l != nil {
		return l, nil
	}
	l := newShardList(s.generation)
	err := each(ctx, s.index, func(rows *sql.Rows) error {
		var r shardRange
		var hash string
		err := rows.Scan(&r.id, &r.name, &hash, &r.first, &r.rows)
		// A shard without captures shares the next one's first number, which would disturb a binary search.
		if r.rows > 0 {
			l.add(r, hash)
		}
		return err
	}, "select id, name, sha256, first, rows from shard order by first")
	if err != nil {
		return nil, err
	}
	s.columns.setList(l)
	return l, nil
}

// listOf returns the list of a generation if it is the last one that was read, otherwise nil.
func (k *columnCache) listOf(generation int64) *shardList {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.shards == nil || k.shards.generation != generation {
		return nil
	}
	return k.shards
}

// setList sets the list, and drops the columns of shards that are not in it.
func (k *columnCache) setList(l *shardList) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.shards = l
	clear(k.asked)
	marks := map[uint32]uint64{}
	for _, r := range l.list {
		marks[r.first] = r.mark
	}
	for first, c := range k.kept {
		if marks[first] != c.mark {
			delete(k.kept, first)
			k.add(-c.size())
		}
	}
}

// load returns the columns of a shard, and caches them.
func (s *snapshot) load(ctx context.Context, r shardRange) (columns, error) {
	if c, ok := s.columns.get(r.first); ok {
		return c, nil
	}
	c := columns{first: r.first, rows: r.rows, mark: r.mark}
	err := s.index.QueryRowContext(ctx, "select pages, times, texts, fits from shard where id = ?", r.id).
		Scan(&c.pages, &c.times, &c.texts, &c.fits)
	if err != nil {
		return c, explain(err)
	}
	// Checked once, so that page, text and time need no checks.
	if len(c.pages) != 4*c.rows || len(c.texts) != 4*c.rows || len(c.times) != 8*c.rows ||
		len(c.fits) != c.rows {
		return c, fmt.Errorf("%w: columns of a shard", ErrDamaged)
	}
	c.repeats = c.repeated()
	s.columns.keep(c)
	return c, nil
}

// candidates returns the versions of a set, in any order.
func (s *snapshot) candidates(ctx context.Context, set *roaring.Bitmap) ([]candidate, error) {
	shards, err := s.shards(ctx)
	if err != nil {
		return nil, err
	}
	// Both the set and the shards ascend, so one pass suffices.
	list, ids := make([]candidate, 0, set.GetCardinality()), set.ToArray()
	var left []uint32 // versions whose rows must be read
	for _, r := range shards {
		for len(ids) > 0 && ids[0] < r.first { // in no shard, and so without a row
			ids = ids[1:]
		}
		n := 0
		for n < len(ids) && uint64(ids[n]) < r.end() {
			n++
		}
		if n == 0 {
			continue
		}
		c, kept := s.columns.get(r.first)
		if !kept && !s.columns.worth(r, n) {
			// Read as rows below, all in one statement.
			left, ids = append(left, ids[:n]...), ids[n:]
			continue
		}
		if !kept {
			if c, err = s.load(ctx, r); err != nil {
				return nil, err
			}
		}
		for _, id := range ids[:n] {
			i := int(id - r.first)
			list = append(list, candidate{id: id, page: c.page(i), text: c.text(i), ts: c.time(i)})
		}
		ids = ids[n:]
	}
	if len(left) == 0 {
		return list, nil
	}
	err = each(context.WithoutCancel(ctx), s.index, func(rows *sql.Rows) error {
		var c candidate
		err := rows.Scan(&c.id, &c.page, &c.ts, &c.text)
		list = append(list, c)
		return err
	}, `select v.id, v.page, v.ts, v.text from json_each(?) j join version v on v.id = j.value`, jsonIDs(left))
	return list, err
}

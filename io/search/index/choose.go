package index

import (
	"context"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// best is the newest version found so far of each page in a range of pages.
type best struct {
	from  uint32 // first page
	ids   []uint32
	times []int64
	found []uint32            // pages that have a version, in any order
	ties  map[uint32][]uint32 // by page, if several versions share the newest moment
}

// bests pools the lists: for half a million pages they have 6 MB, which each search would clear again.
var bests = sync.Pool{New: func() any { return &best{ties: map[uint32][]uint32{}} }}

// newBest returns a best for n pages from page from on. close returns its lists to the pool.
func newBest(from uint32, n int) *best {
	b := bests.Get().(*best)
	if cap(b.ids) < n {
		b.ids, b.times = make([]uint32, n), make([]int64, n)
	}
	// close has set used elements to 0.
	b.from, b.ids, b.times = from, b.ids[:n], b.times[:n]
	return b
}

func (b *best) close() {
	// Times are ignored without a version, so only ids are reset.
	for _, page := range b.found {
		b.ids[page-b.from] = 0
	}
	b.found = b.found[:0]
	clear(b.ties)
	bests.Put(b)
}

// choose returns the newest version of each page among those in set (nil for all) and in an interval of time.
func (s *snapshot) choose(ctx context.Context, set *roaring.Bitmap, times interval) (*roaring.Bitmap, error) {
	var last int64
	if err := s.index.QueryRowContext(ctx, "select coalesce(max(id), 0) from page").Scan(&last); err != nil {
		return nil, explain(err)
	}
	// In passes over the pages, to bound the two lists: see limits.pagesAtOnce.
	chosen := roaring.New()
	for from := int64(1); from <= last; from += s.limits.pagesAtOnce {
		// Page numbers have few gaps, so a list is smaller than a map.
		n := min(last-from+1, s.limits.pagesAtOnce)
		some, err := s.chooseAmong(ctx, set, times, newBest(uint32(from), int(n)))
		if err != nil {
			return nil, err
		}
		chosen.Or(some)
	}
	return chosen, nil
}

// chooseAmong is choose for the pages of b, which it closes.
func (s *snapshot) chooseAmong(
	ctx context.Context, set *roaring.Bitmap, times interval, b *best,
) (*roaring.Bitmap, error) {
	defer b.close()
	err := s.walk(ctx, set, func(c columns) error {
		// Page and time suffice, so only columns are read.
		c.each(set, func(i int) {
			if ts := c.time(i); times.holds(ts) {
				b.offer(c.page(i), c.first+uint32(i), ts)
			}
		})
		return nil
	})
	if err == nil {
		err = b.settle(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	return b.set(), nil
}

// set returns the chosen versions as a bitmap. It sets bits one by one, because sorting half a million takes twenty
// times as long.
func (b *best) set() *roaring.Bitmap {
	var last uint32
	for _, page := range b.found {
		last = max(last, b.ids[page-b.from])
	}
	dense := make([]uint64, last>>6+1)
	for _, page := range b.found {
		id := b.ids[page-b.from]
		dense[id>>6] |= 1 << (id & 63)
	}
	set := roaring.FromDense(dense, false)
	set.Remove(0) // of a page whose versions are gone
	return set
}

// offer takes a version of a page if it is newer.
func (b *best) offer(page, id uint32, ts int64) {
	// A page of another pass.
	if page < b.from || page-b.from >= uint32(len(b.ids)) {
		return
	}
	i := page - b.from
	switch {
	case b.ids[i] == 0:
		b.ids[i], b.times[i], b.found = id, ts, append(b.found, page)
	case ts > b.times[i]:
		b.ids[i], b.times[i] = id, ts
		// Ties of an older moment no longer matter.
		if len(b.ties) > 0 {
			delete(b.ties, page)
		}
	case ts == b.times[i]:
		if b.ties[page] == nil {
			// Includes the newest so far, until settle decides.
			b.ties[page] = []uint32{b.ids[i]}
		}
		b.ties[page] = append(b.ties[page], id)
	}
}

// settle decides between versions of one page and moment by their archives and offsets.
func (b *best) settle(ctx context.Context, s *snapshot) error {
	// Rare: archives that hold the same captures.
	for page, ids := range b.ties {
		id, err := s.newestOf(ctx, ids)
		if err != nil {
			return err
		}
		b.ids[page-b.from] = id
	}
	return nil
}

// newestOf returns the newest of some versions of a page.
func (s *snapshot) newestOf(ctx context.Context, ids []uint32) (uint32, error) {
	// Columns lack the places.
	list, err := s.hits(ctx, ids)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	// Newer never treats two captures as equal: at least their places differ.
	newest := slices.MaxFunc(list, func(a, b Hit) int {
		if a.Key().Newer(b.Key()) {
			return 1
		}
		return -1
	})
	return newest.id, nil
}

// isNewestAt reports whether a version is the newest of its page at a moment.
func (s *snapshot) isNewestAt(ctx context.Context, c candidate, times interval) (bool, error) {
	// The index of versions by page and time makes this a lookup of one page.
	list, err := numbers(ctx, s.index, `select id from version where page = ?1 and ts =
		(select max(ts) from version where page = ?1 and ts >= ?2 and ts < ?3)`, c.page, times.from, times.to)
	// An older version, or one after the moment.
	if err != nil || !slices.Contains(list, int64(c.id)) {
		return false, err
	}
	ids := make([]uint32, len(list))
	for i, n := range list {
		ids[i] = uint32(n)
	}
	if len(ids) == 1 {
		return true, nil
	}
	id, err := s.newestOf(ctx, ids)
	return id == c.id, err
}

// newer returns the versions of a hit's page that are newer than it, in set (nil for all) and in an interval.
func (s *snapshot) newer(ctx context.Context, h *Hit, set *roaring.Bitmap, times interval) ([]Hit, error) {
	list, err := numbers(ctx, s.index, `select v.id from page p join version v on v.page = p.id
		where p.surt = ? and v.ts >= ? and v.ts < ?`, h.SURT, max(h.ts, times.from), times.to)
	if err != nil {
		return nil, err
	}
	var ids []uint32
	for _, n := range list {
		// The set is checked before rows are read, and excludes most versions.
		if set == nil || set.Contains(uint32(n)) {
			ids = append(ids, uint32(n))
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	others, err := s.hits(ctx, ids)
	return slices.DeleteFunc(others, func(o Hit) bool { return !o.Key().Newer(h.Key()) }), err
}

// chosen returns the versions that match a query, in any order and whatever its limit.
func (s *snapshot) chosen(ctx context.Context, q query.Query, verify Verify) (*roaring.Bitmap, error) {
	// Not lazy: the whole set is needed.
	p, err := s.plan(ctx, q, false)
	if err != nil {
		return nil, err
	}
	switch {
	case !p.exact() && q.At.IsZero():
		set, err := s.verified(ctx, q, verify)
		if err != nil || q.AllVersions {
			return set, err
		}
		return s.choose(ctx, set, anyTime)
	// What the plan cannot decide is found one by one, like the hits of an answer.
	case !p.exact():
		set := roaring.New()
		q.After = nil // all pages
		err := s.finder(q, verify).find(ctx, func(h Hit) bool {
			set.Add(h.id)
			return true
		})
		return set, err
	case q.AllVersions && p.set == nil:
		return s.all(ctx)
	case q.AllVersions:
		if !p.timed() {
			return p.set, nil
		}
		return s.within(ctx, p.times, p.set)
	case q.At.IsZero():
		return s.choose(ctx, p.set, p.times)
	}
	// First the newest of all versions, then the matching ones: a version that does not match hides older ones.
	set, err := s.choose(ctx, nil, until(q.At))
	if err != nil {
		return nil, err
	}
	return s.within(ctx, p.times, narrow(set, p.set))
}

// verified returns all versions that match a filter which the index alone cannot decide. It must not be changed: list
// and counts share it, because reading documents twice takes twice as long.
func (s *snapshot) verified(ctx context.Context, q query.Query, verify Verify) (*roaring.Bitmap, error) {
	// No FTS5 search begins like this: see match.
	key := "\x00" + q.Where.String()
	return s.found.once(ctx, s.generation, key, func() (*roaring.Bitmap, error) {
		set := roaring.New()
		q.After, q.AllVersions = nil, true // all pages
		err := s.finder(q, verify).find(ctx, func(h Hit) bool {
			set.Add(h.id)
			return true
		})
		return set, err
	})
}

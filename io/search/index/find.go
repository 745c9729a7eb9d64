package index

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// Verify reports for each of some hits whether it passes the rest of a filter, which needs its document.
type Verify func(ctx context.Context, hits []Hit) ([]bool, error)

// finder finds the hits of a query among candidates, in their order.
type finder struct {
	*snapshot
	p      *plan
	q      query.Query
	order  query.Order
	one    bool // only the first hit of each page
	seen   *roaring.Bitmap
	verify Verify
	yield  func(Hit) bool

	batch []candidate
	size  int // grows, so that the first hits come soon
}

const firstBatch, lastBatch = 32, 1024

// firstBatchOf returns the size of the first batch for a wanted number of hits. It is a little more, because versions
// of one page are one hit; 0 means unlimited.
func firstBatchOf(limit int) int {
	// No limit, or one that growing batches reach.
	if limit <= 0 || limit >= lastBatch {
		return firstBatch
	}
	return limit + limit/8
}

// finder returns a finder without a plan that finds the newest hits first.
func (s *snapshot) finder(q query.Query, verify Verify) *finder {
	return &finder{
		snapshot: s, q: q, order: query.Newest, one: !q.AllVersions && q.At.IsZero(), seen: roaring.New(),
		verify: verify, size: firstBatchOf(q.Limit),
	}
}

// find yields the hits of a query in one volume, the newest first. The caller handles the limit and query.After: find
// skips only candidates that cannot be after the mark.
func (f *finder) find(ctx context.Context, yield func(Hit) bool) (err error) {
	// Lazy, because the newest twenty do not need the whole set.
	if f.p, err = f.plan(ctx, f.q, true); err != nil {
		return err
	}
	p := f.p
	// Few candidates are tested singly for being the newest at the moment; otherwise the newest of all pages are
	// computed at once.
	if !f.q.At.IsZero() && (p.set == nil || p.set.GetCardinality() > uint64(f.limits.sortable)) {
		set, err := f.choose(ctx, nil, until(f.q.At))
		if err != nil {
			return err
		}
		p.set, f.q.At = narrow(set, p.set), time.Time{} // need not be tested again
	}
	f.yield = yield
	return f.run(ctx, func(visit visitor) error { return f.stream(ctx, p.after(f.q), query.Newest, f.one, visit) })
}

// list yields the versions of a set in the order of a query.
func (s *snapshot) list(
	ctx context.Context, set *roaring.Bitmap, q query.Query, r *query.Text, yield func(Hit) bool,
) error {
	// The set is the answer: nothing is left to test.
	p := (&plan{set: set, times: anyTime}).after(q)
	f := &finder{snapshot: s, p: p, order: q.Order, seen: roaring.New(), yield: yield, size: firstBatch}
	return f.run(ctx, func(visit visitor) error {
		if r != nil {
			return s.ranked(ctx, p, r, visit)
		}
		return s.stream(ctx, p, q.Order, false, visit)
	})
}

// hides reports whether the volume has a newer matching version of a hit's page, which replaces the hit. It is only
// needed after a mark: otherwise the newer version was yielded before.
func (f *finder) hides(ctx context.Context, h *Hit) (bool, error) {
	// The cheapest tests first: index, terms, documents.
	newer, err := f.newer(ctx, h, f.p.set, f.p.times)
	if err != nil {
		return false, err
	}
	for _, t := range f.p.terms {
		var failed error
		newer = slices.DeleteFunc(newer, func(h Hit) bool {
			has, err := f.hasTerms(ctx, t, h.text)
			failed = errors.Join(failed, err)
			return !has
		})
		if failed != nil {
			return false, failed
		}
	}
	newer, err = f.test(ctx, newer)
	return len(newer) > 0, err
}

// run collects candidates and makes hits of them.
func (f *finder) run(ctx context.Context, stream func(visitor) error) error {
	more := true
	err := stream(func(run []candidate) (bool, error) {
		// Whole runs, because candidates that are equal in the order must be sorted together.
		for _, c := range run {
			// Cheap tests before a hit is made.
			ok, err := f.passes(ctx, c)
			if err != nil {
				return false, err
			}
			if ok {
				f.batch = append(f.batch, c)
			}
		}
		if len(f.batch) < f.size {
			return true, ctx.Err()
		}
		var err error
		more, err = f.flush(ctx)
		return more, err
	})
	if err == nil && more {
		_, err = f.flush(ctx)
	}
	return err
}

// passes tests the known values of a candidate, cheap tests first.
func (f *finder) passes(ctx context.Context, c candidate) (bool, error) {
	// A page that was a hit already has its newest version, because candidates come newest first.
	if !f.p.times.holds(c.ts) || f.one && f.seen.Contains(c.page) {
		return false, nil
	}
	for _, t := range f.p.terms {
		if ok, err := f.hasTerms(ctx, t, c.text); err != nil || !ok {
			return false, err
		}
	}
	if !f.q.At.IsZero() {
		return f.isNewestAt(ctx, c, until(f.q.At))
	}
	return true, nil
}

// flush yields the hits of the batch, and reports whether more are wanted.
func (f *finder) flush(ctx context.Context) (more bool, err error) {
	// Scores belong to candidates; hits are read from the database, which has none.
	ids, scores := make([]uint32, len(f.batch)), map[uint32]float64{}
	for i, c := range f.batch {
		ids[i] = c.id
		if c.score != 0 {
			scores[c.id] = c.score
		}
	}
	// Batches grow: callers that continue want many.
	f.batch, f.size = f.batch[:0], min(2*f.size, lastBatch)
	hits, err := f.hits(ctx, ids)
	if err != nil {
		return false, err
	}
	for i := range hits {
		hits[i].Score = scores[hits[i].id]
	}
	// Sorted again: candidates only have the time; hits also have SURT, filename and offset to decide between equals.
	slices.SortFunc(hits, sorter{f.order, f.one}.compare)
	if hits, err = f.test(ctx, hits); err != nil {
		return false, err
	}
	for _, h := range hits {
		if f.one && f.seen.Contains(h.page) {
			continue
		}
		// Marked here: a version that a test refused does not represent its page.
		f.seen.Add(h.page)
		if !f.yield(h) {
			return false, nil
		}
	}
	return true, nil
}

// test returns the hits that pass the remaining tests, including the caller's.
func (f *finder) test(ctx context.Context, hits []Hit) ([]Hit, error) {
	hits = slices.DeleteFunc(hits, func(h Hit) bool {
		if len(f.p.tests) == 0 {
			return false
		}
		// One document for all tests of query.Match.
		d := h.Document()
		for _, test := range f.p.tests {
			if !test(d) {
				return true
			}
		}
		return false
	})
	if !f.p.rest || len(hits) == 0 {
		return hits, nil
	}
	// The most expensive test comes last.
	passed, err := f.verify(ctx, hits)
	if err != nil {
		return nil, err
	}
	i := -1
	return slices.DeleteFunc(hits, func(Hit) bool {
		i++
		return !passed[i]
	}), nil
}

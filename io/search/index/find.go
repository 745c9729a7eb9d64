package index

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// Verify tells of some hits which of them pass the rest of a filter, for which it reads their documents. The answer has
// an entry for each.
type Verify func(ctx context.Context, hits []Hit) ([]bool, error)

// finder finds the hits of a query among candidates, in the order of these.
type finder struct {
	*snapshot
	p      *plan
	q      query.Query
	order  query.Order
	one    bool // of each page the first hit alone
	seen   *roaring.Bitmap
	verify Verify
	yield  func(Hit) bool

	batch []candidate
	size  int // of a batch: grows, so that who wants little waits for little
}

const firstBatch, lastBatch = 32, 1024

// firstBatchOf is the size of the first batch where a number of hits is wanted: a little more than it, since versions
// of one page are one hit; 0 when it is not known.
func firstBatchOf(limit int) int {
	// No limit, or one that batches reach by growing.
	if limit <= 0 || limit >= lastBatch {
		return firstBatch
	}
	return limit + limit/8
}

// finder makes one that has no plan yet and finds the newest hits first.
func (s *snapshot) finder(q query.Query, verify Verify) *finder {
	return &finder{
		snapshot: s, q: q, order: query.Newest, one: !q.AllVersions && q.At.IsZero(), seen: roaring.New(),
		verify: verify, size: firstBatchOf(q.Limit),
	}
}

// find yields the hits of a query, the newest first, in one volume. The limit is the caller's, and so is to leave out
// what is not after query.After: candidates that cannot be are passed over here, others are not.
func (f *finder) find(ctx context.Context, yield func(Hit) bool) (err error) {
	// Lazy: whoever wants the newest twenty need not know all that fit.
	if f.p, err = f.plan(ctx, f.q, true); err != nil {
		return err
	}
	p := f.p
	// Few candidates are asked one by one whether they are the newest at the moment; for many it is found
	// for all pages at once.
	if !f.q.At.IsZero() && (p.set == nil || p.set.GetCardinality() > uint64(f.limits.sortable)) {
		set, err := f.choose(ctx, nil, until(f.q.At))
		if err != nil {
			return err
		}
		p.set, f.q.At = narrow(set, p.set), time.Time{} // it need not be asked of each
	}
	f.yield = yield
	return f.run(ctx, func(visit visitor) error { return f.stream(ctx, p.behind(f.q), query.Newest, f.one, visit) })
}

// list yields the versions of a set in the order of a query.
func (s *snapshot) list(
	ctx context.Context, set *roaring.Bitmap, q query.Query, r *query.Text, yield func(Hit) bool,
) error {
	// The set is the answer: no test and no time is left to ask.
	p := (&plan{set: set, times: anyTime}).behind(q)
	f := &finder{snapshot: s, p: p, order: q.Order, seen: roaring.New(), yield: yield, size: firstBatch}
	return f.run(ctx, func(visit visitor) error {
		if r != nil {
			return s.ranked(ctx, p, r, visit)
		}
		return s.stream(ctx, p, q.Order, false, visit)
	})
}

// hides reports whether the volume has a newer version of a hit's page that the query takes, too: then the hit is none.
// Who reads an answer from its beginning need not ask, since the newer version came before.
func (f *finder) hides(ctx context.Context, h *Hit) (bool, error) {
	// What the index knows first, then terms, then documents: each leaves less to the next.
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

// run gathers candidates and makes hits of them.
func (f *finder) run(ctx context.Context, stream func(visitor) error) error {
	more := true
	err := stream(func(run []candidate) (bool, error) {
		// A whole run before a batch is flushed: what the order leaves equal must be sorted together.
		for _, c := range run {
			// What is cheap to know is asked before a hit is made.
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

// passes tests what is known of a candidate, the cheap before the dear.
func (f *finder) passes(ctx context.Context, c candidate) (bool, error) {
	// A page that was a hit already has its newest version, since candidates come newest first.
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
	// Scores are the candidates'; hits are read from the database, which has none.
	ids, scores := make([]uint32, len(f.batch)), map[uint32]float64{}
	for i, c := range f.batch {
		ids[i] = c.id
		if c.score != 0 {
			scores[c.id] = c.score
		}
	}
	// Batches grow: who goes on reading wants much.
	f.batch, f.size = f.batch[:0], min(2*f.size, lastBatch)
	hits, err := f.hits(ctx, ids)
	if err != nil {
		return false, err
	}
	for i := range hits {
		hits[i].Score = scores[hits[i].id]
	}
	// Sorted again: candidates know the time, and hits the SURT, filename and offset that decide between
	// equals.
	slices.SortFunc(hits, sorter{f.order, f.one}.compare)
	if hits, err = f.test(ctx, hits); err != nil {
		return false, err
	}
	for _, h := range hits {
		if f.one && f.seen.Contains(h.page) {
			continue
		}
		// Marked here and not before: a version that a test refused does not stand for its page.
		f.seen.Add(h.page)
		if !f.yield(h) {
			return false, nil
		}
	}
	return true, nil
}

// test leaves the hits that pass what is tested on them, by us and by the caller.
func (f *finder) test(ctx context.Context, hits []Hit) ([]Hit, error) {
	hits = slices.DeleteFunc(hits, func(h Hit) bool {
		if len(f.p.tests) == 0 {
			return false
		}
		// Once for all tests, which are those of query.Match.
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
	// The dearest comes last, for those alone that passed all else.
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

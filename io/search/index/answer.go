package index

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// errVerify means that a filter needs documents but no Verify was given.
var errVerify = errors.New("index: the filter needs the documents, and nothing reads them")

// view is a snapshot of each volume.
type view struct {
	list   []*snapshot
	q      query.Query
	verify Verify
	sets   []*roaring.Bitmap // result of chosen
}

func (x *Index) view(ctx context.Context, q query.Query, verify Verify) (*view, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	if _, rest := Split(q.Where); rest != nil && verify == nil {
		return nil, errVerify
	}
	w := &view{q: q, verify: verify}
	for _, v := range x.volumes {
		// In sequence: a writer may commit between two volumes, but a shard is in only one of them.
		s, err := v.snapshot(ctx)
		if err != nil {
			w.close()
			return nil, err
		}
		w.list = append(w.list, s)
	}
	return w, nil
}

func (w *view) close() {
	for _, s := range w.list {
		s.close()
	}
}

// Find yields the hits of a query in its order, up to its limit. The function verify tests the part of the filter that
// Split leaves; it may be nil if Split leaves nothing. The answer is of one moment, whatever writers add meanwhile.
// While it is read, a writer's log cannot shrink.
func (x *Index) Find(ctx context.Context, q query.Query, verify Verify) iter.Seq2[Hit, error] {
	return func(yield func(Hit, error) bool) {
		w, err := x.view(ctx, q, verify)
		if err != nil {
			yield(Hit{}, x.noted(err))
			return
		}
		defer w.close()
		if err = w.limited(ctx, func(h Hit) bool { return yield(h, nil) }); err != nil {
			yield(Hit{}, x.noted(err))
		}
	}
}

// limited is find up to the limit of the query.
func (w *view) limited(ctx context.Context, yield func(Hit) bool) error {
	n := 0
	return w.find(ctx, func(h Hit) bool {
		n++
		// Compared after the yield, so that limit 0 means none.
		return yield(h) && n != w.q.Limit
	})
}

// find yields all hits in the order of the query.
func (w *view) find(ctx context.Context, yield func(Hit) bool) error {
	t := searched(w.q.Where)
	// Hits are found in this order anyway, so no set of all answers is needed.
	if w.q.Order == query.Newest || w.q.Order == query.Relevance && t == nil {
		return w.newest(ctx, yield)
	}
	var r *query.Text
	if w.q.Order == query.Relevance {
		var err error
		if r, err = w.ranking(ctx, t); err != nil {
			return err
		}
		if r == nil {
			return w.newest(ctx, yield)
		}
	}
	sets, err := w.chosen(ctx)
	if err != nil {
		return err
	}
	list := make([]source, len(w.list))
	for i, s := range w.list {
		// Each volume is sorted by itself; merge combines them.
		list[i] = func(yield func(Hit) bool) error { return s.list(ctx, sets[i], w.q, r, yield) }
	}
	return merge(list, sorter{w.q.Order, false}.compare, func(_ int, h Hit) (bool, error) {
		// Hits before the mark were on an earlier page.
		return !w.q.IsAfter(h.Key(), h.Score) || yield(h), nil
	})
}

// searched returns all words that a filter requires, as one search, or nil. Words of a phrase count as others do.
func searched(e query.Expr) *query.Text {
	d := divide(e)
	return together(slices.Concat(d.words, d.texts))
}

// together returns several searches as one, or nil for none. They are all exact, or none is.
func together(list []*query.Text) *query.Text {
	if len(list) < 2 {
		return append(list, nil)[0]
	}
	all := &query.Text{Exact: list[0].Exact}
	for _, t := range list {
		for _, term := range t.Terms {
			if !slices.Contains(all.Terms, term) {
				all.Terms = append(all.Terms, term)
			}
		}
	}
	return all
}

// newest yields the hits, the newest first. If several volumes have a page, its newest version comes first and counts.
func (w *view) newest(ctx context.Context, yield func(Hit) bool) error {
	list, finders := make([]source, len(w.list)), make([]*finder, len(w.list))
	seen := make([]*roaring.Bitmap, len(w.list)) // page numbers, for each volume
	for i, s := range w.list {
		// A finder for each volume, because page numbers differ.
		seen[i], finders[i] = roaring.New(), s.finder(w.q, w.verify)
		list[i] = func(yield func(Hit) bool) error { return finders[i].find(ctx, yield) }
	}
	return merge(list, sorter{query.Newest, !w.q.AllVersions}.compare, func(i int, h Hit) (bool, error) {
		if !w.q.IsAfter(h.Key(), 0) {
			return true, nil
		}
		// A single volume's finder has handled it.
		if len(w.list) > 1 && !w.q.AllVersions {
			// again uses it to find pages that were hits of another volume.
			seen[i].Add(h.page)
			if again, err := w.again(ctx, i, &h, seen); err != nil || again {
				return true, err
			}
		}
		if hidden, err := w.hidden(ctx, finders, &h); err != nil || hidden {
			return true, err
		}
		return yield(h), nil
	})
}

// hidden reports whether a newer version of a hit's page was on an earlier page of the answer. With Query.At only
// newest versions get this far.
func (w *view) hidden(ctx context.Context, finders []*finder, h *Hit) (bool, error) {
	// Nothing precedes the first page.
	if w.q.After == nil || w.q.AllVersions || !w.q.At.IsZero() {
		return false, nil
	}
	for _, f := range finders {
		if hides, err := f.hides(ctx, h); err != nil || hides {
			return hides, err
		}
	}
	return false, nil
}

// again reports whether a hit's page was already a hit of another volume. With Query.At it reports whether another
// volume has a newer version.
func (w *view) again(ctx context.Context, one int, h *Hit, seen []*roaring.Bitmap) (bool, error) {
	if !w.q.At.IsZero() {
		return w.elsewhere(ctx, one, h, nil)
	}
	for j, s := range w.list {
		if j == one {
			continue
		}
		// Volumes number pages differently; they share the SURT.
		pages, err := numbers(ctx, s.index, "select id from page where surt = ?", h.SURT)
		if err != nil {
			return false, err
		}
		if len(pages) > 0 && seen[j].Contains(uint32(pages[0])) {
			return true, nil
		}
	}
	return false, nil
}

// chosen returns the versions of each volume that match the query. They must not be changed, because list and counts
// share them.
func (w *view) chosen(ctx context.Context) (_ []*roaring.Bitmap, err error) {
	if w.sets != nil {
		return w.sets, nil
	}
	sets := make([]*roaring.Bitmap, len(w.list))
	for i, s := range w.list {
		if sets[i], err = s.chosen(ctx, w.q, w.verify); err != nil {
			return nil, err
		}
	}
	// A single volume has chosen already.
	if len(sets) > 1 && !w.q.AllVersions {
		if sets, err = w.outranked(ctx, sets); err != nil {
			return nil, err
		}
	}
	w.sets = sets
	return sets, nil
}

// outranked leaves the versions for which no other volume has a newer one.
func (w *view) outranked(ctx context.Context, sets []*roaring.Bitmap) ([]*roaring.Bitmap, error) {
	left := make([]*roaring.Bitmap, len(sets))
	for i, s := range w.list {
		// A copy, because the sets are compared while it changes.
		left[i] = sets[i].Clone()
		var failed error
		err := s.list(ctx, sets[i], query.Query{Order: query.SURT}, nil, func(h Hit) bool {
			var newer bool
			if newer, failed = w.elsewhere(ctx, i, &h, sets); newer {
				left[i].Remove(h.id)
			}
			return failed == nil
		})
		if err = errors.Join(err, failed); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// elsewhere reports whether another volume has, in its set, a newer version of a hit's page. With Query.At all
// its versions count, matching or not.
func (w *view) elsewhere(ctx context.Context, one int, h *Hit, sets []*roaring.Bitmap) (bool, error) {
	for j, s := range w.list {
		if j == one {
			continue
		}
		set, times := (*roaring.Bitmap)(nil), until(w.q.At)
		if w.q.At.IsZero() {
			set, times = sets[j], anyTime
		}
		if newer, err := s.newer(ctx, h, set, times); err != nil || len(newer) > 0 {
			return len(newer) > 0, err
		}
	}
	return false, nil
}

package index

import (
	"context"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Split divides a filter into what the index decides and what is left, which needs the documents. Either may be nil.
func Split(e query.Expr) (pushed, rest query.Expr) {
	return query.Split(e, func(e query.Expr) bool { return isExact(e) || onHits(e) })
}

// plan is how a query is answered in one volume.
type plan struct {
	// set has all versions that may be in the answer; nil is all there are.
	set   *roaring.Bitmap
	times interval                       // that they must be in
	tests []func(*schemas.Document) bool // that their hits must pass
	terms []frequent                     // that their texts must have, where set does not know
	rest  bool                           // the caller must see them
	from  string                         // in the order of SURTs, the first that is wanted
}

// after is the plan without candidates that cannot come after the mark of a query. Those of the mark's own moment, or
// SURT, still can or not.
func (p *plan) behind(q query.Query) *plan {
	// The first page.
	if q.After == nil {
		return p
	}
	// A copy: the plan itself is asked by hides, which looks before the mark.
	narrowed, ts := *p, int64(noTime)
	if t := q.After.Key.Timestamp; !t.IsZero() {
		ts = t.UnixMicro()
	}
	switch q.Order {
	case query.Newest:
		// With the mark's own moment, of which some versions are still to come.
		narrowed.times = p.times.intersect(interval{noTime, ts + 1})
	case query.Oldest:
		narrowed.times = p.times.intersect(interval{ts, anyTime.to})
	case query.SURT:
		// With the mark's own SURT, of which later versions are still to come.
		narrowed.from = q.After.Key.SURT
	}
	return &narrowed
}

// exact reports whether the set and the times are the answer.
func (p *plan) exact() bool { return len(p.tests) == 0 && len(p.terms) == 0 && !p.rest }

// timed reports whether times are asked for.
func (p *plan) timed() bool { return p.times != anyTime }

// parts are the conjuncts of a filter, by how they are answered.
type parts struct {
	times  interval
	keys   keys
	keyed  bool // keys are asked for
	sets   []query.Expr
	texts  []*query.Text
	onHits []query.Expr
}

// divide takes a filter apart, into the parts that Split has gone by: each of them is either decided here, or left for
// the documents.
func divide(e query.Expr) (d parts) {
	// What nothing narrows stays as it is.
	d.times, d.keys = anyTime, anyKey
	for _, x := range query.Conjuncts(e) {
		d.add(x)
	}
	return d
}

// add adds one conjunct.
func (d *parts) add(e query.Expr) {
	switch e := e.(type) {
	case *query.Text:
		d.texts = append(d.texts, e)
		return
	case *query.Compare:
		// Times that make one interval are intersected; others, as a negation, are sets.
		if times, ok := intervalOf(e); ok && e.Field == "timestamp" {
			d.times = d.times.intersect(times)
			return
		}
		// Likewise of ranges of SURTs.
		if keys, ok := keysOf(e); ok && e.Field == "surt" {
			d.keys, d.keyed = d.keys.intersect(keys), true
			return
		}
	}
	// Both: the set narrows what it can, and the test on the hit decides.
	if !isExact(e) && onHits(e) {
		d.onHits = append(d.onHits, e)
	}
	d.sets = append(d.sets, e)
}

// plan finds out how a query is answered. With lazy, sets that cost more to make than to do without are not made.
func (s *snapshot) plan(ctx context.Context, q query.Query, lazy bool) (*plan, error) {
	d := divide(q.Where)
	p := &plan{times: d.times}
	_, rest := Split(q.Where)
	p.rest = rest != nil
	if !q.At.IsZero() {
		// What came later does not exist at that moment.
		p.times = p.times.intersect(until(q.At))
	}
	if err := s.planSets(ctx, p, d.sets); err != nil {
		return nil, err
	}
	for _, e := range d.onHits {
		// Compiled once for all hits.
		p.tests = append(p.tests, query.Compile(e))
	}
	if err := s.planKeys(ctx, p, d); err != nil {
		return nil, err
	}
	if t := searched(q.Where); t != nil {
		if err := s.planText(ctx, p, t, lazy); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// isFew reports whether there are few candidates left.
func (s *snapshot) isFew(p *plan) bool { return p.set != nil && p.set.GetCardinality() <= s.limits.few }

func (s *snapshot) planKeys(ctx context.Context, p *plan, d parts) error {
	if !d.keyed {
		return nil
	}
	// A test on a few hits takes less than a range of SURTs that may be long.
	if s.isFew(p) {
		p.tests = append(p.tests, func(doc *schemas.Document) bool { return d.keys.holds(doc.SURT) })
		return nil
	}
	set, err := s.inKeys(ctx, d.keys)
	p.set = narrow(p.set, set)
	return err
}

// planSets makes the set of what all expressions bound, and of the months that the times are in. Captures of a month
// stand together, in the shards of a few runs: where they are among the first that are intersected, little of the other
// bitmaps is looked at.
func (s *snapshot) planSets(ctx context.Context, p *plan, list []query.Expr) error {
	sets, err := s.bounds(ctx, list)
	if err != nil {
		return err
	}
	few := len(sets) > 0 && sets[0].GetCardinality() <= s.limits.few
	// With few candidates left, their times are looked at one by one.
	if p.timed() && !few {
		whole, part, err := s.months(ctx, p.times)
		if err != nil {
			return err
		}
		whole.Or(part)
		sets = sorted(append(sets, whole))
	}
	p.set = intersection(sets)
	return nil
}

// planText plans all that is searched for as one search: of two frequent words that no text has both of, each for
// itself would have all captures tried one by one.
func (s *snapshot) planText(ctx context.Context, p *plan, t *query.Text, lazy bool) error {
	// FTS5 gathers all texts that have a beginning of a word before it gives the first: to ask for one is to ask for all.
	lazy = lazy && !slices.ContainsFunc(t.Terms, func(term string) bool { return strings.HasSuffix(term, "*") })
	known, err := s.known(ctx, t)
	if err != nil {
		return err
	}
	if lazy && !known {
		if s.isFew(p) {
			p.terms = append(p.terms, frequent{Text: t})
			return nil
		}
		texts, many, err := s.firstTexts(ctx, t)
		if err != nil {
			return err
		}
		if many {
			p.terms = append(p.terms, frequent{t, texts})
			return nil
		}
	}
	set, err := s.withTerms(ctx, t)
	p.set = narrow(p.set, set)
	return err
}

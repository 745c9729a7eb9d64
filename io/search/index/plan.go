package index

import (
	"context"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Split divides a filter into the part that the index decides and the rest, which needs documents. Either may be nil.
func Split(e query.Expr) (pushed, rest query.Expr) {
	return query.Split(e, func(e query.Expr) bool { return isExact(e) || onHits(e) })
}

// plan describes how a query is answered in one volume.
type plan struct {
	// set includes all versions that may match; nil means all.
	set   *roaring.Bitmap
	times interval                       // that versions must be in
	tests []func(*schemas.Document) bool // for hits
	terms []frequent                     // that texts must have, if set does not ensure it
	rest  bool                           // the caller must verify hits
	from  string                         // in the order of SURTs, the first wanted one
}

// after returns the plan without candidates that cannot follow the mark of a query. Candidates with the mark's own
// moment, or SURT, may or may not.
func (p *plan) after(q query.Query) *plan {
	if q.After == nil {
		return p
	}
	// A copy, because hides uses the original for versions before the mark.
	narrowed, ts := *p, int64(noTime)
	if t := q.After.Key.Timestamp; !t.IsZero() {
		ts = t.UnixMicro()
	}
	switch q.Order {
	case query.Newest:
		// Including the mark's moment, of which some versions may follow.
		narrowed.times = p.times.intersect(interval{noTime, ts + 1})
	case query.Oldest:
		narrowed.times = p.times.intersect(interval{ts, anyTime.to})
	case query.SURT:
		// Including the mark's SURT, of which later versions follow.
		narrowed.from = q.After.Key.SURT
	}
	return &narrowed
}

// exact reports whether set and times are the answer.
func (p *plan) exact() bool { return len(p.tests) == 0 && len(p.terms) == 0 && !p.rest }

// timed reports whether times are restricted.
func (p *plan) timed() bool { return p.times != anyTime }

// parts are the conjuncts of a filter, by how they are answered.
type parts struct {
	times  interval
	keys   keys
	keyed  bool // keys are restricted
	sets   []query.Expr
	texts  []*query.Text // exact ones
	words  []*query.Text // in any form
	onHits []query.Expr
}

// divide divides a filter into its conjuncts, consistently with Split: each is decided here or left to the documents.
func divide(e query.Expr) (d parts) {
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
		if e.Stems() {
			d.words = append(d.words, e)
		} else {
			d.texts = append(d.texts, e)
		}
		return
	case *query.Compare:
		// Intervals of times are intersected; other comparisons, such as negations, are sets.
		if times, ok := intervalOf(e); ok && e.Field == "timestamp" {
			d.times = d.times.intersect(times)
			return
		}
		// The same for ranges of SURTs.
		if keys, ok := keysOf(e); ok && e.Field == "surt" {
			d.keys, d.keyed = d.keys.intersect(keys), true
			return
		}
	}
	// Both: the set narrows, and the test on hits decides.
	if !isExact(e) && onHits(e) {
		d.onHits = append(d.onHits, e)
	}
	d.sets = append(d.sets, e)
}

// plan returns the plan of a query. If lazy, it skips sets that cost more than they save.
func (s *snapshot) plan(ctx context.Context, q query.Query, lazy bool) (*plan, error) {
	d := divide(q.Where)
	p := &plan{times: d.times}
	_, rest := Split(q.Where)
	p.rest = rest != nil
	if !q.At.IsZero() {
		// Later versions do not exist at that moment.
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
	if t := together(d.words); t != nil {
		if err := s.planWords(ctx, p, t, lazy); err != nil {
			return nil, err
		}
	}
	if t := together(d.texts); t != nil {
		if err := s.planText(ctx, p, t, lazy); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// isFew reports whether few candidates are left.
func (s *snapshot) isFew(p *plan) bool { return p.set != nil && p.set.GetCardinality() <= s.limits.few }

func (s *snapshot) planKeys(ctx context.Context, p *plan, d parts) error {
	if !d.keyed {
		return nil
	}
	// Testing a few hits takes less time than a range of SURTs, which may be long.
	if s.isFew(p) {
		p.tests = append(p.tests, func(doc *schemas.Document) bool { return d.keys.holds(doc.SURT) })
		return nil
	}
	set, err := s.inKeys(ctx, d.keys)
	p.set = narrow(p.set, set)
	return err
}

// planSets makes the set of what all expressions bound, and of the months of the times. Captures of a month are
// adjacent, so intersecting with months early saves reading much of the other bitmaps.
func (s *snapshot) planSets(ctx context.Context, p *plan, list []query.Expr) error {
	sets, err := s.bounds(ctx, list)
	if err != nil {
		return err
	}
	few := len(sets) > 0 && sets[0].GetCardinality() <= s.limits.few
	// With few candidates, times are tested singly.
	if p.timed() && !few {
		whole, part, err := s.months(ctx, p.times)
		if err != nil {
			return err
		}
		sets = append(sets, union(append(whole, part...)))
	}
	p.set = intersection(sets)
	return nil
}

// planWords plans words in any form. Without other forms in the volume, they are planned like exact ones.
func (s *snapshot) planWords(ctx context.Context, p *plan, t *query.Text, lazy bool) error {
	if lazy {
		// Read for its key, which formMatches needs.
		if _, err := s.match(ctx, t); err != nil {
			return err
		}
		matches, err := s.formMatches(ctx, t)
		if err != nil {
			return err
		}
		if len(matches) == 0 {
			return s.planText(ctx, p, t, lazy)
		}
	}
	set, err := s.withForms(ctx, t)
	p.set = narrow(p.set, set)
	return err
}

// planText plans all words as one search. Two frequent words may never occur together: as two searches, all captures
// would be tested singly.
func (s *snapshot) planText(ctx context.Context, p *plan, t *query.Text, lazy bool) error {
	// FTS5 collects all texts of a prefix before it returns the first, so one costs as much as all.
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

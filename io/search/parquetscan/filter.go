package parquetscan

import (
	"cmp"
	"context"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// step is a part of a filter that is evaluated on row groups.
type step interface {
	// rows returns the rows of sel that match.
	rows(ctx context.Context, s *scan, sel rowSet) (rowSet, error)
	// cost estimates the bytes to read for all rows.
	cost(s *scan) int64
	// excluded reports whether the footer alone excludes all rows.
	excluded(s *scan) bool
}

// scan is a row group during evaluation, with the parsed chunks of columns.
type scan struct {
	f *File
	g *group
	// Parsed once for each row group: cost, excluded and rows all need them.
	chunks map[*leaf]*chunk
}

func (s *scan) chunk(l *leaf) (*chunk, error) {
	if c := s.chunks[l]; c != nil {
		return c, nil
	}
	c, err := s.f.chunk(s.g, l)
	if err == nil {
		s.chunks[l] = c
	}
	return c, err
}

// filter is an expression prepared for a file. It is for one goroutine.
type filter struct {
	f    *File
	root step
	// The first error, for example about a column's type. It is returned with the first row group, because making steps
	// cannot fail.
	err error
}

func newFilter(f *File, e query.Expr) *filter {
	b := &filter{f: f}
	b.root = b.step(e)
	return b
}

// group returns the rows of a row group that match.
func (b *filter) group(ctx context.Context, g *group) (rowSet, error) {
	if b.err != nil {
		return nil, b.err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &scan{b.f, g, map[*leaf]*chunk{}}
	// Most row groups of a selective query end here.
	if b.root.excluded(s) {
		return newRowSet(g.rows), nil
	}
	return b.root.rows(ctx, s, allRows(g.rows))
}

// Pushes reports whether columns answer an expression, rather than documents made from them. It ignores expressions
// inside e, as query.Split requires.
func Pushes(e query.Expr) bool {
	switch e := e.(type) {
	case *query.Compare:
		f, key, err := query.Lookup(e.Field)
		// Keys of maps have no column of their own; published and modified are two columns each.
		return err == nil && key == "" && !f.Map && f.Kind != query.Message && !stated[f.Name]
	case *query.Text, *query.Share:
		return false
	}
	return true
}

// step prepares an expression.
func (b *filter) step(e query.Expr) step {
	switch e := e.(type) {
	case nil:
		// A valid step; group returns the error before using it.
		return allOf{}
	case *query.And:
		return allOf(b.merged(e.List, true))
	case *query.Or:
		return anyOf(b.merged(e.List, false))
	case *query.Not:
		return noneOf{b.step(e.X)}
	case *query.Compare:
		return b.compare(e)
	}
	return b.asked(e)
}

// compare prepares a comparison. NotEqual is the negation of Equal.
func (b *filter) compare(c *query.Compare) step {
	// A row with several values matches x != 1 if none of them is 1. That is the negation of "some is 1", not "some is
	// not 1".
	positive := *c
	if c.Op == query.NotEqual {
		positive.Op = query.Equal
		// x != * matches rows without any value: the negation of Has.
		if c.Value.Any {
			positive.Op = query.Has
		}
	}
	p, err := b.f.predicate(&positive)
	switch {
	case err != nil:
		b.err = cmp.Or(b.err, err)
		return allOf{}
	case p == nil:
		return b.asked(c)
	case c.Op == query.NotEqual:
		return noneOf{p}
	}
	return p
}

// merged prepares several expressions. It merges comparisons with one column, so that it is read once. In a disjunction
// any test may pass; in a conjunction, on columns with one value a row, all must.
func (b *filter) merged(list []query.Expr, all bool) []step {
	var steps []step
	first := map[*leaf]*predicate{}
	for _, e := range list {
		s := b.step(e)
		p, ok := s.(*predicate)
		// In a list, a > 1 AND a < 5 may hold for different elements, so such tests stay separate.
		if !ok || all && p.leaf.rep > 0 {
			steps = append(steps, s)
			continue
		}
		// A predicate combines its tests in one way only: a OR b inside AND stays a step of its own.
		if one := first[p.leaf]; one != nil && mergeable(one, all) && mergeable(p, all) {
			one.tests, one.all = append(one.tests, p.tests...), all
			continue
		}
		first[p.leaf] = p
		// Tests of later predicates of the column are added to it.
		steps = append(steps, p)
	}
	return steps
}

// mergeable reports whether tests can be added to a predicate that combines them as all says.
func mergeable(p *predicate, all bool) bool { return len(p.tests) == 1 || p.all == all }

// allOf is a conjunction: the cheapest step first, the others on the remaining rows.
type allOf []step

func (l allOf) rows(ctx context.Context, s *scan, sel rowSet) (rowSet, error) {
	// Sorted for each row group, because costs differ. A clone, because l is shared.
	sorted := slices.Clone(l)
	slices.SortStableFunc(sorted, func(a, b step) int { return cmp.Compare(a.cost(s), b.cost(s)) })
	var err error
	for _, x := range sorted {
		if sel.empty() {
			break
		}
		if sel, err = x.rows(ctx, s, sel); err != nil {
			return nil, err
		}
	}
	return sel, nil
}

func (l allOf) cost(s *scan) int64 { return sum(l, s) }

func (l allOf) excluded(s *scan) bool {
	return slices.ContainsFunc(l, func(x step) bool { return x.excluded(s) })
}

// anyOf is a disjunction: each step is evaluated on rows that do not match yet.
type anyOf []step

func (l anyOf) rows(ctx context.Context, s *scan, sel rowSet) (rowSet, error) {
	taken := make(rowSet, len(sel))
	for _, x := range l {
		// Rows that match one step need no other.
		left := sel.without(taken)
		if left.empty() {
			break
		}
		more, err := x.rows(ctx, s, left)
		if err != nil {
			return nil, err
		}
		taken.or(more)
	}
	return taken, nil
}

func (l anyOf) cost(s *scan) int64 { return sum(l, s) }

func (l anyOf) excluded(s *scan) bool {
	return !slices.ContainsFunc(l, func(x step) bool { return !x.excluded(s) })
}

// noneOf is a negation.
type noneOf struct{ x step }

func (n noneOf) rows(ctx context.Context, s *scan, sel rowSet) (rowSet, error) {
	// x returns rows of sel only, so the rest of sel is the negation.
	taken, err := n.x.rows(ctx, s, sel)
	if err != nil {
		return nil, err
	}
	return sel.without(taken), nil
}

func (n noneOf) cost(s *scan) int64 { return n.x.cost(s) }

// Bounds can show that no row matches, but not that all do.
func (noneOf) excluded(*scan) bool { return false }

func sum(l []step, s *scan) (n int64) {
	for _, x := range l {
		n += x.cost(s)
	}
	return n
}

// asked is a part of a filter for which documents are made.
type asked struct {
	a       *assembler
	match   func(*schemas.Document) bool
	without bool // result for a document without any of the columns
}

// asked prepares such a part.
func (b *filter) asked(e query.Expr) step {
	a, err := b.f.assembler(query.Columns(e))
	b.err = cmp.Or(b.err, err)
	// The same matcher as elsewhere, so that the meaning is the same.
	match := query.Compile(e)
	// Computed once: a file without these columns need not be read.
	return &asked{a, match, match(&schemas.Document{})}
}

func (q *asked) rows(ctx context.Context, s *scan, sel rowSet) (rowSet, error) {
	if q.a == nil {
		return sel, nil // the filter has an error
	}
	if len(q.a.leaves) == 0 {
		if q.without {
			return sel, nil
		}
		return make(rowSet, len(sel)), nil
	}
	out := make(rowSet, len(sel))
	// Only the columns of the expression, and the remaining rows.
	_, err := q.a.rows(ctx, s.g, sel, func(r Row, _ error) bool {
		if q.match(r.Document) {
			out.add(int(r.Number - s.g.first))
		}
		return true
	})
	return out, err
}

// cost is higher than that of comparisons with the same columns.
func (q *asked) cost(s *scan) (n int64) {
	if q.a == nil {
		return 0
	}
	for _, l := range q.a.leaves {
		if c, err := s.chunk(l); err == nil {
			// The factor only ensures that documents come after comparisons.
			n += 4 * (c.end - c.start)
		}
	}
	return n
}

func (*asked) excluded(*scan) bool { return false }

package parquetscan

import (
	"cmp"
	"context"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// step is a part of a filter that is asked of row groups.
type step interface {
	// rows returns those of sel that the step takes.
	rows(ctx context.Context, s *scan, sel rowSet) (rowSet, error)
	// cost tells some bytes that would be read for all rows.
	cost(s *scan) int64
	// excluded reports whether the footer alone says that no row is taken.
	excluded(s *scan) bool
}

// scan is a row group that is asked, with what its footer says of the columns that were.
type scan struct {
	f *File
	g *group
	// Parsed once a row group: cost, excluded and rows all ask for them.
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

// filter is a query's expression made ready for a file. It is for one goroutine.
type filter struct {
	f    *File
	root step
	// The first mistake, as of a column of another type. It is told when a row group is asked: steps are
	// made without one.
	err error
}

func newFilter(f *File, e query.Expr) *filter {
	b := &filter{f: f}
	b.root = b.step(e)
	return b
}

// group returns the rows of a row group that the filter takes.
func (b *filter) group(ctx context.Context, g *group) (rowSet, error) {
	if b.err != nil {
		return nil, b.err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &scan{b.f, g, map[*leaf]*chunk{}}
	// From the footer alone: most row groups of a selective query end here.
	if b.root.excluded(s) {
		return newRowSet(g.rows), nil
	}
	return b.root.rows(ctx, s, allRows(g.rows))
}

// Pushes reports whether an expression is answered by columns, and not by documents that are made of them. Of one with
// others inside it tells of itself alone, as query.Split asks.
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

// step makes an expression ready.
func (b *filter) step(e query.Expr) step {
	switch e := e.(type) {
	case nil:
		// Something that can be called; group returns the error before it is.
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

// compare makes a comparison ready. One that is not equal is the contrary of one that is.
func (b *filter) compare(c *query.Compare) step {
	// A row with several values is taken by x != 1 when none is 1: that is the contrary of "some is 1",
	// and not "some is not".
	positive := *c
	if c.Op == query.NotEqual {
		positive.Op = query.Equal
		// x != * asks for rows without any value: the contrary of Has.
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

// merged makes several expressions ready. Comparisons with one column become one, so that it is read once: of a list of
// values any may fit, and of a column with one value a row all bounds must.
func (b *filter) merged(list []query.Expr, all bool) []step {
	var steps []step
	first := map[*leaf]*predicate{}
	for _, e := range list {
		s := b.step(e)
		p, ok := s.(*predicate)
		// In a list, a > 1 AND a < 5 may be two different elements: such tests must not be asked of one
		// and the same value.
		if !ok || all && p.leaf.rep > 0 {
			steps = append(steps, s)
			continue
		}
		// A predicate of several tests combines them in one way only: a OR b inside of an AND stays a step
		// of its own.
		if one := first[p.leaf]; one != nil && mergeable(one, all) && mergeable(p, all) {
			// p is new and nobody else's, so that its tests can move.
			one.tests, one.all = append(one.tests, p.tests...), all
			continue
		}
		first[p.leaf] = p
		// The first of its column; tests of later ones are added to it in place.
		steps = append(steps, p)
	}
	return steps
}

// mergeable reports whether more tests can be added that are all, or any of them, to fit.
func mergeable(p *predicate, all bool) bool { return len(p.tests) == 1 || p.all == all }

// allOf is a conjunction: the cheapest part goes first, and the others are asked of what is left.
type allOf []step

func (l allOf) rows(ctx context.Context, s *scan, sel rowSet) (rowSet, error) {
	// Sorted for each row group: the same column may be small in one and large in the next. The clone,
	// since l is shared by all of them.
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

// anyOf is a disjunction: each part is asked of what is not taken yet.
type anyOf []step

func (l anyOf) rows(ctx context.Context, s *scan, sel rowSet) (rowSet, error) {
	// As long as sel, so that sets of one row group can be joined word by word.
	taken := make(rowSet, len(sel))
	for _, x := range l {
		// A row that one part has taken need not be asked again.
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
	// x returns rows of sel alone, so that the rest of sel is exactly what it does not take.
	taken, err := n.x.rows(ctx, s, sel)
	if err != nil {
		return nil, err
	}
	return sel.without(taken), nil
}

func (n noneOf) cost(s *scan) int64 { return n.x.cost(s) }

// Bounds tell that no row fits; they do not tell that every row does.
func (noneOf) excluded(*scan) bool { return false }

func sum(l []step, s *scan) (n int64) {
	for _, x := range l {
		n += x.cost(s)
	}
	return n
}

// asked is a part that documents are made for.
type asked struct {
	a       *assembler
	match   func(*schemas.Document) bool
	without bool // what a document without any of the columns is
}

// asked makes such a part ready.
func (b *filter) asked(e query.Expr) step {
	a, err := b.f.assembler(query.Columns(e))
	b.err = cmp.Or(b.err, err)
	// The same matcher that documents are tested by elsewhere: what columns cannot do has no second
	// meaning here.
	match := query.Compile(e)
	// What a document without these columns is, is found once: a file without any of them needs no
	// reading.
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
	// Only the columns that the expression reads are assembled, of the rows that are left.
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
			// Documents take a multiple of the time of comparing a column; 4 only has to sort them behind.
			n += 4 * (c.end - c.start)
		}
	}
	return n
}

func (*asked) excluded(*scan) bool { return false }

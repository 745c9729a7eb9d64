package index

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// smallOf is the field of few values that has a name in filters.
func smallOf(field string) (small, bool) {
	// The month has a facet and no field: it is asked for by the timestamp.
	i := slices.IndexFunc(smalls, func(f small) bool { return f.field == field && field != "" })
	if i < 0 {
		return small{}, false
	}
	return smalls[i], true
}

// isExact reports whether the index alone knows which versions an expression takes, before it looks at any.
func isExact(e query.Expr) bool {
	switch e := e.(type) {
	case nil:
		return true
	case *query.And:
		return all(e.List, isExact)
	case *query.Or:
		return all(e.List, isExact)
	case *query.Not:
		return isExact(e.X)
	case *query.Text:
		return !e.Phrase // where the terms stand is not in the index
	case *query.Compare:
		if _, ok := smallOf(e.Field); ok || e.Field == "timestamp" {
			return true
		}
		if _, ok := e.Custom(); ok {
			return true
		}
		// A copy: the expression is the caller's.
		positive := *e
		if positive.Op == query.NotEqual {
			positive.Op = query.Equal
		}
		// A range of SURTs can be read from the index; others, as with a star in front, are tested on hits.
		_, ok := keysOf(&positive)
		return ok && e.Field == "surt" && (e.Op != query.NotEqual || !e.Value.Any)
	}
	return false
}

func all(list []query.Expr, is func(query.Expr) bool) bool {
	return !slices.ContainsFunc(list, func(e query.Expr) bool { return !is(e) })
}

// hitColumns are the columns that a Hit has.
var hitColumns = []string{
	"domain", "filename", "host", "language", "length", "mime_detected", "offset", "page_type", "sequence",
	"source_id", "status", "surt", "timestamp", "title", "url",
}

// onHits reports whether an expression can be decided on hits.
func onHits(e query.Expr) bool {
	return !slices.ContainsFunc(query.Columns(e), func(c string) bool { return !slices.Contains(hitColumns, c) })
}

// bound is the versions that an expression may take, all that it takes among them; nil when the index cannot tell. Of
// an exact expression they are those that it takes.
func (s *snapshot) bound(ctx context.Context, e query.Expr) (*roaring.Bitmap, error) {
	switch e := e.(type) {
	case *query.And:
		return s.boundAnd(ctx, e.List)
	case *query.Or:
		return s.boundOr(ctx, e.List)
	case *query.Not:
		// A set that is too large turned round would be too small, and lose captures.
		if !isExact(e.X) {
			return nil, nil
		}
		return s.except(ctx, e.X)
	case *query.Text:
		return s.withTerms(ctx, e)
	case *query.Compare:
		return s.boundCompare(ctx, e)
	}
	return nil, nil
}

// except is all versions that an exact expression does not take.
func (s *snapshot) except(ctx context.Context, e query.Expr) (*roaring.Bitmap, error) {
	set, err := s.bound(ctx, e)
	if err != nil || set == nil {
		return roaring.New(), err // nil takes all
	}
	all, err := s.all(ctx)
	if err == nil {
		all.AndNot(set)
	}
	return all, err
}

func (s *snapshot) boundAnd(ctx context.Context, list []query.Expr) (set *roaring.Bitmap, err error) {
	sets, err := s.bounds(ctx, list)
	return intersection(sets), err
}

// bounds are the sets of what each of some expressions may take, the smallest first, without those that are all.
func (s *snapshot) bounds(ctx context.Context, list []query.Expr) (sets []*roaring.Bitmap, err error) {
	for _, e := range list {
		part, err := s.bound(ctx, e)
		if err != nil {
			return nil, err
		}
		// nil takes all, and narrows nothing.
		if part != nil {
			sets = append(sets, part)
		}
	}
	return sorted(sets), nil
}

// sorted are sets by their sizes, the smallest first.
func sorted(sets []*roaring.Bitmap) []*roaring.Bitmap {
	// The smallest first: the work of an intersection follows the smaller set.
	slices.SortFunc(sets, func(a, b *roaring.Bitmap) int { return cmp.Compare(a.GetCardinality(), b.GetCardinality()) })
	return sets
}

// intersection is what all sets hold, of which none is changed; nil of no set.
func intersection(sets []*roaring.Bitmap) (set *roaring.Bitmap) {
	for _, part := range sets {
		set = narrow(set, part)
	}
	return set
}

// narrow is what both sets hold; nil is all.
func narrow(a, b *roaring.Bitmap) *roaring.Bitmap {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return roaring.And(a, b)
}

func (s *snapshot) boundOr(ctx context.Context, list []query.Expr) (*roaring.Bitmap, error) {
	set := roaring.New()
	for _, e := range list {
		part, err := s.bound(ctx, e)
		// One part that the index cannot bound makes the whole disjunction so.
		if err != nil || part == nil {
			return nil, err
		}
		set.Or(part)
	}
	return set, nil
}

func (s *snapshot) boundCompare(ctx context.Context, c *query.Compare) (*roaring.Bitmap, error) {
	f, isSmall := smallOf(c.Field)
	custom, isCustom := c.Custom()
	switch {
	case isCustom:
		return s.withCustom(ctx, custom)
	case isSmall:
		return s.withValue(ctx, f, c)
	case c.Field == "timestamp":
		return s.atTime(ctx, c)
	case c.Field == "surt":
		return s.withKey(ctx, c)
	case c.Field == "url" && c.Op == query.Equal && !c.Value.Any && !c.Value.Before && !c.Value.Behind:
		// A URL's captures have its SURT. Which of them have it as written is left to the hits.
		key := urlkey.SURT(c.Value.Text)
		return s.inKeys(ctx, keys{key, key + "\x00"})
	}
	return nil, nil
}

// withValue is the versions whose value of a field passes: each value is tested as Match does, once.
func (s *snapshot) withValue(ctx context.Context, f small, c *query.Compare) (*roaring.Bitmap, error) {
	if c.Op == query.Equal && !c.Value.Any && !c.Value.Before && !c.Value.Behind {
		// The common question, as language = fr: one name is looked up, and none is tested.
		return s.withName(ctx, f.kind, c.Value.Text)
	}
	// Each value is tested, and not each capture, of which there are many more.
	test, set := c.Test(), roaring.New()
	ids, err := s.valuesThat(ctx, f.kind, func(v string) bool {
		// Status is a number, and is compared as one: 200 before 1000.
		if f.kind != kindStatus {
			return test.Text(v)
		}
		n, err := strconv.ParseInt(v, 10, 64)
		// The empty name stands for captures without a status, which some comparisons take.
		return err == nil && test.Integer(n) || v == "" && test.Missing()
	})
	for _, id := range ids {
		part, err := s.bitsOf(ctx, value{f.kind, id})
		if err != nil {
			return nil, err
		}
		set.Or(part)
	}
	return set, err
}

// withName is the versions that have a value; none have the empty one, which stands for none.
func (s *snapshot) withName(ctx context.Context, k kind, v string) (*roaring.Bitmap, error) {
	var id int64
	if k == kindStatus { // a number may be written in more than one way
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return roaring.New(), nil
		}
		v = strconv.FormatInt(n, 10)
	}
	ctx = context.WithoutCancel(ctx)
	err := s.index.QueryRowContext(ctx, "select id from name where kind = ? and value = ?", k, v).Scan(&id)
	// No capture has it: an empty set, and no error.
	if err == sql.ErrNoRows || v == "" {
		return roaring.New(), nil
	}
	if err != nil {
		return nil, explain(err)
	}
	return s.bitsOf(ctx, value{k, id})
}

// valuesThat are the numbers of the values that pass.
func (s *snapshot) valuesThat(ctx context.Context, k kind, passes func(string) bool) (ids []int64, err error) {
	// Names that an earlier question has read.
	if list := s.lists.get(s.generation, k); list != nil {
		for _, n := range list {
			if passes(n.text) {
				ids = append(ids, n.id)
			}
		}
		return ids, nil
	}
	list := []named{}
	err = each(ctx, s.index, func(rows *sql.Rows) error {
		var n named
		err := rows.Scan(&n.id, &n.text)
		if err == nil && passes(n.text) {
			ids = append(ids, n.id)
		}
		// One more than is kept, so that keep sees that there are too many.
		if len(list) <= maxLabels {
			list = append(list, n)
		}
		return err
	}, "select id, value from name where kind = ?", k)
	if err == nil {
		s.lists.keep(s.generation, k, list)
	}
	return ids, err
}

// atTime is the versions whose time passes.
func (s *snapshot) atTime(ctx context.Context, c *query.Compare) (*roaring.Bitmap, error) {
	positive := *c
	if c.Op == query.NotEqual {
		positive.Op = query.Equal
	}
	// Always one piece for what is not NotEqual.
	times, _ := intervalOf(&positive)
	// Of all captures: what else is asked narrows it later.
	set, err := s.within(ctx, times, nil)
	if err != nil || c.Op != query.NotEqual {
		return set, err
	}
	all, err := s.all(ctx)
	if err == nil {
		all.AndNot(set)
	}
	return all, err
}

// withKey is the versions whose SURT passes; nil when that is not a range of them.
func (s *snapshot) withKey(ctx context.Context, c *query.Compare) (*roaring.Bitmap, error) {
	positive := *c
	if c.Op == query.NotEqual {
		positive.Op = query.Equal
	}
	keys, ok := keysOf(&positive)
	if !ok || c.Op == query.NotEqual && c.Value.Any {
		return nil, nil
	}
	set, err := s.inKeys(ctx, keys)
	if err != nil || c.Op != query.NotEqual {
		return set, err
	}
	all, err := s.all(ctx)
	if err == nil {
		all.AndNot(set)
	}
	return all, err
}

// inKeys is the versions whose SURT is in a range.
func (s *snapshot) inKeys(ctx context.Context, k keys) (*roaring.Bitmap, error) {
	return s.listed(ctx, `select group_concat(v.id) from page p join version v on v.page = p.id
		where p.surt >= ? and p.surt < ?`, k.from, k.to)
}

// listed is the numbers that a query gives in one text, with commas between them: that takes a tenth of the time that
// a row for each does.
func (s *snapshot) listed(ctx context.Context, text string, args ...any) (*roaring.Bitmap, error) {
	return parseListed(s.index.QueryRowContext(ctx, text, args...))
}

func parseListed(row *sql.Row) (*roaring.Bitmap, error) {
	var list sql.RawBytes
	var text []byte
	if err := row.Scan(&text); err != nil {
		return nil, explain(err)
	}
	// null, of no row, leaves it empty.
	list = text
	set := roaring.New()
	buf := make([]uint32, 0, 4096) // AddMany is quicker than Add, one by one
	for n, inside, i := uint32(0), false, 0; i <= len(list); i++ {
		// Anything but a digit ends a number, so that commas and brackets need no care.
		if i < len(list) && '0' <= list[i] && list[i] <= '9' {
			n, inside = n*10+uint32(list[i]-'0'), true
			continue
		}
		// A number has ended.
		if inside {
			buf = append(buf, n)
		}
		// Added in batches, and the rest at the end.
		if len(buf) == cap(buf) || i == len(list) {
			set.AddMany(buf)
			buf = buf[:0]
		}
		n, inside = 0, false
	}
	return set, nil
}

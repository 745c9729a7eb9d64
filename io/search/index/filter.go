package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// smallOf returns the field of few values with this name in filters.
func smallOf(field string) (small, bool) {
	// The month has a facet but no field: filters use the timestamp.
	i := slices.IndexFunc(smalls, func(f small) bool { return f.field == field && field != "" })
	if i < 0 {
		return small{}, false
	}
	return smalls[i], true
}

// isExact reports whether the index alone knows which versions match an expression, without looking at any.
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
		return !e.Phrase // the index does not have positions of terms
	case *query.Compare:
		if _, ok := smallOf(e.Field); ok || e.Field == "timestamp" {
			return true
		}
		if _, ok := e.Custom(); ok {
			return true
		}
		if _, ok := listFor(e); ok {
			return true
		}
		// A copy, because the expression is the caller's.
		positive := *e
		if positive.Op == query.NotEqual {
			positive.Op = query.Equal
		}
		// The index can read a range of SURTs; other tests, such as a leading star, are made on hits.
		_, ok := keysOf(&positive)
		return ok && e.Field == "surt" && (e.Op != query.NotEqual || !e.Value.Any)
	}
	return false
}

func all(list []query.Expr, is func(query.Expr) bool) bool {
	return !slices.ContainsFunc(list, func(e query.Expr) bool { return !is(e) })
}

// hitColumns are the columns of a Hit.
var hitColumns = []string{
	"domain", "filename", "host", "language", "length", "mime_detected", "offset", "page_type", "record_type",
	"sequence", "source_id", "status", "surt", "timestamp", "title", "url",
}

// onHits reports whether hits suffice to decide an expression.
func onHits(e query.Expr) bool {
	return !slices.ContainsFunc(query.Columns(e), func(c string) bool { return !slices.Contains(hitColumns, c) })
}

// bound returns a set that includes all versions that match an expression, or nil without such a set. For an exact
// expression the set is exact.
func (s *snapshot) bound(ctx context.Context, e query.Expr) (*roaring.Bitmap, error) {
	switch e := e.(type) {
	case *query.And:
		return s.boundAnd(ctx, e.List)
	case *query.Or:
		return s.boundOr(ctx, e.List)
	case *query.Not:
		// The complement of a set that is too large would lose captures.
		if !isExact(e.X) {
			return nil, nil
		}
		return s.except(ctx, e.X)
	case *query.Text:
		return s.withForms(ctx, e)
	case *query.Compare:
		return s.boundCompare(ctx, e)
	}
	return nil, nil
}

// except returns all versions that do not match an exact expression.
func (s *snapshot) except(ctx context.Context, e query.Expr) (*roaring.Bitmap, error) {
	set, err := s.bound(ctx, e)
	if err != nil || set == nil {
		return roaring.New(), err // nil matches all
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

// bounds returns the bounds of some expressions, the smallest first, without unlimited ones.
func (s *snapshot) bounds(ctx context.Context, list []query.Expr) (sets []*roaring.Bitmap, err error) {
	for _, e := range list {
		part, err := s.bound(ctx, e)
		if err != nil {
			return nil, err
		}
		if part != nil {
			sets = append(sets, part)
		}
	}
	return sorted(sets), nil
}

// sorted sorts sets by size.
func sorted(sets []*roaring.Bitmap) []*roaring.Bitmap {
	// The smallest first, because the cost of an intersection follows the smaller set.
	slices.SortFunc(sets, func(a, b *roaring.Bitmap) int { return cmp.Compare(a.GetCardinality(), b.GetCardinality()) })
	return sets
}

// intersection returns the intersection of sets, without changing them, or nil for no set. Sets with few containers
// come first, because only containers that both sets have take time. Those of a month are few.
func intersection(sets []*roaring.Bitmap) (set *roaring.Bitmap) {
	sets = slices.Clone(sets)
	containers := func(b *roaring.Bitmap) uint64 { return b.Stats().Containers }
	slices.SortStableFunc(sets, func(a, b *roaring.Bitmap) int { return cmp.Compare(containers(a), containers(b)) })
	for _, part := range sets {
		set = narrow(set, part)
	}
	return set
}

// narrow returns the intersection of two sets; nil means all.
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
		// One unlimited part makes the whole disjunction unlimited.
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
	l, isList := listFor(c)
	switch {
	case isCustom:
		return s.withCustom(ctx, custom)
	case isSmall:
		return s.withValue(ctx, f, c)
	case isList:
		return s.withList(ctx, l, c)
	case c.Field == "timestamp":
		return s.atTime(ctx, c)
	case c.Field == "surt":
		return s.withKey(ctx, c)
	case c.Field == "url" && c.Op == query.Equal && !c.Value.Any && !c.Value.Before && !c.Value.After:
		// A URL's captures have its SURT. The hits decide which have the URL exactly.
		key := urlkey.SURT(c.Value.Text)
		return s.inKeys(ctx, keys{key, key + "\x00"})
	}
	return nil, nil
}

// withValue returns the versions whose value of a field matches. Each value is tested once, as Match does.
func (s *snapshot) withValue(ctx context.Context, f small, c *query.Compare) (*roaring.Bitmap, error) {
	if c.Op == query.Equal && !c.Value.Any && !c.Value.Before && !c.Value.After {
		// The common query, such as language = fr, looks up one name.
		return s.withName(ctx, f.kind, c.Value.Text)
	}
	// There are far fewer values than captures.
	test := c.Test()
	ids, err := s.valuesThat(ctx, f.kind, func(v string) bool {
		// Status compares as a number: 200 before 1000.
		if f.kind != kindStatus {
			return test.Text(v)
		}
		n, err := strconv.ParseInt(v, 10, 64)
		// The empty name means captures without a status, which some comparisons match.
		return err == nil && test.Integer(n) || v == "" && test.Missing()
	})
	sets := make([]*roaring.Bitmap, len(ids))
	for i, id := range ids {
		if sets[i], err = s.bitsOf(ctx, value{f.kind, id}); err != nil {
			return nil, err
		}
	}
	return union(sets), err
}

// withName returns the versions that have a value; none for the empty one, which means no value.
func (s *snapshot) withName(ctx context.Context, k kind, v string) (*roaring.Bitmap, error) {
	if k == kindStatus { // a number has several spellings
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return roaring.New(), nil
		}
		v = strconv.FormatInt(n, 10)
	}
	id, found, err := s.nameID(ctx, k, v)
	if err != nil || !found || v == "" {
		return roaring.New(), err
	}
	return s.bitsOf(ctx, value{k, id})
}

// nameID returns the number of a name; found is false if no capture has it.
func (s *snapshot) nameID(ctx context.Context, k kind, text string) (id int64, found bool, err error) {
	ctx = context.WithoutCancel(ctx)
	err = s.index.QueryRowContext(ctx, "select id from name where kind = ? and value = ?", k, text).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return id, err == nil, explain(err)
}

// valuesThat returns the numbers of the values that pass.
func (s *snapshot) valuesThat(ctx context.Context, k kind, passes func(string) bool) (ids []int64, err error) {
	// Names cached by an earlier query.
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
		// One more than is cached, so that keep notices too many.
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

// atTime returns the versions whose time matches.
func (s *snapshot) atTime(ctx context.Context, c *query.Compare) (*roaring.Bitmap, error) {
	positive := *c
	if c.Op == query.NotEqual {
		positive.Op = query.Equal
	}
	// Only NotEqual gives no single interval.
	times, _ := intervalOf(&positive)
	// Of all captures: the other parts narrow it later.
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

// withKey returns the versions whose SURT matches, or nil if the comparison is not a range of SURTs.
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

// inKeys returns the versions whose SURT is in a range.
func (s *snapshot) inKeys(ctx context.Context, k keys) (*roaring.Bitmap, error) {
	return s.listed(ctx, `select group_concat(v.id) from page p join version v on v.page = p.id
		where p.surt >= ? and p.surt < ?`, k.from, k.to)
}

// listed returns the numbers that a query returns as one text, separated by commas, which takes a tenth of the time of
// single rows.
func (s *snapshot) listed(ctx context.Context, text string, args ...any) (*roaring.Bitmap, error) {
	return parseListed(s.index.QueryRowContext(ctx, text, args...))
}

func parseListed(row *sql.Row) (*roaring.Bitmap, error) {
	var list sql.RawBytes
	var text []byte
	if err := row.Scan(&text); err != nil {
		return nil, explain(err)
	}
	// null, for no rows, leaves it empty.
	list = text
	set := roaring.New()
	buf := make([]uint32, 0, min(4096, len(list)/2+1)) // AddMany is faster than Add
	for n, inside, i := uint32(0), false, 0; i <= len(list); i++ {
		// Anything but a digit ends a number, including commas and brackets.
		if i < len(list) && '0' <= list[i] && list[i] <= '9' {
			n, inside = n*10+uint32(list[i]-'0'), true
			continue
		}
		if inside {
			buf = append(buf, n)
		}
		// Added in batches, with the rest at the end.
		if len(buf) == cap(buf) || i == len(list) {
			set.AddMany(buf)
			buf = buf[:0]
		}
		n, inside = 0, false
	}
	return set, nil
}

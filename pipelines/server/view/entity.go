package view

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// most returns the key with the largest count. If several have it, it is the first in alphabetical order.
func most(m map[string]int64) (best string) {
	// Keys are sorted, so that the first of equal counts stays.
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if best == "" || m[k] > m[best] {
			best = k
		}
	}
	return best
}

// commonTypes are listed if no type was chosen. Types that follow patterns, such as money and dates, are less useful
// in a ranking.
var commonTypes = map[string]bool{
	"person": true, "place": true, "organization": true, "product": true, "event": true, "work": true,
}

// Entities lists the entities that pages name.
func (v *Views) Entities(ctx context.Context, r EntitiesRequest) (*Entities, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection = c.Name()
	// This comes before the cursor is read, so that an answer of "not ready" comes first.
	all, err := v.census(c, now)
	if err != nil {
		return nil, err
	}
	from, err := offsetOf(r.Cursor)
	if err != nil {
		return nil, err
	}
	list := &Entities{
		Answer: answer(c), Find: r.Find, Type: r.Type, Captures: all.captures, Entities: []EntityRow{}, Partial: all.partial,
	}
	list.explain(now, nil, "entities")
	list.types(r, all)
	// 24 rows fit on a screen.
	limit := int64(cmp.Or(r.Limit, 24))
	for i := range all.rows {
		one := &all.rows[i]
		if !one.fits(r) {
			continue
		}
		// All rows are visited, since the number of remaining ones is part of the answer.
		if list.Names++; list.Names > from && list.Names <= from+limit {
			row := one.row(c.Name(), r.Type)
			list.Max = max(list.Max, row.Addresses)
			list.Entities = append(list.Entities, row)
		}
	}
	if list.Left = max(0, list.Names-from-limit); list.Left > 0 {
		list.Next = cursorAt(from + limit)
		r.Cursor = list.Next
		list.NextLink = page(c.Name(), "entities", r)
	}
	list.Took = v.since(start)
	return list, nil
}

// types counts the identities of each type.
func (e *Entities) types(r EntitiesRequest, all *census) {
	counts := map[string]int64{}
	for i := range all.rows {
		for kind := range all.rows[i].kinds {
			counts[kind]++
		}
	}
	names := slices.Sorted(maps.Keys(counts))
	// The sort is stable: types of equal count stay in alphabetical order.
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	r.Cursor = ""
	for _, kind := range names {
		one := r
		if one.Type = kind; r.Type == kind {
			// The link of the active type removes it.
			one.Type = "" // the link removes the filter
		}
		e.Types = append(e.Types, Choice{kind, kind, page(r.Collection, "entities", one), r.Type == kind})
		e.Counts = append(e.Counts, counts[kind])
	}
}

// fits reports whether an identity matches the request.
func (i *identity) fits(r EntitiesRequest) bool {
	switch {
	// Money, dates and similar types only match if their type or name was requested.
	case r.Type != "" && i.kinds[r.Type] == 0, r.Type == "" && r.Find == "" && !i.common():
		return false
	case r.Find == "":
		return true
	}
	// Any kept name may match, not only the one that is shown.
	find := strings.ToLower(r.Find)
	for name := range i.names {
		if strings.Contains(strings.ToLower(name), find) {
			return true
		}
	}
	return false
}

// common reports whether an identity has one of the commonTypes.
func (i *identity) common() bool {
	for kind := range i.kinds {
		if commonTypes[kind] {
			return true
		}
	}
	return false
}

// row makes the row of an identity. Its type is the chosen one, or the most frequent.
func (i *identity) row(collection, chosen string) EntityRow {
	name := most(i.names)
	row := EntityRow{
		Text: name, Type: cmp.Or(chosen, most(i.kinds)), ID: i.id, Addresses: i.addresses, Mentions: i.mentions,
		Host: most(i.hosts), Link: SearchRequest{Collection: collection, Entity: name}.link(),
	}
	for _, other := range slices.Sorted(maps.Keys(i.names)) {
		if other != name {
			row.Also = append(row.Also, other)
		}
	}
	// The search uses the texts as written, as the index knows no identities.
	if len(row.Also) > 0 {
		tests := make([]query.Expr, 0, len(i.names))
		for _, text := range append([]string{name}, row.Also...) {
			if test, err := fieldOf("entity").test(escapeStar(text)); err == nil {
				tests = append(tests, test)
			}
		}
		row.Link = SearchRequest{Collection: collection, Query: (&query.Or{List: tests}).String()}.link()
	}
	return row
}

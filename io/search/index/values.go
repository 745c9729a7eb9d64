package index

import (
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// ValuesRequest asks for a part of the values of a field.
type ValuesRequest struct {
	Query query.Query // whose matches are counted, whatever its limit
	By    string      // a field that Counts knows
	// Passes chooses values; nil for all. "" stands for captures without one.
	Passes      func(value string) bool
	From, Limit int64
}

// ValuesAnswer is a part of the values of a field, the most frequent first.
type ValuesAnswer struct {
	Values   []Facet
	Captures int64 // that match, once for each of their values
	Total    int64 // values that pass
	None     bool  // "" is among them
}

// Values returns a part of the values of a field. It reads only the names it needs. known is false if the index has
// several volumes, for whose values Facets is needed. For verify see Find.
func (x *Index) Values(ctx context.Context, r ValuesRequest, verify Verify) (a ValuesAnswer, known bool, err error) {
	fields, err := fieldsOf([]string{r.By})
	if err != nil || fields[0].kind < 0 || len(x.volumes) != 1 {
		return a, false, err
	}
	sets, w, err := x.answer(ctx, r.Query, verify)
	if err != nil {
		return a, true, err
	}
	defer w.close()
	a, err = w.list[0].page(ctx, sets[0], fields[0].kind, r)
	return a, true, x.noted(err)
}

// page returns a part of the values of a kind that versions of a set have.
func (s *snapshot) page(ctx context.Context, set *roaring.Bitmap, k kind, r ValuesRequest) (a ValuesAnswer, err error) {
	c, err := s.count(ctx, k, set)
	if err != nil {
		return a, err
	}
	all := c.list()
	for _, v := range all {
		a.Captures += int64(v.n)
	}
	none := int64(noValue)
	if k < firstList {
		// Captures without a value have the name "".
		if none, _, err = s.nameID(ctx, k, ""); err != nil {
			return a, err
		}
	}
	if r.Passes != nil {
		if all, err = s.passing(ctx, k, all, none, r.Passes); err != nil {
			return a, err
		}
	}
	a.Total = int64(len(all))
	a.None = slices.ContainsFunc(all, func(v counted) bool { return v.id == none })
	if r.From >= a.Total || r.Limit <= 0 {
		return a, nil
	}
	top, err := s.top(ctx, k, all, int(min(r.From+r.Limit, a.Total)))
	if err == nil {
		a.Values = top[r.From:]
	}
	return a, err
}

// passing returns the values whose names pass.
func (s *snapshot) passing(
	ctx context.Context, k kind, all []counted, none int64, passes func(string) bool,
) (list []counted, err error) {
	ids, err := s.valuesThat(ctx, k, passes)
	if err != nil {
		return nil, err
	}
	slices.Sort(ids)
	for _, v := range all {
		_, is := slices.BinarySearch(ids, v.id)
		if v.id == none {
			is = passes("")
		}
		if is {
			list = append(list, v)
		}
	}
	return list, nil
}

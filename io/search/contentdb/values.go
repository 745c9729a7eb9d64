package contentdb

import (
	"context"

	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// ValuesRequest asks for a part of the values of a field.
type ValuesRequest struct {
	Query query.Query // whose matches are counted: see DB.Facets
	By    string
	// Passes chooses values; nil for all. "" stands for captures without one.
	Passes      func(value string) bool
	From, Limit int64
}

// Values is a part of the values of a field, the most frequent first.
type Values struct {
	Groups   []Group
	Captures int64 // that match, once for each of their values
	Total    int64 // values that pass
	None     bool  // "" is among them
}

// Values returns a part of the values of a field. By the index it takes no memory for the other values.
func (db *DB) Values(ctx context.Context, r ValuesRequest) (v Values, err error) {
	if err := CheckFacets([]string{r.By}); err != nil {
		return v, err
	}
	q := r.Query
	q.Order, q.Limit, q.After = query.SURT, 0, nil
	if q, err = db.settled(q); err != nil {
		return v, err
	}
	names, known := indexFacets([]string{r.By})
	if x := db.asked(); x != nil && known {
		one := index.ValuesRequest{Query: q, By: names[0], Passes: r.Passes, From: r.From, Limit: r.Limit}
		a, known, err := x.Values(ctx, one, db.verify(q))
		if known && (err == nil || !db.lose(err)) {
			return groupedOf(a), err
		}
	}
	groups, err := db.Facets(ctx, r.Query, []string{r.By}, 0)
	if err != nil {
		return v, err
	}
	for _, g := range groups {
		v.Captures += g.Count
		if r.Passes != nil && !r.Passes(g.Values[0]) {
			continue
		}
		v.None = v.None || g.Values[0] == ""
		if v.Total++; v.Total > r.From && v.Total <= r.From+r.Limit {
			v.Groups = append(v.Groups, g)
		}
	}
	return v, nil
}

func groupedOf(a index.ValuesAnswer) Values {
	v := Values{Captures: a.Captures, Total: a.Total, None: a.None}
	for _, f := range a.Values {
		v.Groups = append(v.Groups, Group(f))
	}
	return v
}

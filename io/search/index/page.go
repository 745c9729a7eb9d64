package index

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// Request asks for what a page of results shows, of one moment.
type Request struct {
	Query query.Query // the hits: its Limit is how many, its After is where they begin
	Count bool        // tell how many captures answer the query, whatever Limit and After
	By    []string    // of FacetFields: count the captures by each of these, whatever Limit and After
	Top   int         // the most frequent values of each; 0 for all
}

// Answer is the answer to a Request.
type Answer struct {
	Hits   []Hit
	Count  int64
	Facets [][]Facet // one for each field of Request.By
}

// Ask answers a request. The captures that answer it are found once for the count and all facets; without these, no
// more captures are looked at than the hits need. For verify see Find: with one, a count reads the document of each
// candidate.
func (x *Index) Ask(ctx context.Context, r Request, verify Verify) (a Answer, err error) {
	fields, err := fieldsOf(r.By)
	if err != nil {
		return a, err
	}
	// One view for all that is asked, so that rows and counts are of one moment.
	w, err := x.view(ctx, r.Query, verify)
	if err != nil {
		return a, x.noted(err)
	}
	defer w.close()
	var sets []*roaring.Bitmap
	if r.Count || len(fields) > 0 {
		// First, since the hits are found among what is known by then.
		if sets, err = w.chosen(ctx); err != nil {
			return a, x.noted(err)
		}
	}
	for _, set := range sets {
		a.Count += int64(set.GetCardinality())
	}
	// Without counts nothing beyond the wanted hits is looked at.
	err = w.limited(ctx, func(h Hit) bool {
		a.Hits = append(a.Hits, h)
		return true
	})
	if err != nil {
		return a, x.noted(err)
	}
	for _, f := range fields {
		// One field at a time: the request asks for each by itself and not for combinations.
		list, err := w.facets(ctx, sets, []small{f}, r.Top)
		if err != nil {
			return a, x.noted(err)
		}
		a.Facets = append(a.Facets, list)
	}
	return a, nil
}

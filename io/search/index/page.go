package index

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// Request asks for a page of results, all of one moment.
type Request struct {
	Query query.Query // its Limit is the number of hits, its After is where they begin
	Count bool        // count all matches, whatever Limit and After
	By    []string    // count all matches by each of these: see Counts
	Top   int         // number of most frequent values of each; 0 for all
}

// Answer is the answer to a Request.
type Answer struct {
	Hits   []Hit
	Count  int64
	Facets [][]Facet // one for each field of Request.By
}

// Ask answers a request. Matches are found once for the count and all facets; without these, only as many as the hits
// need. For verify see Find: with it, a count reads the document of each candidate.
func (x *Index) Ask(ctx context.Context, r Request, verify Verify) (a Answer, err error) {
	fields := make([][]small, len(r.By))
	for i, name := range r.By {
		if fields[i], err = fieldsOf([]string{name}); err != nil {
			return a, err
		}
	}
	// One view for everything, so that rows and counts are of one moment.
	w, err := x.view(ctx, r.Query, verify)
	if err != nil {
		return a, x.noted(err)
	}
	defer w.close()
	var sets []*roaring.Bitmap
	if r.Count || len(fields) > 0 {
		// First, because the hits reuse the result.
		if sets, err = w.chosen(ctx); err != nil {
			return a, x.noted(err)
		}
	}
	for _, set := range sets {
		a.Count += int64(set.GetCardinality())
	}
	// Without counts, only the wanted hits are examined.
	err = w.limited(ctx, func(h Hit) bool {
		a.Hits = append(a.Hits, h)
		return true
	})
	if err != nil {
		return a, x.noted(err)
	}
	for _, f := range fields {
		// One field at a time: the request does not want combinations.
		list, err := w.facets(ctx, sets, f, r.Top)
		if err != nil {
			return a, x.noted(err)
		}
		a.Facets = append(a.Facets, list)
	}
	return a, nil
}

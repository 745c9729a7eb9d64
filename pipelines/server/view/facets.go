package view

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// FacetsRequest is a request for the number of captures by the values of fields.
type FacetsRequest struct {
	SearchRequest
	By  string `json:"by,omitempty" query:"by" required:"true" minLength:"1" maxLength:"300" doc:"field names of documents with commas between them; parts as entities.type or custom.price. Also lang, mime, source, entity, year, month or day. A capture counts for each value of a list"`
	Top int    `json:"top,omitempty" query:"top" minimum:"1" maximum:"10000" doc:"most groups; 100 without it"`
}

// Facets are groups of captures.
type Facets struct {
	Answer
	By       []string     `json:"by"`
	Captures int64        `json:"captures" doc:"all that fit, counted as in groups: what shares are of"`
	Groups   []FacetGroup `json:"groups" doc:"the largest first"`
}

// FacetGroup is the captures that have the same values.
type FacetGroup struct {
	Values []string `json:"values" doc:"in the order of by; empty where a capture has none"`
	Count  int64    `json:"count" doc:"captures; with fold=address only the newest of each page"`
}

// maxBy limits how many fields captures are counted by. With more fields, nearly every capture would be a group of its
// own, and the counts must fit in memory.
const maxBy = 3

// Facets counts captures.
func (v *Views) Facets(ctx context.Context, r FacetsRequest) (*Facets, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	list := &Facets{Answer: answer(c), By: strings.Split(r.By, ","), Groups: []FacetGroup{}}
	// People type blanks after commas.
	for i := range list.By {
		list.By[i] = strings.TrimSpace(list.By[i])
	}
	if len(list.By) > maxBy {
		return nil, invalid("by", r.By, "It takes three fields at most.")
	}
	// This is checked before anything is read.
	if err := contentdb.CheckFacets(list.By); err != nil {
		return nil, invalid("by", r.By, err.Error())
	}
	// The filter is the same as in a search, so that a count agrees with its list.
	where, err := r.where()
	if err != nil {
		return nil, err
	}
	// Unlike searches, this counts captures unless folding is requested.
	q := query.Query{Where: where, AllVersions: r.Fold != "address"}
	// The database cuts the list at Top, with the largest first.
	groups, err := now.DB.Facets(ctx, q, list.By, cmp.Or(r.Top, 100))
	if errors.Is(err, query.ErrCombinations) {
		return nil, invalid("by", r.By, err.Error())
	}
	if err != nil {
		return nil, changed(err)
	}
	for _, g := range groups {
		list.Groups = append(list.Groups, FacetGroup(g))
	}
	// This needs a second query: the groups are cut at Top, and a capture may be in several groups or in none.
	if list.Captures, err = now.DB.Count(ctx, q); err != nil {
		return nil, changed(err)
	}
	list.explain(now, nil, list.By...)
	if list.Captures == 0 {
		list.explain(now, where)
	}
	list.Took = v.since(start)
	return list, nil
}

package view

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// AcrossPath is the page that searches several collections.
const AcrossPath = "/search"

// AcrossRequest is a search in several collections at once. Its collection and cursor are ignored.
type AcrossRequest struct {
	SearchRequest
	// Collections are names with commas between them.
	Collections string `json:"collections,omitempty" query:"collections" maxLength:"2000" doc:"all without it"`
}

// Across is an answer of several collections.
type Across struct {
	Took     float64           `json:"took_ms"`
	Request  AcrossRequest     `json:"request" doc:"as it was understood"`
	Filters  []Filter          `json:"filters"`
	Captures int64             `json:"captures" doc:"that fit in all collections"`
	Answers  []AnswerOf        `json:"answers" doc:"those with most captures first"`
	Facets   []Facet           `json:"facets" doc:"of all collections together"`
	Years    Timeline          `json:"years"`
	Failed   map[string]string `json:"failed,omitempty" doc:"collections that cannot answer, and why"`
}

// AnswerOf is the answer of one collection.
type AnswerOf struct {
	Collection string `json:"collection"`
	Captures   int64  `json:"captures"`
	Link       string `json:"link" doc:"the search in this collection"`
	Hits       []Hit  `json:"hits" doc:"the first ones"`
	// Unfilled explain why there may be no hits.
	Unfilled []Unfilled `json:"unfilled,omitempty" doc:"fields of the question that no capture has"`
}

// acrossHits is the number of hits of each collection.
const acrossHits = 5

// acrossFields are the fields that are counted over collections: those with few values.
var acrossFields = []string{"lang", "mime", "page_type", "status"}

// Across answers a search in several collections.
func (v *Views) Across(ctx context.Context, r AcrossRequest) (*Across, error) {
	start := v.o.Now()
	if err := Need(ctx, Viewer); err != nil {
		return nil, err
	}
	r.Collection, r.Cursor, r.Limit = "", "", acrossHits
	names, err := v.asked(ctx, r.Collections)
	if err != nil {
		return nil, err
	}
	// Mistakes are reported once, and not by each collection.
	where, err := r.where()
	if err != nil {
		return nil, err
	}
	a := &Across{Request: r, Answers: []AnswerOf{}, Facets: []Facet{}, Failed: map[string]string{}}
	counts := map[string]map[string]int64{}
	for _, name := range names {
		err := v.askOne(ctx, a, counts, name, where)
		if known := (*Error)(nil); errors.As(err, &known) && known.Kind == NotReady {
			a.Failed[name] = known.Title
		} else if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(a.Answers, func(x, y AnswerOf) int { return int(y.Captures - x.Captures) })
	a.merge(counts)
	a.Took = v.since(start)
	return a, nil
}

// asked returns the names of a list, or those of all collections.
func (v *Views) asked(ctx context.Context, list string) (names []string, err error) {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if v.named(ctx, name) == nil {
			return nil, invalid("collections", name, "There is no collection of this name.")
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		names = v.NamesFor(ctx)
	}
	return names, nil
}

// askOne adds the answer of a collection.
func (v *Views) askOne(
	ctx context.Context, a *Across, counts map[string]map[string]int64, name string, where query.Expr,
) error {
	one := a.Request.SearchRequest
	one.Collection, one.Facets = name, "no"
	found, err := v.Search(ctx, one)
	if err != nil {
		return err
	}
	_, now, release, err := v.open(ctx, name)
	if err != nil {
		return err
	}
	defer release()
	own := map[string]map[string]int64{}
	answer := AnswerOf{Collection: name, Hits: found.Hits[:min(len(found.Hits), acrossHits)], Unfilled: found.Unfilled}
	late, err := within(ctx, v.findTime, func(ctx context.Context) error {
		q := query.Query{Where: where, AllVersions: true}
		if answer.Captures, err = now.DB.Count(ctx, q); err != nil {
			return err
		}
		for _, field := range append([]string{"month"}, acrossFields...) {
			by := field
			if field != "month" {
				by = fieldOf(field).field
			}
			groups, err := now.DB.Facets(ctx, q, []string{by}, 0)
			if err != nil {
				return err
			}
			add(own, field, groups)
		}
		return nil
	})
	if late {
		return &Error{Kind: NotReady, Title: "It takes too long to count"}
	}
	if err != nil {
		return changed(err)
	}
	// Only now, since a collection that fails must not count in part.
	for field, values := range own {
		for value, n := range values {
			addCount(counts, field, value, n)
		}
	}
	one.Facets, one.Limit, one.Fold = "", 0, "none"
	answer.Link = one.link()
	a.Captures += answer.Captures
	a.Answers = append(a.Answers, answer)
	return nil
}

func addCount(counts map[string]map[string]int64, field, value string, n int64) {
	if counts[field] == nil {
		counts[field] = map[string]int64{}
	}
	counts[field][value] += n
}

// add adds the counts of a collection.
func add(counts map[string]map[string]int64, field string, groups []contentdb.Group) {
	for _, g := range groups {
		addCount(counts, field, g.Values[0], g.Count)
	}
}

// merge makes the facets and years of all collections. Their links narrow the search in all of them.
func (a *Across) merge(counts map[string]map[string]int64) {
	r := a.Request
	link := func(one SearchRequest) string {
		to := r
		to.SearchRequest = one
		return to.link()
	}
	for _, param := range acrossFields {
		f := fieldOf(param)
		facet := facetOf(f, largestFirst(counts[param]), topValues, func(value string) string {
			if *f.get(&r.SearchRequest) == value {
				value = ""
			}
			return link(r.with(param, value))
		}, *f.get(&r.SearchRequest))
		for i, v := range facet.Values {
			if len(facet.Values) > 1 && !v.Selected {
				facet.Values[i].Exclude = link(r.without(param, v.Value))
			}
		}
		a.Facets = append(a.Facets, facet)
	}
	a.Years = timelineOf("year", largestFirst(counts["month"]), func(value string) string {
		return link(r.in("year", value))
	})
	a.Years.Brush = braces(link(r.spanned()))
	a.Filters = []Filter{}
	for _, f := range r.filters() {
		one := r.SearchRequest
		if f.Param == "not" {
			one.Not = f.left
		} else {
			one = r.with(f.Param, "")
		}
		f.Link = link(one)
		a.Filters = append(a.Filters, f)
	}
}

// largestFirst returns counts as groups, the largest first.
func largestFirst(counts map[string]int64) (groups []contentdb.Group) {
	values := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(values, func(x, y string) int { return int(counts[y] - counts[x]) })
	for _, value := range values {
		groups = append(groups, contentdb.Group{Values: []string{value}, Count: counts[value]})
	}
	return groups
}

// link is the page of the request.
func (r AcrossRequest) link() string {
	values := Encode(r.SearchRequest)
	for _, name := range []string{"collection", "limit", "cursor"} {
		values.Del(name)
	}
	if r.Collections != "" {
		values.Set("collections", r.Collections)
	}
	if len(values) == 0 {
		return AcrossPath
	}
	return AcrossPath + "?" + values.Encode()
}

// Hidden returns the parameters that the form keeps.
func (a *Across) Hidden() map[string]string {
	kept := a.Request.kept()
	delete(kept, "query")
	delete(kept, "limit")
	if a.Request.Collections != "" {
		kept["collections"] = a.Request.Collections
	}
	return kept
}

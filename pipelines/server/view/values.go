package view

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// ValuesRequest is a request for all values of a field, among the captures that a search finds.
type ValuesRequest struct {
	SearchRequest
	// Field is the parameter of a search whose values are listed.
	Field string `json:"field,omitempty" query:"field" required:"true" enum:"lang,host,domain,mime,page_type,status,source,record_type,flag,author,tag,entity"`
	Find  string `json:"find,omitempty" query:"find" maxLength:"300" doc:"a part of the value or of its name"`
}

// link is the page of the request.
func (r ValuesRequest) link() string {
	values := Encode(r.SearchRequest)
	values.Del("collection") // it is in the path
	values.Set("field", r.Field)
	if r.Find != "" {
		values.Set("find", r.Find)
	}
	return page(r.Collection, "values", nil) + "?" + values.Encode()
}

// valuesLink is the page of all values of a field, without the filter by this field and from the first page on.
func (r SearchRequest) valuesLink(f filterField) string {
	return ValuesRequest{SearchRequest: r.with(f.param, ""), Field: f.param}.link()
}

// Values are the values of a field, the most frequent first. Each leads to the search with this value as a filter.
type Values struct {
	Answer
	Request  ValuesRequest `json:"request" doc:"as it was understood"`
	Title    string        `json:"title" doc:"of the field"`
	Filters  []Filter      `json:"filters"`
	Captures int64         `json:"captures" doc:"that the search finds, once for each of their values: what shares are of"`
	Total    int64         `json:"total" doc:"rows that match find"`
	Named    int64         `json:"named" doc:"of total: without captures that have none or an unknown one"`
	Values   []Value       `json:"values"`
	Next     string        `json:"next_cursor,omitempty"`
	NextLink string        `json:"next_link,omitempty"`
}

// Hidden returns the parameters that a form keeps when another value is looked for.
func (l *Values) Hidden() map[string]string {
	kept := map[string]string{"field": l.Request.Field}
	for name, value := range Encode(l.Request.SearchRequest) {
		if name != "collection" && name != "cursor" {
			kept[name] = value[0]
		}
	}
	return kept
}

// Values lists all values of a field.
func (v *Views) Values(ctx context.Context, r ValuesRequest) (*Values, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection = c.Name()
	i := slices.IndexFunc(filterFields, func(f filterField) bool { return f.param == r.Field && f.field != "" })
	if i < 0 {
		return nil, invalid("field", r.Field, "It takes lang, host, domain, mime, page_type, status, source, "+
			"record_type, flag, author, tag or entity.")
	}
	from, err := offsetOf(r.Cursor)
	if err != nil {
		return nil, err
	}
	where, err := r.where()
	if err != nil {
		return nil, err
	}
	// Captures are counted, whether the search folds or not, as the facets of a search do.
	f, q := filterFields[i], query.Query{Where: where, AllVersions: true}
	groups, err := v.groupsOf(ctx, now, f, q)
	if err != nil {
		return nil, err
	}
	all := facetOf(f, groups, len(groups), func(value string) string { return r.with(f.param, value).link() }, "")
	list := &Values{Answer: answer(c), Title: f.title, Filters: r.filters(), Captures: all.Base, Values: []Value{}}
	limit, find := int64(cmp.Or(r.Limit, 50)), strings.ToLower(r.Find)
	for _, value := range all.Values {
		if !strings.Contains(strings.ToLower(value.Value+"\n"+value.Label), find) {
			continue
		}
		if value.Value != none && (f.param != "lang" || value.Value != "und") {
			list.Named++
		}
		if list.Total++; list.Total > from && list.Total <= from+limit {
			list.Values = append(list.Values, value)
		}
	}
	r.excludeLinks(&Facet{Param: f.param, Values: list.Values})
	if list.Request = r; from+limit < list.Total {
		list.Next = cursorAt(from + limit)
		r.Cursor = list.Next
		list.NextLink = r.link()
	}
	list.Took = v.since(start)
	return list, nil
}

// groupsOf counts captures by the values of a field. For fields that the index lacks, captures are read: all of them
// once for each manifest, those of a search within a limit of time.
func (v *Views) groupsOf(
	ctx context.Context, now *shelf.Snapshot, f filterField, q query.Query,
) (groups []contentdb.Group, err error) {
	if q.Where == nil {
		groups, err = shelf.Once(now, "values of "+f.param, func() ([]contentdb.Group, error) {
			// The answer is for all, so the one who asked first may go.
			return now.DB.Facets(context.WithoutCancel(ctx), q, []string{f.field}, 0)
		})
		return groups, changed(err)
	}
	late, err := within(ctx, v.findTime, func(ctx context.Context) error {
		groups, err = now.DB.Facets(ctx, q, []string{f.field}, 0)
		return err
	})
	if late {
		return nil, &Error{
			Kind: Invalid, Title: "These values take too long to count", Param: "field", Value: f.param,
			Detail: "The index does not have this field, and too many captures match to read them.",
			Remedy: "Narrow the search by a host, a language or a span of time.",
		}
	}
	return groups, changed(err)
}

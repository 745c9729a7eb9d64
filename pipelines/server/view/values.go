package view

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
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

// All returns the list of all values.
func (l *Values) All() string {
	r := l.Request
	r.Find, r.Cursor = "", ""
	return r.link()
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
	f, limit := filterFields[i], int64(cmp.Or(r.Limit, 50))
	some, err := v.valuesOf(ctx, now, f, contentdb.ValuesRequest{
		Query: query.Query{Where: where, AllVersions: true}, By: f.field, Passes: f.finder(r.Find), From: from, Limit: limit,
	})
	if err != nil {
		return nil, err
	}
	open := func(value string) string { return r.with(f.param, value).link() }
	part := facetOf(f, some.Groups, len(some.Groups), open, "")
	list := &Values{
		Answer: answer(c), Title: f.title, Filters: r.filters(), Captures: some.Captures, Values: part.Values,
		Total: some.Total, Named: some.Total,
	}
	list.explain(now, where, f.field)
	if some.None {
		list.Named--
	}
	if f.param == "lang" {
		// "und" and "zxx" name no language.
		unknown, err := v.valuesOf(ctx, now, f, contentdb.ValuesRequest{
			Query: query.Query{Where: where, AllVersions: true}, By: f.field, Passes: func(value string) bool {
				return value != "" && !schemas.IsLanguage(value) && (r.Find == "" || f.finder(r.Find)(value))
			},
		})
		if err != nil {
			return nil, err
		}
		list.Named -= unknown.Total
	}
	r.excludeLinks(&part)
	if list.Request = r; from+limit < list.Total {
		list.Next = cursorAt(from + limit)
		r.Cursor = list.Next
		list.NextLink = r.link()
	}
	list.Took = v.since(start)
	return list, nil
}

// finder returns a test for values that contain a text, in themselves or in their labels; nil for no text.
func (f filterField) finder(text string) func(value string) bool {
	if text == "" {
		return nil
	}
	text = strings.ToLower(text)
	return func(value string) bool {
		label := f.labelOf(value)
		return strings.Contains(strings.ToLower(cmp.Or(value, none)), text) ||
			label != value && strings.Contains(strings.ToLower(label), text)
	}
}

// valuesOf counts captures by the values of a field, within a limit of time. Without an index, and for phrases,
// captures are read.
func (v *Views) valuesOf(
	ctx context.Context, now *shelf.Snapshot, f filterField, r contentdb.ValuesRequest,
) (some contentdb.Values, err error) {
	late, err := within(ctx, v.findTime, func(ctx context.Context) error {
		some, err = now.DB.Values(ctx, r)
		return err
	})
	if late {
		return some, &Error{
			Kind: Invalid, Title: "These values take too long to count", Param: "field", Value: f.param,
			Detail: "The index does not decide this search, and too many captures match to read them.",
			Remedy: "Narrow the search by a host, a language or a span of time.",
		}
	}
	return some, changed(err)
}

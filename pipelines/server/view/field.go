package view

import (
	"github.com/gleaner-web/gleaner/transforms/query"
)

// filterField is a field that searches can be filtered by, and captures counted by.
type filterField struct {
	// These define how a value is shown, and where a request keeps it. One row serves filters, facets and links.
	param, field, title string
	label               func(value string) string
	without             string // label of captures that have no value
	get                 func(*SearchRequest) *string
}

// Most values are shown as they are in documents.
func same(v string) string { return v }

// filterFields are the fields, in the order in which facets are shown.
var filterFields = []filterField{
	{"lang", "language", "Language", Tongue, "no language", func(r *SearchRequest) *string { return &r.Lang }},
	{"host", "host", "Host", same, "no host", func(r *SearchRequest) *string { return &r.Host }},
	{"mime", "mime_detected", "Media type", same, "unknown", func(r *SearchRequest) *string { return &r.MIME }},
	{"page_type", "page_type", "Page type", same, "not a page", func(r *SearchRequest) *string { return &r.PageType }},
	{"status", "status", "HTTP status", statusLabel, "none recorded", func(r *SearchRequest) *string { return &r.Status }},
	{"source", "source_id", "Source", same, "no source", func(r *SearchRequest) *string { return &r.Source }},
	{"record_type", "record_type", "Record type", same, "none", func(r *SearchRequest) *string { return &r.RecordType }},
	{"flag", "flags", "Flag", same, "no flag", func(r *SearchRequest) *string { return &r.Flag }},
	{"domain", "domain", "Domain", same, "no domain", func(r *SearchRequest) *string { return &r.Domain }},
	{"author", "authors", "Author", same, "no author", func(r *SearchRequest) *string { return &r.Author }},
	{"tag", "tags", "Tag", same, "no tag", func(r *SearchRequest) *string { return &r.Tag }},
	{"entity", "entities.text", "Entity", same, "nothing", func(r *SearchRequest) *string { return &r.Entity }},
	// Times have no field of their own: a value is a span of the timestamp, see timeIs.
	{"year", "", "Year", same, "no date", func(r *SearchRequest) *string { return &r.Year }},
	{"month", "", "Month", same, "no date", func(r *SearchRequest) *string { return &r.Month }},
	{"day", "", "Day", same, "no date", func(r *SearchRequest) *string { return &r.Day }},
	{"from", "", "From", same, "no date", func(r *SearchRequest) *string { return &r.From }},
	{"to", "", "To", same, "no date", func(r *SearchRequest) *string { return &r.To }},
}

// counted are the fields that have facets; the index counts by them.
var counted = []string{"lang", "host", "mime", "page_type", "status", "source"}

// countedFields returns the fields of documents that they are.
func countedFields() (list []string) {
	for _, param := range counted {
		list = append(list, fieldOf(param).field)
	}
	return list
}

// listed are further fields whose values are on pages of their own.
var listed = []string{"domain", "author", "tag", "entity", "flag", "record_type"}

func fieldOf(param string) filterField {
	for _, f := range filterFields {
		if f.param == param {
			return f
		}
	}
	// Names are constants of this package, so a wrong one is a programming mistake.
	panic("view: no field " + param)
}

// labelOf formats a value for people.
func (f filterField) labelOf(value string) string {
	if value == none || value == "" {
		return f.without
	}
	return f.label(value)
}

// test returns the filter for a value of the parameter.
func (f filterField) test(value string) (query.Expr, error) {
	switch {
	case f.param == "from":
		return timeTo(query.GreaterEqual, f.param, value)
	case f.param == "to":
		return timeTo(query.LessEqual, f.param, value)
	case f.field == "":
		return timeIs(f.param, value)
	}
	// The value is missing: the document does not have the field.
	if value == none {
		return query.Parse("NOT " + f.field + ":*")
	}
	e, err := query.NewCompare(f.field, query.Equal, value)
	if err != nil {
		return nil, invalid(f.param, value, err.Error())
	}
	return e, nil
}

// timeIs returns the filter for captures from a year, a month or a day, or without a known time. A year is a span: at
// least its beginning, and at most its end. param is for error messages.
func timeIs(param, value string) (query.Expr, error) {
	if value == none {
		return query.Parse("NOT timestamp:*")
	}
	from, err := timeTo(query.GreaterEqual, param, value)
	if err != nil {
		return nil, err
	}
	to, err := timeTo(query.LessEqual, param, value)
	if err != nil {
		return nil, err
	}
	return &query.And{List: []query.Expr{from, to}}, nil
}

// timeTo compares the time with a value of a parameter. In the query language, a date without a time means the whole
// day, month or year. So LessEqual includes the end of the year.
func timeTo(op query.Op, param, value string) (query.Expr, error) {
	e, err := query.NewCompare("timestamp", op, value)
	if err != nil {
		return nil, invalid(param, value, err.Error())
	}
	return e, nil
}

package view

import (
	"cmp"
	"context"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/collection/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

const (
	standardHits = 20
	topValues    = 7 // of a facet beside results
)

// Search answers a search.
func (v *Views) Search(ctx context.Context, r SearchRequest) (*Search, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection = c.Name()
	q, err := r.question()
	if err != nil {
		return nil, err
	}
	s := &Search{Answer: answer(c), Request: r, Filters: r.filters(), Facets: []Facet{}, Hits: []Hit{}}
	if err := s.hits(ctx, now, q); err != nil {
		return nil, changed(err)
	}
	if r.Facets != "no" {
		if err := s.count(ctx, now, q); err != nil {
			return nil, changed(err)
		}
	}
	s.choices(q)
	s.Elsewhere = r.elsewhere(q)
	s.Took = v.since(start)
	return s, nil
}

// question is what a request asks a collection.
func (r *SearchRequest) question() (q query.Query, err error) {
	if q.Where, err = r.where(); err != nil {
		return q, err
	}
	if q.Order, err = r.order(q.Where); err != nil {
		return q, err
	}
	q.AllVersions = r.Fold == "none"
	q.Limit = cmp.Or(r.Limit, standardHits)
	if q.After, err = parseCursor(r.Cursor); err != nil {
		return q, err
	}
	return q, nil
}

// with is the request with another value of a parameter, from the first page on.
func (r SearchRequest) with(param, value string) SearchRequest {
	*fieldOf(param).get(&r) = value
	r.Cursor = ""
	return r
}

// link is the page of a request.
func (r SearchRequest) link() string { return page(r.Collection, "search", r) }

// filters are the parameters in force.
func (r SearchRequest) filters() []Filter {
	list := []Filter{}
	for _, f := range filterFields {
		if value := *f.get(&r); value != "" {
			list = append(list, Filter{
				Param: f.param, Title: f.title, Value: value, Label: f.labelOf(value), Link: r.with(f.param, "").link(),
			})
		}
	}
	return list
}

// hitColumns are those that a hit needs.
var hitColumns = append([]string{"description", "quality"}, captureColumns...)

// The lengths of snippets, in letters. Signs of Chinese, Japanese and Korean say as much as several letters.
const (
	letters = 220
	signs   = letters / 2
)

// hits finds the captures of the page.
func (s *Search) hits(ctx context.Context, now *shelf.Snapshot, q query.Query) error {
	a, err := now.DB.Ask(ctx, contentdb.Request{Query: q, Columns: hitColumns, Excerpt: letters})
	if err != nil {
		return err
	}
	for _, row := range a.Rows {
		s.Hits = append(s.Hits, s.hit(row))
	}
	if a.Next != nil {
		s.Next = encodeCursor(*a.Next)
		next := s.Request
		next.Cursor = s.Next
		s.NextLink = next.link()
	}
	return nil
}

// hit is what the answer says of a capture.
func (s *Search) hit(row contentdb.Row) Hit {
	h := Hit{Capture: captureOf(s.Collection, row.Document), TitlePieces: pieces(row.Title, letters)}
	if row.Quality != nil {
		h.Words = row.Quality.Words
	}
	most := letters
	if paired(row.Language) {
		most = signs
	}
	if h.Snippet = pieces(row.Excerpt, most); len(h.Snippet) == 0 && row.Description != "" {
		h.Snippet = []Piece{{Text: clip(row.Description, letters)}}
	}
	return h
}

// paired tells whether a language is written in signs of which each says as much as several letters.
func paired(code string) bool { return code == "zh" || code == "ja" || code == "ko" || code == "yue" }

// pieces divides an excerpt, or the first letters of it, at what was searched for.
func pieces(e query.Excerpt, most int) (list []Piece) {
	add := func(text string, hit bool) {
		if text = clip(text, most); text != "" {
			most -= utf8.RuneCountInString(text)
			list = append(list, Piece{text, hit})
		}
	}
	at := 0
	if e.Before {
		list = append(list, Piece{Text: "… "})
	}
	for _, m := range e.Marks {
		add(e.Text[at:m.From], false)
		add(e.Text[m.From:m.To], true)
		at = m.To
	}
	add(e.Text[at:], false)
	if e.After && len(list) > 0 {
		list = append(list, Piece{Text: " …"})
	}
	return list
}

// clip is the first letters of a text.
func clip(text string, most int) string {
	n := 0
	for i := range text {
		if n++; n > most {
			return text[:i]
		}
	}
	return text
}

// countedTop is how many values of a field are counted beside results: more are said to be more, and how many captures
// they have is known all the same.
const countedTop = 1000

// count counts all that fits, and by the values of fields.
func (s *Search) count(ctx context.Context, now *shelf.Snapshot, q query.Query) (err error) {
	r := contentdb.Request{
		Query: query.Query{Where: q.Where, AllVersions: true, Limit: 1}, Columns: []string{}, Count: true, Top: countedTop,
	}
	for _, param := range counted {
		r.Facets = append(r.Facets, fieldOf(param).field)
	}
	unit := s.Request.unit()
	r.Facets = append(r.Facets, dated(unit))
	a, err := now.DB.Ask(ctx, r)
	if err != nil {
		return err
	}
	s.Captures, s.Counted = a.Count, true
	if s.Addresses, err = now.DB.Count(ctx, query.Query{Where: q.Where}); err != nil {
		return err
	}
	s.Total = s.Addresses
	if q.AllVersions {
		s.Total = s.Captures
	}
	for _, param := range counted {
		f := fieldOf(param)
		facet := facetOf(f, a.Facets[f.field], topValues, s.toggle(f), *f.get(&s.Request))
		facet.complete(a.Count)
		s.Facets = append(s.Facets, facet)
	}
	s.Years = timelineOf(unit, a.Facets[dated(unit)], s.toggle(fieldOf(unit)))
	return nil
}

// unit is the unit of the time line: within a year its months, within a month its days.
func (r *SearchRequest) unit() string {
	switch {
	case r.Month != "" || r.Day != "":
		return "day"
	case r.Year != "" && r.Year != none:
		return "month"
	}
	return "year"
}

// toggle gives the link that adds a value of a field to the search, or takes it away where it is in force.
func (s *Search) toggle(f filterField) func(value string) string {
	return func(value string) string {
		if *f.get(&s.Request) == value {
			value = ""
		}
		return s.Request.with(f.param, value).link()
	}
}

// choices are the orders and the ways to fold.
func (s *Search) choices(q query.Query) {
	for _, o := range []struct{ value, label string }{
		{"relevance", "Best match"},
		{"newest", "Newest"},
		{"oldest", "Oldest"},
		{"surt", "Address"},
	} {
		if o.value == "relevance" && !searches(q.Where) {
			continue // nothing tells how well a capture fits
		}
		r := s.Request
		r.Order, r.Cursor = o.value, ""
		s.Orders = append(s.Orders, Choice{o.value, o.label, r.link(), q.Order.String() == o.value})
	}
	for _, f := range []struct{ value, label string }{
		{"address", "Newest of each page"},
		{"none", "Every capture"},
	} {
		r := s.Request
		r.Fold, r.Cursor = f.value, ""
		s.Folds = append(s.Folds, Choice{f.value, f.label, r.link(), q.AllVersions == (f.value == "none")})
	}
}

// elsewhere is the same search as a link, a command and a call of the API.
func (r SearchRequest) elsewhere(q query.Query) Elsewhere {
	command := "query" + flagText("collection", r.Collection)
	if q.Where != nil {
		command += flagText("where", q.Where.String())
	}
	if q.Order != query.Newest {
		command += flagText("order", q.Order.String())
	}
	if q.AllVersions {
		command += " --all_versions"
	}
	r.Cursor, r.Facets = "", ""
	e := Elsewhere{Link: r.link(), Command: command, API: api("search", r)}
	for _, d := range exportForms {
		e.Downloads = append(e.Downloads, Download{d.format, d.label, r.export(d.format)})
	}
	return e
}

// exportForms are the forms in which answers are fetched.
var exportForms = []struct{ format, label string }{
	{"jsonl", "JSON lines"},
	{"csv", "CSV"},
	{"parquet", "Parquet"},
	{"warc", "WARC"},
	{"wet", "WET"},
}

// export is the path of the answer in a form.
func (r SearchRequest) export(format string) string {
	r.Limit, r.Cursor, r.Facets = 0, "", ""
	values := Encode(r)
	values.Set("format", format)
	return "/api/v1/export?" + values.Encode()
}

package view

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

const (
	// This many fit on a browser's page without much scrolling.
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
	// It is set even if the request left it out, so that links contain it.
	r.Collection = c.Name()
	kept, err := answersOf(now)
	if err != nil {
		return nil, err
	}
	// The answer is the kept one, but with the time of this request.
	known := func() *Search {
		s := kept.get(r)
		if s != nil {
			again := *s
			s = &again
			s.renew(c, v.since(start))
		}
		return s
	}
	if s := known(); s != nil {
		return s, nil
	}
	ranking := r.words()
	q, err := ranking.question()
	if err != nil {
		return nil, err
	}
	leave, err := v.turns.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	// Meanwhile, the same request of others may have been answered.
	if s := known(); s != nil {
		return s, nil
	}
	// Without the index, matches cannot be ranked by words.
	if q.Order == query.Relevance && !r.ranked() && !c.State().Ready {
		q.Order = query.Newest
	}
	s := &Search{Answer: answer(c), Request: r, Filters: r.filters(), Facets: []Facet{}, Hits: []Hit{}}
	if q, err = v.read(ctx, now, s, q); err != nil {
		return nil, changed(err)
	}
	if len(s.Hits) == 0 {
		s.explain(now, q.Where)
	}
	s.lead(q, c.Path())
	s.Took = v.since(start)
	// Counts that were left out because of the time limit may be possible next time.
	if s.Note == "" {
		kept.keep(s)
	}
	return s, nil
}

// lead sets the links to other views, and the same search elsewhere.
func (s *Search) lead(q query.Query, folder string) {
	r := s.Request
	s.choices(q)
	s.Trends, s.Graph, s.Take = r.trends(), r.words().graph(), r.words().take()
	for _, param := range listed {
		f := fieldOf(param)
		s.More = append(s.More, Choice{Value: param, Label: f.title, Link: r.valuesLink(f)})
	}
	s.Elsewhere = r.elsewhere(q, folder)
}

// ask finds the captures of the page, and counts all matches. Programs that read all pages leave out the counting,
// which takes longer.
func (v *Views) ask(ctx context.Context, now *shelf.Snapshot, s *Search, q query.Query) error {
	if s.Request.Facets == "no" {
		return s.hits(ctx, now, q)
	}
	var counting sync.WaitGroup
	var failed error
	select {
	case v.beside <- struct{}{}:
		// The two goroutines use different fields of s.
		counting.Go(func() {
			defer func() { <-v.beside }()
			failed = s.count(ctx, now, q)
		})
	default:
		// Results of the count are used for the list too.
		failed = s.count(ctx, now, q)
	}
	err := s.hits(ctx, now, q)
	counting.Wait()
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	if !q.AllVersions {
		s.Addresses = s.Total
	}
	if s.First > 0 {
		// It is never below 0: a run may have ended between the two pages.
		s.Left = max(0, s.Total-s.First+1-int64(len(s.Hits)))
	}
	if s.Request.ranked() && s.Next == "" {
		s.Left = 0 // the list may end before all that fit
	}
	return s.instead(ctx, now)
}

// question returns the query of a request.
func (r *SearchRequest) question() (q query.Query, err error) {
	if q.Where, err = r.where(); err != nil {
		// Mistakes of the user are reported before anything is read.
		return q, err
	}
	if q.Order, err = r.order(q.Where); err != nil {
		return q, err
	}
	// The list has one entry for each address, unless all captures are requested.
	q.AllVersions = r.Fold == "none"
	q.Limit = cmp.Or(r.Limit, standardHits)
	if q.After, _, err = parseCursor(r.Cursor); err != nil {
		return q, err
	}
	return q, nil
}

// with returns the request with another value of a parameter, beginning with the first page.
func (r SearchRequest) with(param, value string) SearchRequest {
	// r is a copy, so the original request is not changed.
	*fieldOf(param).get(&r) = value
	// A cursor belongs to one list, and would be wrong with another filter.
	r.Cursor = ""
	return r
}

// link returns the page of a request.
func (r SearchRequest) link() string { return page(r.Collection, "search", r) }

// filters returns the active filters.
func (r SearchRequest) filters() []Filter {
	list := []Filter{}
	// They are in the order of the facets.
	for _, f := range filterFields {
		if value := *f.get(&r); value != "" {
			list = append(list, Filter{
				Param: f.param, Title: f.title, Value: value, Label: f.labelOf(value), Link: r.with(f.param, "").link(),
			})
		}
	}
	return append(list, r.excludes()...)
}

// hitColumns are the columns that a hit needs.
var hitColumns = append([]string{"quality.words"}, captureColumns...)

// These are the lengths of snippets, in characters. A Chinese, Japanese or Korean character counts as several letters.
const (
	letters = 220
	signs   = letters / 2
)

// hits finds the captures of the page.
func (s *Search) hits(ctx context.Context, now *shelf.Snapshot, q query.Query) error {
	if s.Request.ranked() {
		return s.about(ctx, now, q)
	}
	// The database cuts the excerpts, as it knows the words of the search.
	total := s.Request.Facets != "no"
	a, err := now.DB.Ask(ctx, contentdb.Request{Query: q, Columns: hitColumns, Excerpt: letters, Count: total})
	if err != nil {
		return err
	}
	if total {
		s.Total = a.Count
	}
	for _, row := range a.Rows {
		s.Hits = append(s.Hits, s.hit(row))
	}
	// If the cursor does not contain how many entries come before it, the position in the list is unknown.
	_, seen, err := parseCursor(s.Request.Cursor)
	if err != nil {
		return err
	}
	if len(s.Hits) > 0 && (s.Request.Cursor == "" || seen > 0) {
		s.First = seen + 1
		seen += int64(len(s.Hits))
	}
	if a.Next != nil {
		s.Next = encodeCursor(*a.Next, seen)
		// The rest of the request stays, so that the next page belongs to the same list.
		next := s.Request
		next.Cursor = s.Next
		s.NextLink = next.link()
	}
	return nil
}

// hit makes the entry of a capture.
func (s *Search) hit(row contentdb.Row) Hit {
	h := Hit{Capture: captureOf(s.Collection, row.Document), TitlePieces: pieces(row.Title, letters)}
	if row.Quality != nil {
		h.Words = row.Quality.Words
	}
	// An excerpt has some more characters, so that it ends with a word. A line of Chinese characters holds as much
	// text as two lines of letters.
	most := 2 * letters
	if paired(row.Language) {
		most = signs
	}
	h.Snippet = pieces(row.Excerpt, most)
	return h
}

// paired reports whether a language's characters stand for several letters each.
func paired(code string) bool { return code == "zh" || code == "ja" || code == "ko" || code == "yue" }

// pieces divides an excerpt, or its beginning, at the matches. The parameter most is the remaining number of
// characters for all pieces, so the whole excerpt is limited. An ellipsis marks a cut.
func pieces(e query.Excerpt, most int) (list []Piece) {
	cut := e.After
	add := func(text string, hit bool) {
		// Pieces are cut between characters, never within one.
		short := clip(text, most)
		cut = cut || len(short) < len(text)
		if short != "" {
			most -= utf8.RuneCountInString(short)
			list = append(list, Piece{shown(short), hit})
		}
	}
	at := 0
	if e.Before {
		list = append(list, Piece{Text: "… "})
	}
	// Marks are in order and do not overlap.
	for _, m := range e.Marks {
		add(e.Text[at:m.From], false)
		add(e.Text[m.From:m.To], true)
		at = m.To
	}
	add(e.Text[at:], false)
	if cut && len(list) > 0 {
		list = append(list, Piece{Text: " …"})
	}
	return list
}

// clip returns the first characters of a text.
func clip(text string, most int) string {
	n := 0
	// Ranging over a text visits its characters.
	for i := range text {
		if n++; n > most {
			return text[:i]
		}
	}
	return text
}

// countedTop is how many values of a field are counted beside results. Further values are only mentioned, with the
// number of their captures. A search for one frequent word may match a million hosts; the answer lists seven.
const countedTop = 1000

// count counts all matches, and counts by the values of fields.
func (s *Search) count(ctx context.Context, now *shelf.Snapshot, q query.Query) (err error) {
	r := contentdb.Request{
		// Facets count captures, whether the list is folded or not, so that figures do not change with the view.
		Query: query.Query{Where: q.Where, AllVersions: true, Limit: 1}, Columns: []string{}, Count: true, Top: countedTop,
	}
	r.Facets = countedFields()
	// A narrower time span has a smaller unit.
	unit := s.Request.unit()
	r.Facets = append(r.Facets, dated(unit))
	a, err := now.DB.Ask(ctx, r)
	if err != nil {
		return err
	}
	s.Captures, s.Counted = a.Count, true
	// The list counts its own entries. This counts the others: addresses or captures.
	if q.AllVersions {
		if s.Addresses, err = now.DB.Count(ctx, query.Query{Where: q.Where}); err != nil {
			return err
		}
	}
	for _, param := range counted {
		f := fieldOf(param)
		facet := facetOf(f, a.Facets[f.field], topValues, s.toggle(f), *f.get(&s.Request))
		// The rest is known from the total.
		facet.complete(a.Count)
		facet.MoreLink = s.Request.valuesLink(f)
		s.Request.excludeLinks(&facet)
		// If no capture has a source, the facet would filter nothing. Only documents have sources that ingest was
		// given.
		if param == "source" && len(facet.Values) == 1 && facet.Values[0].Value == none && !facet.Values[0].Selected {
			facet.Values = []Value{}
		}
		s.Facets = append(s.Facets, facet)
	}
	s.Years = timelineOf(unit, a.Facets[dated(unit)], func(value string) string {
		// The span in force leads nowhere: its figure is the one of this page.
		if *fieldOf(unit).get(&s.Request) == value {
			return ""
		}
		return s.Request.with(unit, value).link()
	})
	s.Years.Brush = s.Request.brushOf()
	return nil
}

// instead counts the matches without each of the filters, if all filters together match nothing.
func (s *Search) instead(ctx context.Context, now *shelf.Snapshot) error {
	if s.Captures > 0 {
		return nil
	}
	if err := s.spelled(ctx, now); err != nil {
		return err
	}
	for _, f := range s.Filters {
		if f.Param == "not" {
			continue // its own link is offered
		}
		r := s.Request.with(f.Param, "").words()
		where, err := r.where()
		if err != nil {
			return err
		}
		n, err := now.DB.Count(ctx, query.Query{Where: where, AllVersions: true})
		if err != nil {
			return err
		}
		// Links that also find nothing would not help.
		if n > 0 {
			// Captures are counted, so captures are listed.
			r.Fold = "none"
			s.Instead = append(s.Instead, Value{
				Value: f.Param, Label: "without " + f.Title + ": " + f.Label, Count: n, Link: r.link(),
			})
		}
	}
	return nil
}

// spelled adds the search with values in the capital letters that captures have.
func (s *Search) spelled(ctx context.Context, now *shelf.Snapshot) error {
	own, err := query.Parse(s.Request.Query)
	if err != nil {
		return nil //nolint:nilerr // the request was parsed before
	}
	r := s.Request.words()
	where, err := r.where()
	if err != nil {
		return err
	}
	list, err := now.DB.Spellings(ctx, where)
	if err != nil {
		return err
	}
	tests := query.Conjuncts(own)
	for _, o := range list {
		i := slices.IndexFunc(tests, func(e query.Expr) bool { return e.String() == o.Was.String() })
		if i < 0 {
			continue // of a parameter, which the page offers values of
		}
		again := slices.Clone(tests)
		again[i] = o.Is
		r.Query, r.Fold = (&query.And{List: again}).String(), "none"
		s.Instead = append(s.Instead, Value{
			Value: "query", Label: "with " + o.Is.String() + " instead of " + o.Was.String(), Count: o.Count, Link: r.link(),
		})
	}
	return nil
}

// unit returns the unit of the timeline: months within a year, days within a month.
func (r *SearchRequest) unit() string {
	switch {
	case r.Month != "" || r.Day != "":
		return "day"
	case r.Year != "" && r.Year != none:
		return "month"
	}
	return "year"
}

// toggle returns links that add a value of a field to the search, or remove the active value.
func (s *Search) toggle(f filterField) func(value string) string {
	return func(value string) string {
		// The same link removes an active value.
		if *f.get(&s.Request) == value {
			value = ""
		}
		return s.Request.with(f.param, value).link()
	}
}

// choices adds the orders, and the ways to fold.
func (s *Search) choices(q query.Query) {
	s.Ways = s.Request.ways(q)
	for _, o := range []struct{ value, label string }{
		{"relevance", "Best match"},
		{"newest", "Newest"},
		{"oldest", "Oldest"},
		{"surt", "URL"},
		{"length", "Longest"},
	} {
		if s.Request.ranked() || o.value == "relevance" && !searches(q.Where) {
			continue // matches cannot be ranked, or only by meaning
		}
		// Each order has its own cursors.
		r := s.Request
		r.Order, r.Cursor = o.value, ""
		s.Orders = append(s.Orders, Choice{o.value, o.label, r.link(), q.Order.String() == o.value})
	}
	for _, f := range []struct{ value, label string }{
		{"address", "Latest version only"},
		{"none", "All captures"},
	} {
		r := s.Request
		r.Fold, r.Cursor = f.value, ""
		s.Folds = append(s.Folds, Choice{f.value, f.label, r.link(), q.AllVersions == (f.value == "none")})
	}
}

// elsewhere returns the same search as a link, a command and an API call. The command names the folder as the server
// was told to, so that it works where the server was started.
func (r SearchRequest) elsewhere(q query.Query, folder string) Elsewhere {
	command := "query" + flagText("collection", folder) + r.whereFlags()
	// The default is left out: a short command is easier to read.
	if q.Order != query.Newest {
		command += flagText("order", q.Order.String())
	}
	if q.AllVersions {
		command += " --all_versions"
	}
	if r.About != "" {
		command += flagText("about", r.About)
	}
	if r.Like != "" {
		command += flagText("like", r.Like)
	}
	// This is the same search from its beginning.
	r.Cursor, r.Facets = "", ""
	e := Elsewhere{Link: r.link(), Command: command, API: api("search", r)}
	if r.ranked() {
		return e // files have all captures of a filter, which this list has not
	}
	for _, d := range exportForms {
		// Downloads contain the whole list.
		e.Downloads = append(e.Downloads, Download{d.format, d.label, r.export(d.format)})
	}
	return e
}

// whereFlags returns the sample and the filter as flags of the command. The sample cannot be written in the filter.
func (r SearchRequest) whereFlags() (flags string) {
	if r.Sample != "" {
		flags = flagText("sample", r.Sample)
	}
	// The filter was parsed before, so it causes no error.
	all := r.words()
	all.Sample = ""
	if where, err := all.where(); err == nil && where != nil {
		flags += flagText("where", where.String())
	}
	return flags
}

// exportForms are the formats that answers can be downloaded in.
var exportForms = []struct{ format, label string }{
	{"jsonl", "JSON lines"},
	{"csv", "CSV"},
	{"csv-bom", "CSV for spreadsheets"},
	{"parquet", "Parquet"},
	{"warc", "WARC"},
	{"wet", "WET"},
}

// export returns the path of the answer in a format.
func (r SearchRequest) export(format string) string {
	// A file has all matches, not one page of them.
	r.Limit, r.Cursor, r.Facets = 0, "", ""
	values := Encode(r)
	values.Set("format", format)
	return "/api/v1/export?" + values.Encode()
}

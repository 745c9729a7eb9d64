package view

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// fieldLines is the number of values of a field that are compared.
const fieldLines = 5

// trendFields are the fields whose values are compared; the index counts by them.
var trendFields = slices.Concat(counted, listed)

// series is a line of trends: a filter, and the search that finds its captures.
type series struct {
	query.Series
	link func(param, value string) string
}

// Trends counts captures over time.
func (v *Views) Trends(ctx context.Context, r TrendsRequest) (*Trends, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection, r.Cursor, r.Limit = c.Name(), "", 0
	words := r.words()
	where, err := words.where()
	if err != nil {
		return nil, err
	}
	if _, err := r.bound(); err != nil {
		return nil, err
	}
	leave, err := v.turns.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	t := &Trends{
		Answer: answer(c), Request: r, Filters: r.filters(), Periods: []Bar{}, Lines: []TrendLine{},
	}
	late, err := within(ctx, v.findTime, func(ctx context.Context) error { return t.count(ctx, now, where) })
	if late {
		return nil, &Error{
			Kind: Invalid, Title: "These trends take too long", Param: "terms", Value: r.Terms,
			Detail: "A phrase or a field that the index lacks is looked for in the captures, and there are too many.",
			Remedy: "Leave out the quotation marks, or narrow the search by a host, a language or a span of time.",
		}
	}
	if err != nil {
		return nil, changed(r.aboutError(err))
	}
	t.explain(now, where)
	t.choices(c.Path())
	t.Took = v.since(start)
	return t, nil
}

// count counts the periods and lines.
func (t *Trends) count(ctx context.Context, now *shelf.Snapshot, where query.Expr) error {
	lines, err := t.series(ctx, now, where)
	if err != nil {
		return err
	}
	if t.Unit = t.Request.Unit; t.Unit == "" {
		if t.Unit, err = fittingUnit(ctx, now, where); err != nil {
			return err
		}
	}
	list := make([]query.Series, len(lines))
	for i, s := range lines {
		list[i] = s.Series
		t.explain(now, s.Where)
	}
	if t.Request.ranked() {
		return t.countNear(ctx, now, where, list)
	}
	counts, err := now.DB.Trends(ctx, query.Query{Where: where}, list, t.Unit)
	if err != nil {
		return err
	}
	place := t.periods(counts, true)
	for i, s := range lines {
		t.Lines = append(t.Lines, t.line(s, counts.Lines[i], place))
	}
	return nil
}

// periods adds the periods, and returns their numbers in counts.
func (t *Trends) periods(counts *contentdb.Trends, links bool) map[string]int {
	groups := make([]contentdb.Group, len(counts.Periods))
	place := map[string]int{}
	for i, period := range counts.Periods {
		groups[i], place[period] = contentdb.Group{Values: []string{period}, Count: counts.All[i]}, i
		t.Captures += counts.All[i]
	}
	all := t.Request.SearchRequest
	all.Fold, all.Order = "none", ""
	time := timelineOf(t.Unit, groups, func(value string) string {
		if !links {
			return ""
		}
		return all.in(t.Unit, value).link()
	})
	t.Periods, t.Undated, t.Cut = time.Bars, time.Undated, time.Cut
	return place
}

// line makes a line; place has the number of each period in counts.
func (t *Trends) line(s series, counts []int64, place map[string]int) TrendLine {
	l := TrendLine{Label: s.Name, Counts: []int64{}, Link: s.link("", "")}
	if s.Where != nil {
		l.Query = s.Where.String()
	}
	for _, n := range counts {
		l.Total += n
	}
	for _, p := range t.Periods {
		n, link := int64(0), ""
		if i, is := place[p.Label]; is {
			n = counts[i]
		}
		if n > 0 && !t.Request.ranked() {
			link = s.link(t.Unit, p.Label)
		}
		l.Counts, l.Links = append(l.Counts, n), append(l.Links, link)
	}
	return l
}

// in returns the search in a period. The parameter of a larger unit is left out, since the period is within it.
func (r SearchRequest) in(unit, value string) SearchRequest {
	if value != none {
		r.Year, r.Month, r.Day = "", "", ""
	}
	return r.with(unit, value)
}

// series returns the lines: the terms, or the most frequent values of the field.
func (t *Trends) series(ctx context.Context, now *shelf.Snapshot, where query.Expr) (lines []series, err error) {
	r := t.Request
	if r.Field == "" || r.Terms != "" {
		return t.terms()
	}
	f := fieldOf(r.Field)
	t.explain(now, nil, f.field)
	groups, err := now.DB.Facets(ctx, query.Query{Where: where, AllVersions: true}, []string{f.field}, fieldLines)
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		value := cmp.Or(g.Values[0], none)
		e, err := f.test(escapeStar(value))
		if err != nil {
			return nil, err
		}
		one := r.SearchRequest.with(f.param, value)
		lines = append(lines, series{query.Series{Name: f.labelOf(value), Where: e}, one.finder()})
	}
	return lines, nil
}

// terms returns the lines of the terms.
func (t *Trends) terms() (lines []series, err error) {
	r := t.Request
	list, err := query.ParseSeries(r.Terms)
	if err != nil {
		return nil, asInvalid("terms", r.Terms, err)
	}
	for _, s := range list {
		one := r.SearchRequest
		if one.Query = s.Name; r.Query != "" {
			// Each in parentheses, since a query may have an OR.
			one.Query = "(" + r.Query + ") (" + s.Name + ")"
		}
		lines = append(lines, series{s, one.finder()})
	}
	return lines, nil
}

// finder returns the links of searches for all captures of a line, or those of a period.
func (r SearchRequest) finder() func(unit, value string) string {
	r.Fold, r.Order = "none", ""
	return func(unit, value string) string {
		if unit == "" {
			return r.link()
		}
		return r.in(unit, value).link()
	}
}

// fittingUnit returns days for up to three months, months for up to four years, or years.
func fittingUnit(ctx context.Context, now *shelf.Snapshot, where query.Expr) (string, error) {
	groups, err := now.DB.Facets(ctx, query.Query{Where: where, AllVersions: true}, []string{"month"}, 0)
	if err != nil {
		return "", err
	}
	months := timelineOf("month", groups, func(string) string { return "" })
	switch n := len(months.Bars); {
	case n <= 3:
		return "day", nil
	case n <= 48:
		return "month", nil
	}
	return "year", nil
}

// values returns the parameters of the request without the collection.
func (r TrendsRequest) values() url.Values {
	values := Encode(r.SearchRequest)
	values.Del("collection")
	for name, value := range map[string]string{
		"terms": r.Terms, "field": r.Field, "unit": r.Unit, "shown": r.Shown, "near": r.Near,
	} {
		if value != "" {
			values.Set(name, value)
		}
	}
	return values
}

// link is the page of the request.
func (r TrendsRequest) link() string {
	path := page(r.Collection, "trends", nil)
	if values := r.values(); len(values) > 0 {
		path += "?" + values.Encode()
	}
	return path
}

// choices adds the units, the fields, and the same counts elsewhere.
func (t *Trends) choices(folder string) {
	for _, unit := range []string{"year", "month", "day"} {
		r := t.Request
		r.Unit = unit
		t.Units = append(t.Units, Choice{unit, strings.ToUpper(unit[:1]) + unit[1:], r.link(), t.Unit == unit})
	}
	for _, param := range trendFields {
		r := t.Request
		r.Field, r.Terms = param, ""
		selected := t.Request.Field == param && t.Request.Terms == ""
		t.Fields = append(t.Fields, Choice{param, fieldOf(param).title, r.link(), selected})
	}
	r := t.Request
	r.SearchRequest = r.spanned()
	t.Brush = braces(r.link())
	t.Command = "query" + flagText("collection", folder) + t.Request.SearchRequest.whereFlags()
	if names := t.names(); len(names) > 0 {
		t.Command += flagText("trends", strings.Join(names, ", "))
	}
	t.Command += " --by=" + t.Unit + t.Request.aboutFlags()
	values := t.Request.values()
	values.Set("collection", t.Collection)
	t.API = "/api/v1/trends?" + values.Encode()
}

// names returns the filters of the lines, as the command takes them.
func (t *Trends) names() (names []string) {
	for _, l := range t.Lines {
		if l.Near {
			continue
		}
		name := l.Query
		if t.Request.Terms != "" {
			name = l.Label
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// brushOf returns the search in a span of time, in which a script replaces {from} and {to}.
func (r SearchRequest) brushOf() string { return braces(r.spanned().link()) }

// spanned returns the search with braces instead of times.
func (r SearchRequest) spanned() SearchRequest {
	r.Year, r.Month, r.Day, r.From, r.To, r.Cursor = "", "", "", "{from}", "{to}", ""
	return r
}

// braces takes the escapes off braces, which the script looks for.
func braces(link string) string { return strings.NewReplacer("%7B", "{", "%7D", "}").Replace(link) }

// trends is the page of a search over time: its words, or what it is about, are the first line, and its filters stay.
func (r SearchRequest) trends() string {
	t := TrendsRequest{SearchRequest: r}
	if !r.ranked() {
		t.Query, t.Terms, t.Fold = "", query.OneSeries(r.Query), ""
	}
	t.Order, t.Facets, t.Limit, t.Cursor = "", "", 0, ""
	return t.link()
}

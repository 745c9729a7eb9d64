package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/source/sourceindex"
	"github.com/gleaner-web/gleaner/schemas"
)

// sourceField is a parameter that sources are filtered and counted by. One row serves the filter, the facet and its
// links, as filterField does for captures.
type sourceField struct {
	param, column, title string
	label                func(string) string
	get                  func(*SourcesRequest) *string
}

var sourceFields = []sourceField{
	{"health", "health", "Health", same, func(r *SourcesRequest) *string { return &r.Health }},
	{"verdict", "verdict", "Verdict", same, func(r *SourcesRequest) *string { return &r.Verdict }},
	{"reason", "reason", "Reason", same, func(r *SourcesRequest) *string { return &r.Reason }},
	{"class", "class", "Class", same, func(r *SourcesRequest) *string { return &r.Class }},
	{"lang", "language", "Language", Tongue, func(r *SourcesRequest) *string { return &r.Language }},
	{"publisher", "publisher", "Kind of site", Plain, func(r *SourcesRequest) *string { return &r.Publisher }},
	// Those without a column are not counted: there are too many sites, and Find is a text.
	{"site", "", "Site", same, func(r *SourcesRequest) *string { return &r.Site }},
	{"find", "", "Text", same, func(r *SourcesRequest) *string { return &r.Find }},
}

// link returns the page of a request. The server has one Source DB, so its pages do not belong to a collection.
func (r SourcesRequest) link() string { return withQuery("/sources", r) }

func (r SourcesRequest) filter() sourceindex.Filter {
	return sourceindex.Filter{
		Verdict: r.Verdict, Class: r.Class, Language: r.Language, Health: r.Health, Publisher: r.Publisher, Reason: r.Reason,
		Site: hostTyped(r.Site), Text: r.Find,
	}
}

// sourceOrders are the orders of lists; the first one is the default.
var sourceOrders = []struct {
	value, label string
	order        sourceindex.Order
}{
	{"rate", "Most frequent first", sourceindex.ByRate},
	{"next", "Due first", sourceindex.ByNext},
	{"last", "Newest item first", sourceindex.ByLastItem},
	{"site", "By site", sourceindex.ByKey},
}

// openSources returns the index of the Source DB, which is held until release is called. As with collections, a new
// generation does not change data that is being read.
func (v *Views) openSources(ctx context.Context) (x *sourceindex.Index, release func(), err error) {
	if err := Need(ctx, Viewer); err != nil {
		return nil, nil, err
	}
	if err := v.NeedWhole(ctx); err != nil {
		return nil, nil, err
	}
	if v.o.Sources == nil {
		return nil, nil, &Error{
			Kind: NotFound, Title: "No sources yet", Detail: "No Source DB.",
			Remedy: "Make one with sources --collection=… --output=out-sourcedb, and start the server with " +
				"--sources=out-sourcedb.",
		}
	}
	x, release, why := v.o.Sources.Hold()
	// Either it is being opened, or no run has written it: Hold returns the reason.
	if x == nil {
		return nil, nil, &Error{
			Kind: NotReady, Title: "No sources yet", Detail: why, Retry: 10,
			Remedy: "Run sources with --output=" + v.o.Sources.Path() + ", or start it as a job.", Link: jobForm("sources"),
		}
	}
	return x, release, nil
}

// Sources lists sources.
func (v *Views) Sources(ctx context.Context, r SourcesRequest) (*Sources, error) {
	start := v.o.Now()
	x, release, err := v.openSources(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	// Health, rates and visits are those of AsOf, so an answer must contain that time.
	s := &Sources{Request: r, AsOf: rfc3339(x.AsOf()), Facets: []Facet{}, Cycles: []Bar{}, Sources: []SourceRow{}}
	s.Filters, s.Orders = r.filters(), r.orders()
	// A page has 25 rows, unless a program requests more.
	q := sourceindex.Query{Filter: r.filter(), After: r.Cursor, Limit: cmp.Or(r.Limit, 25), Order: sourceindex.ByRate}
	// The enum of the parameter has these orders; ByRate is the default.
	for _, o := range sourceOrders {
		if o.value == r.Order {
			q.Order = o.order
		}
	}
	p, err := x.List(ctx, q)
	// A cursor belongs to one order, and is useless after a change.
	if errors.Is(err, sourceindex.ErrCursor) {
		return nil, invalid("cursor", "", "It is not a cursor of this list. Begin with the first page, without a cursor.")
	}
	if err != nil {
		return nil, err
	}
	s.Total = p.Total
	for _, one := range p.Sources {
		s.Sources = append(s.Sources, sourceRow(one))
	}
	if s.Next = p.Next; s.Next != "" {
		r.Cursor = s.Next
		s.NextLink = r.link()
	}
	// This comes after the list, and has the same filter: shares are relative to Total.
	if err := s.count(ctx, x); err != nil {
		return nil, err
	}
	// The file has the same filter, so that the list can be downloaded.
	s.Downloads = r.downloads()
	s.Took = v.since(start)
	return s, nil
}

// count counts the matching sources.
func (s *Sources) count(ctx context.Context, x *sourceindex.Index) error {
	counts, err := x.Facets(ctx, s.Request.filter())
	if err != nil {
		return err
	}
	for _, f := range sourceFields {
		if f.column == "" {
			continue
		}
		facet := Facet{Param: f.param, Field: f.column, Title: f.title, Values: []Value{}, Base: s.Total}
		// The index returns the most frequent first.
		for _, c := range counts[f.column] {
			if c.Value == "" {
				continue // it cannot be filtered by
			}
			r, on := s.Request, *f.get(&s.Request) == c.Value
			// Another filter is another list, which begins at its first page.
			r.Cursor = ""
			*f.get(&r) = c.Value
			if on {
				*f.get(&r) = ""
			}
			facet.Values = append(facet.Values, Value{
				Value: c.Value, Label: f.label(c.Value), Count: c.Count, Link: r.link(), Selected: on,
			})
		}
		s.Facets = append(s.Facets, facet)
	}
	// Cycles are counted in classes; no filter uses them.
	cycles, err := x.Cycles(ctx, s.Request.filter())
	for _, c := range cycles {
		s.Cycles = append(s.Cycles, Bar{Label: c.Name, Count: c.Count})
		s.CyclesMax = max(s.CyclesMax, c.Count)
	}
	return err
}

// filters returns the active filters, each with a link that removes it.
func (r SourcesRequest) filters() []Filter {
	list := []Filter{}
	for _, f := range sourceFields {
		value := *f.get(&r)
		if value == "" {
			continue
		}
		// This is a copy: the request is also used for the next filter.
		without := r
		*f.get(&without) = ""
		without.Cursor = ""
		list = append(list, Filter{
			Param: f.param, Title: f.title, Value: value, Label: f.label(value), Link: without.link(),
		})
	}
	return list
}

func (r SourcesRequest) orders() (list []Choice) {
	// The first order is the default.
	chosen := cmp.Or(r.Order, sourceOrders[0].value)
	for _, o := range sourceOrders {
		// r is a copy.
		r.Order, r.Cursor = o.value, ""
		list = append(list, Choice{o.value, o.label, r.link(), o.value == chosen})
	}
	return list
}

// Files contain all matches.
func (r SourcesRequest) downloads() (list []Download) {
	r.Cursor, r.Limit = "", 0
	for _, f := range []struct{ format, label string }{{"opml", "OPML"}, {"csv", "CSV"}, {"jsonl", "JSON lines"}} {
		// Encode is called directly, as the format is not a parameter of the list itself.
		values := Encode(r)
		values.Set("format", f.format)
		list = append(list, Download{f.format, f.label, "/api/v1/feeds?" + values.Encode()})
	}
	return list
}

// sourceRow returns the list entry of a source.
func sourceRow(s schemas.Source) SourceRow {
	// It uses only the row of the index: lists have a thousand of these.
	row := SourceRow{
		ID: s.ID, URL: s.URL, Title: s.Title, Host: s.Host, Class: s.Class, Language: s.Language, Tongue: Tongue(s.Language),
		Dir: dirOf(s.Language), Verdict: s.Verdict, Health: s.Health.State, Rate: float64(s.Refresh.Rate),
		Items: s.Evidence.Items, LastItem: s.LastItem, Next: s.Refresh.Next, Link: "/sources/" + s.ID,
	}
	// It is rounded to a hundredth of an hour; a source without a rate has none.
	if row.Rate > 0 {
		row.Hours = float64(int(24/row.Rate*100)) / 100
	}
	return row
}

// mostUpdates is how many dates of items are returned.
const mostUpdates = 10

// Source describes one source.
func (v *Views) Source(ctx context.Context, r SourceRequest) (*SourceOne, error) {
	start := v.o.Now()
	x, release, err := v.openSources(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	// The index is read once: items, pages and dates come with the source.
	d, err := x.Get(ctx, r.ID)
	// The id may have been typed, or belong to an earlier generation.
	if errors.Is(err, sourceindex.ErrNoSource) {
		return nil, notFound("There is no source with this id", "GET /api/v1/sources lists them.")
	}
	if err != nil {
		return nil, err
	}
	// Pages of a source are looked up in the first collection, as the Source DB does not know their collections.
	home := v.shelf.Find("").Name()
	one := &SourceOne{
		AsOf: rfc3339(x.AsOf()), SourceRow: sourceRow(d.Source), Type: d.Type, Site: d.Source.Link, Publisher: d.Publisher,
		// This is a copy, so that no list is nil in the answer.
		Reasons: append([]string{}, d.Reasons...), Aliases: []Link{}, Entities: []Named{},
		Checks: checksOf(d.Source), Interval: float64(d.Refresh.Interval), Basis: d.Refresh.Basis, Statuses: d.Health.Last,
		Failures: float64(d.Health.Failures), FirstSeen: d.FirstSeen, LastVisit: d.LastRefresh,
		Changed: d.LastChanged, Validated: d.LastValidation, Updates: []string{},
	}
	// These are other addresses of the same feed, with the evidence for it.
	for _, a := range d.Aliases {
		one.Aliases = append(one.Aliases, Link{URL: a.URL, Type: a.Evidence})
	}
	// All captures are listed, since the counts include all versions of pages.
	for _, e := range d.Source.Entities {
		link := SearchRequest{Collection: home, Entity: e.Text, Fold: "none"}.link()
		one.Entities = append(one.Entities, Named{Text: e.Text, Type: e.Type, Count: e.Pages, Link: link})
	}
	for _, t := range slices.Backward(d.Dates) {
		if len(one.Updates) == mostUpdates {
			break
		}
		one.Updates = append(one.Updates, rfc3339(t))
	}
	// These are the items in the feed, and the captured pages.
	one.items(home, d)
	// All items have dates, while only the newest items are listed.
	one.Time = itemsOverTime(d.Dates, r.Unit)
	// It is nil if there were too few pages to learn one from.
	if t := d.Template; t != nil {
		one.Template, one.Support, one.Learnt = t.Path, float64(t.Support), t.Pages
	}
	one.Took = v.since(start)
	return one, nil
}

// items lists the items and the pages of the source.
func (s *SourceOne) items(collection string, d sourceindex.Detail) {
	// The index returns the newest of each.
	s.Pieces, s.Pages = []Item{}, []Item{}
	for _, i := range d.Items {
		item := Item{URL: i.URL, Title: i.Title, Timestamp: i.Time}
		if i.Seen {
			item.Timestamp, item.Seen = "", i.Time
		}
		// An item links to its captured page; without one it is only an address.
		if i.Page != nil {
			// The time selects the version that was captured then.
			item.Captured = i.Page.Timestamp
			item.Link = page(collection, "resource", ResourceRequest{URL: i.Page.URL, At: i.Page.Timestamp})
		}
		s.Pieces = append(s.Pieces, item)
	}
	// Pages need not be items: the site may show them beside its feed.
	for _, p := range d.Pages {
		s.Pages = append(s.Pages, Item{
			URL: p.URL, Title: p.Title, Timestamp: p.Published, Captured: p.Timestamp,
			Link: page(collection, "resource", ResourceRequest{URL: p.URL, At: p.Timestamp}),
		})
	}
}

// itemsOverTime counts items by the requested unit, or by the smallest unit that fits on a page.
func itemsOverTime(dates []time.Time, unit string) Timeline {
	// The dates are in order, the oldest first.
	if unit == "" && len(dates) > 0 {
		switch all := dates[len(dates)-1].Sub(dates[0]); {
		// A span below 100 days has at most 100 bars of days; ten years have at most 120 bars of months.
		case all < 100*24*time.Hour:
			unit = "day"
		case all < 10*365*24*time.Hour:
			unit = "month"
		}
	}
	unit = cmp.Or(unit, "year")
	counts := map[string]int64{}
	for _, t := range dates {
		// Times are in UTC, like all times here, so that a day is the same for everybody.
		counts[t.UTC().Format(layouts[unit])]++
	}
	t := Timeline{Unit: unit, Bars: []Bar{}}
	// An empty timeline has no first and last.
	if len(dates) == 0 {
		return t
	}
	first, last := dates[0].UTC().Format(layouts[unit]), dates[len(dates)-1].UTC().Format(layouts[unit])
	labels := span(unit, first, last)
	if len(labels) > MaxBars {
		labels, t.Cut = labels[len(labels)-MaxBars:], true
	}
	for _, label := range labels {
		t.Bars = append(t.Bars, Bar{Label: label, Count: counts[label]})
		t.Max = max(t.Max, counts[label])
	}
	return t
}

// checksOf describes the basis of the verdict in words. Only the reasons decide whether a check failed; the thresholds
// are those of package source.
func checksOf(s schemas.Source) []Check {
	e := s.Evidence
	// Reasons are names from package source.
	failed := map[string]bool{}
	for _, r := range s.Reasons {
		failed[r] = true
	}
	checks := []Check{}
	// If nothing was captured, a check is unknown and not failed.
	add := func(name, found string, known bool, reasons ...string) {
		result := "passed"
		if !known {
			result, found = "unknown", "not known: nothing of it is captured"
		}
		for _, r := range reasons {
			if failed[r] {
				result = "failed"
			}
		}
		checks = append(checks, Check{name, result, found})
	}
	// Whole per cent are enough for shares of some dozen items.
	share := func(f schemas.Float) string { return fmt.Sprintf("%.0f%%", 100*float64(f)) }
	// Checks of pages need pages; checks of items only need the feed.
	pages := e.Captured > 0
	add("Items", fmt.Sprintf("%d items are known; %s of their links are distinct", e.Items, share(e.Distinct)),
		e.Items > 0, "empty", "one item", "never captured", "list", "catalogue")
	add("Items are its own", share(e.OnSite)+" of the items are on the feed's own site", e.Items > 0,
		"elsewhere", "broken links", "pages")
	add("Items are articles, not comments", share(e.Comments)+" look like comments", e.Items > 0, "comments")
	add("Items are real", share(e.Filler)+" came with the software, "+share(e.Spam)+" look like spam", e.Items > 0,
		"placeholder", "spam")
	// Pages need captures: without any, the verdict may be undecided, but not negative.
	add("Pages exist", fmt.Sprintf("%d items have their page in the archives; %s of these answered", e.Captured,
		share(e.Answered)), pages, "gone", "nothing captured")
	add("Pages are different", share(e.Duplicates)+" are the same as another", pages, "same page")
	// If its pages do not have the feed's titles, the feed links to something else.
	add("Titles agree", share(e.Agreeing)+" of the pages have the title that the feed gives", pages, "titles disagree")
	add("Pages are articles", share(e.Articles)+" are classed as articles or threads", pages, "no articles")
	// The median is used, so that a few very long pages do not hide many empty ones.
	add("Pages have text", fmt.Sprintf("%s have text, with a median of %d words", share(e.Written), e.Words), pages,
		"no text")
	return checks
}

// rfc3339 formats a time; it is "" for the zero time.
func rfc3339(t time.Time) string {
	// The zero time means unknown, not the year 1.
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

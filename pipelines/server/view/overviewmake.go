package view

import (
	"context"
	"log/slog"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// topOverview is how many values of a field the overview lists. Eight rows fit beside a chart; the others are one
// line.
const topOverview = 8

// maxRunRows is how many runs the overview lists.
const maxRunRows = 5

// Overview describes the content of a collection. It is counted once for each manifest.
func (v *Views) Overview(ctx context.Context, r OverviewRequest) (*Overview, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	if r.Unit == "" {
		r.Unit = "year"
	}
	made, err := shelf.Once(now, "overview", func() (*Overview, error) {
		// The first user may leave; the counts are for all users.
		return overview(context.WithoutCancel(ctx), c, now)
	})
	if err != nil {
		return nil, changed(err)
	}
	// This is a shallow copy: shared data is only read, and only fields of the copy are set.
	o := *made // the timeline and the time belong to this request
	o.Answer = answer(c)
	o.explain(now, nil)
	// It is made once for each unit: most people see only the years.
	if o.Time, err = overviewTime(ctx, c, now, r.Unit); err != nil {
		return nil, changed(err)
	}
	m, err := flagsOf(ctx, now)
	if err != nil {
		return nil, changed(err)
	}
	o.Notes = notes(c, now.Manifest, m)
	o.Facets = append(slices.Clone(o.Facets), recordTypes(c, o.Captures, m))
	o.settle(whole(c, now))
	about, err := aboutOf(c, now)
	if err != nil {
		return nil, changed(err)
	}
	o.Title, o.Description = about.Title, about.Description
	o.Took = v.since(start)
	return &o, nil
}

// settle adds the number of entities; all is nil for a large collection, or if counting takes too long.
func (o *Overview) settle(all *census) {
	if all == nil {
		return
	}
	for i := range all.rows {
		if all.rows[i].common() {
			o.Entities++
		}
	}
}

// Warm makes the overview of a collection before it is requested, and prepares searches: for shelf.Options.
func Warm(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot) {
	_, err := shelf.Once(now, "overview", func() (*Overview, error) { return overview(ctx, c, now) })
	if err == nil {
		_, err = overviewTime(ctx, c, now, "year")
	}
	if err == nil {
		_, err = flagsOf(ctx, now)
	}
	_ = whole(c, now) // begins it
	if err == nil {
		err = now.DB.Warm(ctx, append(countedFields(), dated("year")))
	}
	// A user who requests it gets the same error.
	if err != nil && ctx.Err() == nil {
		slog.Warn("the first answers cannot be prepared", "collection", c.Name(), "error", err)
	}
}

// overviewTime returns the timeline of all captures.
func overviewTime(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, unit string) (Timeline, error) {
	return shelf.Once(now, "time/"+unit, func() (Timeline, error) {
		// Every capture is counted, so that links find the same number as the bars.
		all := query.Query{AllVersions: true}
		groups, err := now.DB.Facets(context.WithoutCancel(ctx), all, []string{dated(unit)}, 0)
		every := SearchRequest{Collection: c.Name(), Fold: "none"}
		t := timelineOf(unit, groups, func(value string) string { return every.with(unit, value).link() })
		t.Brush = every.brushOf()
		return t, err
	})
}

func overview(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot) (o *Overview, err error) {
	t := now.Manifest.Totals
	// Totals are counts of the run. Figures that searches can also return come from the database, so that they agree
	// with its links.
	o = &Overview{
		Feeds: t.Feeds, ArchiveBytes: t.BytesRead, BodyBytes: t.BodyBytes, BytesLost: t.BytesLost,
		Archives: holdings.Archives(now.Manifest.Units), Notes: []Note{}, Facets: []Facet{}, Runs: []RunRow{},
	}
	all := query.Query{AllVersions: true}
	if o.Captures, err = now.DB.Count(ctx, all); err != nil {
		return nil, err
	}
	// Without AllVersions, each SURT counts as one capture.
	if o.Addresses, err = now.DB.Count(ctx, query.Query{}); err != nil {
		return nil, err
	}
	if o.First, o.Last, err = ends(ctx, now, nil); err != nil {
		return nil, err
	}
	if err := o.count(ctx, c, now); err != nil {
		return nil, err
	}
	// They have no links, as rejects cannot be searched for; the page of archives lists them.
	o.Rejects = counts(t.ByReject, same, func(string) string { return "" })
	if o.Partly = now.DB.IsLimited(); o.Partly {
		return o, nil
	}
	runs, err := runRows(c, now)
	if err != nil {
		return nil, err
	}
	o.Runs = runs[:min(maxRunRows, len(runs))]
	return o, nil
}

// count counts by the fields of the overview's tables.
func (o *Overview) count(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot) error {
	every := SearchRequest{Collection: c.Name(), Fold: "none"}
	// Record types are not included: see recordTypes.
	for _, param := range []string{"mime", "lang", "host", "page_type", "status"} {
		f := fieldOf(param)
		groups, err := now.DB.Facets(ctx, query.Query{AllVersions: true}, []string{f.field}, 0)
		if err != nil {
			return err
		}
		// There is no limit: the page shows the numbers of languages and hosts.
		facet := facetOf(f, groups, topOverview, func(value string) string { return every.with(param, value).link() }, "")
		switch param {
		case "lang":
			for _, g := range groups {
				if schemas.IsLanguage(g.Values[0]) {
					o.Languages++
				}
			}
		case "host":
			for _, g := range groups {
				if g.Values[0] != "" {
					o.Hosts++
				}
			}
		}
		if facet.MoreLink = (ValuesRequest{SearchRequest: every, Field: param}).link(); param == "host" {
			facet.MoreLink = page(c.Name(), "hosts", nil) // which has more than a list
		}
		o.Facets = append(o.Facets, facet)
	}
	// The language does not say it: revisits have that of their original, and lists of lines have none.
	text, err := query.Parse("text:*")
	if err != nil {
		return err
	}
	o.WithText, err = now.DB.Count(ctx, query.Query{Where: text, AllVersions: true})
	return err
}

// ends returns the times of the oldest and the newest capture that match a filter.
func ends(ctx context.Context, now *shelf.Snapshot, where query.Expr) (first, last string, err error) {
	// A capture without a date is neither old nor new, and would come first or last.
	dated, err := query.Parse("timestamp:*")
	if err != nil {
		return "", "", err
	}
	if where != nil {
		dated = &query.And{List: []query.Expr{where, dated}}
	}
	for _, end := range []struct {
		order query.Order
		to    *string
	}{{query.Oldest, &first}, {query.Newest, &last}} {
		// It reads one capture from each end, which the index finds without reading the others.
		q := query.Query{Where: dated, AllVersions: true, Order: end.order, Limit: 1}
		// This reads one column of one row; the time stays empty if nothing is dated.
		for d, err := range now.DB.Find(ctx, q, []string{"timestamp"}) {
			if err != nil {
				return "", "", err
			}
			*end.to = d.Timestamp
		}
	}
	return first, last, nil
}

// recordTypes returns the types of the records that became captures.
func recordTypes(c *shelf.Collection, base int64, m *flagCounts) Facet {
	every := SearchRequest{Collection: c.Name(), Fold: "none"}
	f := fieldOf("record_type")
	// It has the form of the other facets, so that pages draw all in the same way.
	facet := Facet{Param: f.param, Field: f.field, Title: f.title, Values: []Value{}, Base: base}
	for _, kind := range []schemas.RecordType{
		// Other types, such as requests and metadata, do not become captures.
		schemas.TypeResponse, schemas.TypeARC, schemas.TypeRevisit, schemas.TypeResource, schemas.TypeConversion,
	} {
		if n := m.types[string(kind)]; n > 0 {
			facet.Values = append(facet.Values, Value{
				Value: string(kind), Label: string(kind), Count: n, Link: every.with("record_type", string(kind)).link(),
			})
		}
	}
	// The sort is stable, so that equal counts keep this order.
	slices.SortStableFunc(facet.Values, func(a, b Value) int { return int(b.Count - a.Count) })
	return facet
}

// counts returns the counts of a manifest by name, the largest first.
func counts(m map[string]int64, label, link func(string) string) []Value {
	list := []Value{}
	// They are sorted by name first, for the same reason.
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, Value{Value: name, Label: label(name), Count: m[name], Link: link(name)})
	}
	slices.SortStableFunc(list, func(a, b Value) int { return int(b.Count - a.Count) })
	return list
}

// notes returns the facts that need attention.
func notes(c *shelf.Collection, m schemas.Manifest, captures *flagCounts) []Note {
	t := m.Totals
	list := []Note{}
	files := page(c.Name(), "archives", nil)
	// Lost data comes first, then doubtful data.
	if t.Rejects > 0 {
		list = append(list, Note{
			Kind: "rejects", Count: t.Rejects, What: cli.Plural(t.Rejects, "reject"), Link: files + "#rejects",
			Text: cli.FormatBytes(t.BytesLost) + " lost of " + cli.FormatBytes(t.BytesRead) + ".",
		})
	}
	// It is nil if all files were read.
	if m.Unread != nil {
		list = append(list, Note{
			Kind: "unread", Count: m.Unread.Files, What: cli.Plural(m.Unread.Files, "file"), Link: files + "#unread",
			Text: "could not be read completely.",
		})
	}
	every := SearchRequest{Collection: c.Name(), Fold: "none"}
	// These are the flags that make a capture doubtful; the page of archives lists all.
	for _, flag := range []schemas.Flag{
		schemas.FlagPayload, schemas.FlagBlock, schemas.FlagUnverified, schemas.FlagPartial, schemas.FlagTimestamp,
	} {
		if n := captures.flags[string(flag)]; n > 0 {
			list = append(list, Note{
				Kind: string(flag), Count: n, What: cli.Plural(n, "capture"), Text: flagTexts[flag] + ".",
				Link: every.with("flag", string(flag)).link(),
			})
		}
	}
	return list
}

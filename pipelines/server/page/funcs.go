package page

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
)

// funcs are the functions of the templates beside those of package look. Views have times as RFC 3339 and spans as
// numbers, as JSON does: here they become what people read.
func funcs() template.FuncMap {
	return template.FuncMap{
		"minuteOf": func(s string) template.HTML { return look.Minute(timeOf(s)) },
		"dayOf":    func(s string) template.HTML { return look.Day(timeOf(s)) },
		"stated":   stated, "took": took, "span": span, "hours": hours,
		"percent": percent, "sure": sure, "number": number, "int": func(n int) int64 { return int64(n) },
		"low": low, "ranked": ranked, "values": values, "columns": columns, "distribution": distribution, "perDay": perDay,
		"asset": asset, "path": collectionPath, "caret": caret, "state": state, "line": timeLine, "pretty": pretty,
		"tongue": look.Language, "lang": lang, "list": list, "dict": dict, "join": strings.Join, "nav": navigation,
	}
}

// timeOf reads a time of a view. It has fractions where an archive's records have them.
func timeOf(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		// The zero time is "no date" in package look.
		return time.Time{}
	}
	return t
}

// stated is a time that a page states: a date stays a date, and one with an offset keeps it, since the reader's day is
// that of who wrote it.
func stated(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	switch {
	case err != nil:
		return s
	// Z is UTC, which the word says better than +00:00.
	case strings.HasSuffix(s, "Z"):
		return t.Format("2006-01-02 15:04") + " UTC"
	}
	return t.Format("2006-01-02 15:04 -07:00")
}

// took is how long an answer took.
func took(ms float64) string {
	// Milliseconds with places would promise more than one measurement tells.
	if ms < 1 {
		return "less than 1 ms"
	}
	return look.Seconds(schemas.Float(ms / 1000))
}

func span(seconds float64) string { return look.Seconds(schemas.Float(seconds)) }

// hours is a time between two items.
func hours(h float64) string {
	// Not measured: of a single item there is no time between two.
	if h <= 0 {
		return "–"
	}
	return look.Seconds(schemas.Float(h * 3600))
}

// perDay is a rate of items.
func perDay(rate float64) string {
	if rate <= 0 {
		return "–"
	}
	return strconv.FormatFloat(rate, 'g', 3, 64)
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + "%" }

// sure is a confidence; "" where there is none.
func sure(c float64) string {
	if c <= 0 {
		return ""
	}
	return strconv.FormatFloat(c, 'f', 2, 64)
}

// number writes a number of any of the types that views have. Templates cannot convert.
func number(n any) string {
	switch n := n.(type) {
	case int:
		return look.Count(int64(n))
	case int64:
		return look.Count(n)
	case float64:
		// Counts are never below 0, for which this would round the wrong way.
		return look.Count(int64(n + .5))
	}
	return fmt.Sprint(n)
}

// ranked is a facet as a table.
func ranked(id string, f view.Facet) look.Ranked {
	r := look.Ranked{
		ID: id, Title: cmp.Or(titles[f.Param], f.Title), Head: f.Title, Noun: "Captures", Whole: f.Base,
		More: int64(f.More), Beyond: f.Rest,
		All: f.MoreLink, Empty: "None.",
	}
	for _, v := range f.Values {
		r.Rows = append(r.Rows, rowOf(f.Param, v))
	}
	return r
}

// titles are those of tables of values by the parameter that they set.
var titles = map[string]string{
	"lang": "Languages", "mime": "Media types", "host": "Hosts", "page_type": "Page types", "record_type": "Record types",
	"source": "Sources",
}

// low is a chart that is above what it is about, and should not push it down.
func low(c look.Columns) look.Columns {
	c.Low = true
	return c
}

// rowOf is a value as a row: of a language the code is beside its name.
func rowOf(param string, v view.Value) look.Row {
	row := look.Row{Name: v.Label, Href: v.Link, Value: v.Count}
	// Languages without a name in our table are labelled by the code already; "-" stands for none.
	if param == "lang" && v.Label != v.Value && v.Value != "-" {
		row.Sub = v.Value
	}
	return row
}

// values are counted names as a table.
func values(id, title, head, noun string, list []view.Value) look.Ranked {
	r := look.Ranked{ID: id, Title: title, Head: head, Noun: noun, Empty: "None."}
	for _, v := range list {
		r.Rows = append(r.Rows, rowOf("", v))
		// The sum of the list: no other whole is known here.
		r.Whole += v.Count
	}
	return r
}

// columns is a time line as a chart.
func columns(id, title, noun string, t view.Timeline) look.Columns {
	c := look.Columns{ID: id, Title: title, Noun: noun, Head: heads[t.Unit], Places: true}
	if t.Cut {
		c.Note = "Only the last " + strconv.Itoa(len(t.Bars)) + " are shown."
	}
	every := max(1, (len(t.Bars)+5)/6) // six labels do not touch on the narrowest screen
	for i, b := range t.Bars {
		bar := look.Bar{Label: b.Label, Value: b.Count, Href: b.Link}
		// From the middle of each stretch: a label at the very edge would have to be moved aside.
		if i%every == every/2 {
			bar.Axis = b.Label
		}
		c.Bars = append(c.Bars, bar)
		c.Whole += b.Count
	}
	if t.Undated > 0 {
		// Apart, as it has no place in time, but part of the whole, so that shares add up.
		c.Apart = &look.Bar{Label: "no date", Axis: "no date", Value: t.Undated, Href: t.UndatedLink}
		c.Whole += t.Undated
	}
	return c
}

var heads = map[string]string{"year": "Year", "month": "Month", "day": "Day"}

// distribution is how many sources there are of each class, as a chart.
func distribution(id, title, noun, head string, bars []view.Bar) look.Columns {
	c := look.Columns{ID: id, Title: title, Noun: noun, Head: head}
	// The first of the largest, which is what people look for.
	most := 0
	for i, b := range bars {
		if b.Count > bars[most].Count {
			most = i
		}
	}
	for i, b := range bars {
		bar := look.Bar{Label: b.Label, Value: b.Count, Href: b.Link}
		// Every fourth from there: three of eleven do not touch on the narrowest screen.
		if (i-most)%4 == 0 {
			bar.Axis = b.Label
		}
		c.Bars = append(c.Bars, bar)
		c.Whole += b.Count
	}
	return c
}

// collectionPath is the path of a page of a collection.
func collectionPath(collection string, parts ...string) string {
	// The parts after it come from templates and code, which escape what is not their own.
	path := "/" + url.PathEscape(collection)
	for _, p := range parts {
		path += "/" + p
	}
	return path
}

// caret is a line that points at a column of the line above it.
func caret(column int) string { return strings.Repeat(" ", max(0, column-1)) + "^" }

// states are the classes and the words of states of jobs, runs and sources: a shape and a word, never a colour alone.
var states = map[string][2]string{
	"done": {"good", "done"}, "losses": {"warn", "done, with losses"}, "failed": {"bad", "failed"},
	"cancelled": {"", "cancelled"}, "running": {"", "running"}, "queued": {"", "waiting"},
	"valid": {"good", "valid"}, "rejected": {"bad", "not a source"}, "undecided": {"", "undecided"},
	"live": {"good", "live"}, "dormant": {"warn", "dormant"}, "gone": {"bad", "gone"}, "unseen": {"", "not seen yet"},
	"passed": {"good", "passed"}, "unknown": {"", "unknown"},
}

// state is a state as a shape and a word.
func state(name string) template.HTML {
	s, known := states[name]
	if !known {
		// A state that is newer than this table is shown by its own word.
		s = [2]string{"", name}
	}
	// The class is from the table above, and the word escaped: a name that is not known may come from
	// a file.
	return template.HTML(`<span class="st ` + s[0] + `">` + template.HTMLEscapeString(s[1]) + `</span` +
		`>`) //nolint:gosec // escaped
}

// pretty is a value as JSON for people, as of the options of a run. The template escapes it.
func pretty(v any) string {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// lang is a language as the attribute of that name takes it; "" where it is not known.
func lang(code string) string {
	// An empty lang attribute says in HTML that the language is not known.
	if code == "und" || code == "-" {
		return ""
	}
	return code
}

// list makes a list in a template, which has no literals for it.
func list(items ...any) []any { return items }

// dict makes the data of a part of a page: names and values by turns.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, errPairs
	}
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		// Sprint, since names are untyped constants in templates.
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m, nil
}

var errPairs = errors.New("page: a name without a value")

// entry is one of the navigation.
type entry struct{ Key, Label, Href string }

// navigation is that of a collection: no more than eight words.
func navigation(f view.Frame) []entry {
	// Without a collection there is nothing to lead to.
	if f.Collection == "" {
		return nil
	}
	at := func(what string) string { return collectionPath(f.Collection, what) }
	return []entry{
		{"overview", "Overview", collectionPath(f.Collection)},
		{"search", "Search", at("search")},
		{"hosts", "Hosts", at("hosts")},
		{"entities", "Entities", at("entities")},
		// Sources, datasets and jobs are the server's and not a collection's: their paths have no name
		// before them.
		{"sources", "Sources", "/sources"},
		{"datasets", "Datasets", "/datasets"},
		{"runs", "Runs", at("runs")},
		{"jobs", "Jobs", "/jobs"},
	}
}

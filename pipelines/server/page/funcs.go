package page

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/url"
	"path"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
)

// funcs are the template functions that package look does not have. Views have times as RFC 3339 and durations as
// numbers, as JSON does. These functions make them readable.
func funcs() template.FuncMap {
	return template.FuncMap{
		"minuteOf": func(s string) template.HTML { return look.Minute(timeOf(s)) },
		"dayOf":    func(s string) template.HTML { return look.Day(timeOf(s)) },
		"stated":   stated, "took": took, "span": span, "hours": hours,
		"percent": percent, "sure": sure, "rank": rank, "number": number, "int": func(n int) int64 { return int64(n) },
		"long": long,
		"plus": func(a, b int) int { return a + b },
		"low":  low, "ranked": ranked, "values": values, "columns": columns, "lines": trendLines,
		"distribution": distribution, "perDay": perDay,
		"asset": asset, "path": collectionPath, "caret": caret, "state": state, "line": timeLine, "pretty": pretty,
		"flags": flags, "noun": noun, "plain": view.Plain,
		"base": path.Base, "folder": folderOf,
		"tongue": look.Language, "lang": lang, "list": list, "dict": dict, "join": strings.Join, "nav": navigation,
		"parameters": parameters, "cell": cell, "drawings": drawings,
		"weeks": weeks, "monthOf": monthOf, "dayOfMonth": dayOfMonth,
	}
}

// timeOf reads a time of a view. It has fractions if the archive's records have them.
func timeOf(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		// Package look writes the zero time as "no date".
		return time.Time{}
	}
	return t
}

// stated formats a time that a page contains. A date stays a date. A time with an offset keeps it, since the reader
// wants the author's day.
func stated(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	switch {
	case err != nil:
		return s
	// Z is UTC; the word is clearer than +00:00.
	case strings.HasSuffix(s, "Z"):
		return t.Format("2006-01-02 15:04") + " UTC"
	}
	return t.Format("2006-01-02 15:04 -07:00")
}

// took formats how long an answer took.
func took(ms float64) string {
	// Fractions of milliseconds would suggest more precision than one measurement has.
	if ms < 1 {
		return "less than 1 ms"
	}
	return look.Seconds(schemas.Float(ms / 1000))
}

func span(seconds float64) string { return look.Seconds(schemas.Float(seconds)) }

// hours formats the time between two items.
func hours(h float64) string {
	// It was not measured: a single item has no interval.
	if h <= 0 {
		return "–"
	}
	return look.Seconds(schemas.Float(h * 3600))
}

// perDay formats a rate of items.
func perDay(rate float64) string {
	if rate <= 0 {
		return "–"
	}
	return strconv.FormatFloat(rate, 'g', 3, 64)
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + "%" }

// rank formats a rank of a host.
func rank(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// sure formats a confidence; it is "" if there is none.
func sure(c float64) string {
	if c <= 0 {
		return ""
	}
	return strconv.FormatFloat(c, 'f', 2, 64)
}

// number formats a number of any type that views have. Templates cannot convert types.
func number(n any) string {
	switch n := n.(type) {
	case int:
		return look.Count(int64(n))
	case int64:
		return look.Count(n)
	case float64:
		// Counts are never below 0, where this would round wrongly.
		return look.Count(int64(n + .5))
	}
	return fmt.Sprint(n)
}

// ranked makes a table of a facet.
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

// titles are titles of tables of values, by the parameter that the values set.
var titles = map[string]string{
	"lang": "Languages", "mime": "Media types", "host": "Hosts", "page_type": "Page types", "record_type": "Record types",
	"source": "Sources",
}

// low makes a chart low. Such a chart is above its main content, and should not push it down.
func low(c look.Columns) look.Columns {
	c.Low = true
	return c
}

// rowOf makes a row of a value. A language has its code beside its name.
func rowOf(param string, v view.Value) look.Row {
	row := look.Row{Name: v.Label, Href: v.Link, Value: v.Count}
	// The label of a language that is not in our table is already its code; "-" means none.
	if param == "lang" && v.Label != v.Value && v.Value != "-" {
		row.Sub = v.Value
	}
	return row
}

// values makes a table of counted names.
func values(id, title, head, noun string, list []view.Value) look.Ranked {
	r := look.Ranked{ID: id, Title: title, Head: head, Noun: noun, Empty: "None."}
	for _, v := range list {
		r.Rows = append(r.Rows, rowOf("", v))
		// The whole is the sum of the list: no other total is known here.
		r.Whole += v.Count
	}
	return r
}

// flags makes a table of flags, with the number of captures, and beside it that of records if it is another one.
func flags(list []view.Value) look.Ranked {
	r := look.Ranked{ID: "flags", Title: "Flags", Head: "Flag", Noun: "Captures", Empty: "None."}
	for _, v := range list {
		row := look.Row{Name: v.Label, Href: v.Link, Value: v.Count}
		if v.Records != v.Count || v.Link == "" {
			row.Sub = look.Plural(v.Records, "record")
		}
		if v.Link == "" && v.Records == v.Count {
			// Nothing knows how many of them are captures.
			r.Noun, row.Sub = "Records", ""
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

// long converts a count, since templates cannot convert types.
func long(n any) int64 {
	if v := reflect.ValueOf(n); v.CanInt() {
		return v.Int()
	}
	return 0 // no view has other counts
}

// folderOf returns the folder of a file with its last slash, or "".
func folderOf(file string) string {
	folder, _ := path.Split(file)
	return folder
}

// noun makes the noun of a title: "Media type" becomes "media type", and "HTTP status" stays.
func noun(title string) string {
	if len(title) > 1 && title[1] >= 'a' {
		return strings.ToLower(title[:1]) + title[1:]
	}
	return title
}

// columns makes a chart of a timeline.
func columns(id, title, noun string, t view.Timeline) look.Columns {
	c := look.Columns{ID: id, Title: title, Noun: noun, Head: heads[t.Unit], Brush: t.Brush}
	if t.Cut {
		c.Note = "Only the last " + strconv.Itoa(len(t.Bars)) + " are shown."
	}
	every := max(1, (len(t.Bars)+5)/6) // six labels do not touch on the narrowest screen
	for i, b := range t.Bars {
		bar := look.Bar{Label: b.Label, Value: b.Count, Href: b.Link, Axis: b.Label}
		// These start in the middle of each section: a label at the very edge would have to be moved. Wide screens have
		// room for more.
		bar.Wide = i%every != every/2
		c.Bars = append(c.Bars, bar)
		c.Whole += b.Count
	}
	if t.Undated > 0 {
		// It is shown separately, as it has no place in time. It is part of the whole, so that shares add up.
		c.Apart = &look.Bar{Label: "no date", Axis: "no date", Value: t.Undated, Href: t.UndatedLink}
		c.Whole += t.Undated
	}
	return c
}

var heads = map[string]string{"year": "Year", "month": "Month", "day": "Day"}

// distribution makes a chart of the number of sources in each class.
func distribution(id, title, noun, head string, bars []view.Bar) look.Columns {
	c := look.Columns{ID: id, Title: title, Noun: noun, Head: head}
	// This is the first of the largest, which is what people look for.
	most := 0
	for i, b := range bars {
		if b.Count > bars[most].Count {
			most = i
		}
	}
	for i, b := range bars {
		bar := look.Bar{Label: b.Label, Value: b.Count, Href: b.Link, Axis: b.Label}
		// Every fourth bar from there has a label: three of eleven do not touch on the narrowest screen.
		bar.Wide = (i-most)%4 != 0
		c.Bars = append(c.Bars, bar)
		c.Whole += b.Count
	}
	return c
}

// collectionPath returns the path of a page of a collection.
func collectionPath(collection string, parts ...string) string {
	// The other parts come from templates and code, which escape anything that is not their own.
	path := "/" + url.PathEscape(collection)
	for _, p := range parts {
		path += "/" + p
	}
	return path
}

// caret returns a line that points at a column of the line above it.
func caret(column int) string { return strings.Repeat(" ", max(0, column-1)) + "^" }

// states are the classes and names of states of jobs, runs and sources. A state is shown as a shape and a word, never
// by colour alone.
var states = map[string][2]string{
	"done": {"good", "done"}, "losses": {"warn", "done, with losses"}, "failed": {"bad", "failed"},
	"cancelled": {"", "cancelled"}, "running": {"", "running"}, "queued": {"", "waiting"},
	"valid": {"good", "valid"}, "rejected": {"bad", "not a source"}, "undecided": {"", "undecided"},
	"live": {"good", "live"}, "dormant": {"warn", "dormant"}, "gone": {"bad", "gone"}, "unseen": {"", "not seen yet"},
	"passed": {"good", "passed"}, "unknown": {"", "unknown"},
}

// state writes a state as a shape and a word.
func state(name string) template.HTML {
	s, known := states[name]
	if !known {
		// A state that is newer than this table is shown by its name.
		s = [2]string{"", name}
	}
	// The class comes from the table, and the word is escaped: an unknown name may come from a file.
	return template.HTML(`<span class="st ` + s[0] + `">` + template.HTMLEscapeString(s[1]) + `</span` +
		`>`) //nolint:gosec // escaped
}

// pretty writes a value as JSON for people, such as the options of a run. The template escapes it.
func pretty(v any) string {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// lang returns a language for the lang attribute, or "" if it is unknown.
func lang(code string) string {
	// In HTML, an empty lang attribute means that the language is unknown.
	if !schemas.IsLanguage(code) || code == "-" {
		return ""
	}
	return code
}

// list makes a list in a template, since templates have no list literals.
func list(items ...any) []any { return items }

// dict makes the data for a part of a page, from alternating names and values.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, errPairs
	}
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		// Sprint is used since names are untyped constants in templates.
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m, nil
}

var errPairs = errors.New("page: a name without a value")

// parameters returns the parameters of a link.
func parameters(link string) string {
	_, values, _ := strings.Cut(link, "?")
	return values
}

// entry is an entry of the navigation.
type entry struct{ Key, Label, Href string }

// navigation returns the navigation of a collection, with nine words at most.
func navigation(f view.Frame) []entry {
	// Without a collection, the navigation has no pages to show.
	if f.Collection == "" {
		return nil
	}
	at := func(what string) string { return collectionPath(f.Collection, what) }
	list := []entry{
		{"overview", "Overview", collectionPath(f.Collection)},
		{"search", "Search", at("search")},
		{"images", "Images", at("images")},
		{"trends", "Trends", at("trends")},
		{"hosts", "Hosts", at("hosts")},
		{"graph", "Links", at("graph")},
		{"entities", "Entities", at("entities")},
		{"sql", "SQL", at("sql")},
		{"take", "Take away", at("take")},
	}
	if f.Partly {
		return list // the others are for readers of everything
	}
	return append(list, []entry{
		// Sources, datasets and jobs belong to the server and not to a collection, so no name is before their paths.
		{"sources", "Sources", "/sources"},
		{"datasets", "Datasets", "/datasets"},
		{"archives", "Archives", at("archives")},
		{"jobs", "Jobs", "/jobs"},
	}...)
}

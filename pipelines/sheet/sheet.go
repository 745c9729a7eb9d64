// Package sheet writes a page about a run and its collection that can be mailed and printed. It is one HTML file
// without scripts or other files. `ingest --report=html` makes it.
//
//	err := sheet.Write(w, sheet.Run{Manifest: m, Report: r, Rejects: rejects})
//
// Limits for rows and texts keep it below 150 kB for any collection. It does not reveal the folders of archives, the
// machine or its processes.
package sheet

import (
	"embed"
	"encoding/json"
	"html/template"
	"io"
	"strconv"
	"sync"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

//go:embed sheet.html
var files embed.FS

// page returns the template. It is parsed when it is first used, since most commands write no page. A mistake in it is
// a programming error, found by every test.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(look.Parts().ParseFS(files, "sheet.html"))
})

// Run is the input of a page.
type Run struct {
	Manifest schemas.Manifest
	SHA256   string // of the manifest's file, hexadecimal
	// Report is the report of the last run, or nil, as after a merge.
	Report *report.Report
	// Rejects are the listed ones, at most MaxRejects.
	Rejects []schemas.Reject
}

// Limits that together keep the page below 150 kB.
const (
	MaxRejects = 100
	maxRows    = 8  // of ranked tables
	maxSlow    = 10 // captures
	maxUnread  = 20 // files
	maxText    = 160
	maxOptions = 8 << 10 // bytes
)

// Write writes the page of a run.
func Write(w io.Writer, r Run) error { return page().ExecuteTemplate(w, "sheet.html", newView(r)) }

// view is the input of the template.
type view struct {
	Run
	Totals   schemas.Counts
	Title    string
	Archives int64
	Problems []problem
	Years    look.Columns
	Ranked   []look.Ranked
	Options  string
	Versions string
	names    names
}

func newView(r Run) view {
	t := r.Manifest.Totals
	v := view{Run: r, Totals: t, names: namesOf(r.Manifest)}
	v.Archives = holdings.Archives(r.Manifest.Units)
	v.Title = look.Plural(t.Captures, "capture") + " from " + look.Plural(v.Archives, "archive")
	v.Problems = problems(r.Manifest)
	v.Years = years(t)
	v.Ranked = v.ranked()
	// Options may name local files and folders; versions may not.
	v.Options = v.names.clean(indented(r.Manifest.Options), maxOptions)
	v.Versions = cut(indented(r.Manifest.Versions), maxOptions)
	return v
}

func indented(v any) string {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return "" // a manifest always encodes
	}
	return string(b)
}

// sum adds up counts. It is less than the number of documents if units of earlier versions lack the count.
func sum(counts map[string]int64) (all int64) {
	for _, n := range counts {
		all += n
	}
	return all
}

// uncounted notes how many documents a count lacks.
func uncounted(t schemas.Counts, counts map[string]int64) string {
	if n := t.Documents - sum(counts); n > 0 {
		return look.Plural(n, "document") + " of units made by earlier versions are not counted."
	}
	return ""
}

// Span describes the years of captures, or returns "".
func (v view) Span() string {
	bars := v.Years.Bars
	if len(bars) == 0 {
		return ""
	}
	first, last := bars[0].Label, bars[len(bars)-1].Label
	if first == last {
		return ", in " + first
	}
	return ", " + first + " to " + last
}

func years(t schemas.Counts) look.Columns {
	c := look.Columns{
		ID: "years", Title: "Documents by year of capture", Noun: "document", Head: "Year", Whole: t.Documents,
		Note: uncounted(t, t.ByYear),
	}
	c.Bars, c.Apart = look.Years(t.ByYear, "no date", func(int, int) string { return "" })
	return c
}

// File returns the name of a file for the page.
func (v view) File(name string) string { return v.names.clean(name, maxText) }

// Text returns a text of an archive or a message for the page.
func (v view) Text(s string) string { return v.names.clean(s, maxText) }

// Slowest returns the captures that took longest.
func (v view) Slowest() []report.Slow {
	return v.Report.Slowest[:min(maxSlow, len(v.Report.Slowest))]
}

// Unread returns the first files that could not be read.
func (v view) Unread() []schemas.UnreadFile {
	if v.Manifest.Unread == nil {
		return nil
	}
	return v.Manifest.Unread.First[:min(maxUnread, len(v.Manifest.Unread.First))]
}

// MoreRejects returns the number of rejects that are not listed.
func (v view) MoreRejects() int64 { return v.Totals.Rejects - int64(len(v.Rejects)) }

// MoreUnread returns the number of unread files that are not listed.
func (v view) MoreUnread() int64 {
	if v.Manifest.Unread == nil {
		return 0
	}
	return v.Manifest.Unread.Files - int64(len(v.Unread()))
}

// Micros converts seconds to microseconds, for bars.
func (v view) Micros(s schemas.Float) int64 { return int64(s * 1e6) }

// Longest returns the time of the slowest extractor.
func (v view) Longest() int64 {
	if len(v.Report.Extractors) == 0 {
		return 0
	}
	return v.Micros(v.Report.Extractors[0].Seconds)
}

// Percent formats a share from 0 to 1.
func (v view) Percent(s schemas.Float) string {
	return strconv.FormatFloat(float64(s)*100, 'f', 1, 64) + "%"
}

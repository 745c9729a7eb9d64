// Package sheet writes what a run did, and what its collection holds, as one HTML page that can be mailed and printed:
// it has its style inside, and needs no script, no network, no index and no other file. `ingest --report=html` makes
// it.
//
//	err := sheet.Write(w, sheet.Run{Manifest: m, Report: r, Rejects: rejects})
//
// Whatever the collection is, the page is bounded: tables have at most so many rows, and texts of archives are cut, so
// that it stays below 150 kB. It has no names of folders that the archives were in, of the machine or of its processes.
package sheet

import (
	"embed"
	"encoding/json"
	"html/template"
	"io"
	"strconv"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

//go:embed sheet.html
var files embed.FS

// A template that does not parse is a mistake of the programmer, found when the program starts.
var page = template.Must(look.Parts().ParseFS(files, "sheet.html"))

// Run is what the page is made of.
type Run struct {
	Manifest schemas.Manifest
	SHA256   string // of the manifest's file, hexadecimal
	// Report is what the last run measured; nil where no run left one, as after a merge.
	Report *report.Report
	// Rejects are those that are listed: MaxRejects at most.
	Rejects []schemas.Reject
}

// How much of everything the page has. Together with maxText they keep it below 150 kB when every text is as long as it
// may be.
const (
	MaxRejects = 100
	maxRows    = 8  // of ranked tables
	maxSlow    = 10 // captures
	maxUnread  = 20 // files
	maxText    = 160
	maxOptions = 8 << 10 // bytes
)

// Write writes the page of a run.
func Write(w io.Writer, r Run) error { return page.ExecuteTemplate(w, "sheet.html", newView(r)) }

// view is what the template asks for.
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
	v.Archives = archives(r.Manifest)
	v.Title = look.Plural(t.Captures, "capture") + " from " + look.Plural(v.Archives, "archive")
	v.Problems = problems(r.Manifest)
	v.Years = years(t)
	v.Ranked = v.ranked()
	// Options may name files and folders of the machine, so they go through clean; versions are of
	// programs only, and need no more than the cut.
	v.Options = v.names.clean(indented(r.Manifest.Options), maxOptions)
	v.Versions = cut(indented(r.Manifest.Versions), maxOptions)
	return v
}

// archives is how many files the units are of.
// A set, as a large archive is read as several units, each of which names the same file.
func archives(m schemas.Manifest) int64 {
	seen := map[string]bool{}
	for _, u := range m.Units {
		for _, in := range u.Inputs {
			seen[in.File] = true
		}
	}
	return int64(len(seen))
}

func indented(v any) string {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return "" // a manifest is of what JSON has
	}
	return string(b)
}

// sum is the sum of counts. One that is less than the documents is of units that an earlier version made, which did not
// count it.
func sum(counts map[string]int64) (all int64) {
	for _, n := range counts {
		all += n
	}
	return all
}

// uncounted says how many documents a count lacks.
func uncounted(t schemas.Counts, counts map[string]int64) string {
	if n := t.Documents - sum(counts); n > 0 {
		return look.Plural(n, "document") + " of units made by earlier versions are not counted."
	}
	return ""
}

// Span says from which year to which captures are; "" where no date is known.
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
		ID: "years", Title: "Documents by year of capture", Noun: "document", Head: "Year", Whole: t.Documents, Places: true,
		Note: uncounted(t, t.ByYear),
	}
	c.Bars, c.Apart = look.Years(t.ByYear, "no date", func(int, int) string { return "" })
	return c
}

// File is the name of a file as the page has it.
func (v view) File(name string) string { return v.names.clean(name, maxText) }

// Text is a text of an archive, or of a message, as the page has it.
func (v view) Text(s string) string { return v.names.clean(s, maxText) }

// Slowest are the captures that took longest.
func (v view) Slowest() []report.Slow {
	return v.Report.Slowest[:min(maxSlow, len(v.Report.Slowest))]
}

// Unread are the files that could not be read.
func (v view) Unread() []schemas.UnreadFile {
	if v.Manifest.Unread == nil {
		return nil
	}
	return v.Manifest.Unread.First[:min(maxUnread, len(v.Manifest.Unread.First))]
}

// MoreRejects is how many are not listed.
func (v view) MoreRejects() int64 { return v.Totals.Rejects - int64(len(v.Rejects)) }

// MoreUnread likewise.
func (v view) MoreUnread() int64 {
	if v.Manifest.Unread == nil {
		// The manifest counts all unread files, and lists the first of them.
		return 0
	}
	return v.Manifest.Unread.Files - int64(len(v.Unread()))
}

// Micros is a number of seconds, as a bar is drawn of.
func (v view) Micros(s schemas.Float) int64 { return int64(s * 1e6) }

// Longest is that of the extractor which took most.
func (v view) Longest() int64 {
	if len(v.Report.Extractors) == 0 {
		return 0
	}
	return v.Micros(v.Report.Extractors[0].Seconds)
}

// Percent is a share of 0 to 1.
func (v view) Percent(s schemas.Float) string {
	return strconv.FormatFloat(float64(s)*100, 'f', 1, 64) + "%"
}

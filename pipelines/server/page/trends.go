package page

import (
	"fmt"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// trendLines makes a chart of trends. Without any line, it draws all captures.
func trendLines(t *view.Trends) look.Lines {
	c := look.Lines{
		ID: "lines", Title: "Captures by " + t.Unit, Noun: "capture", Head: heads[t.Unit], All: "All captures",
		Shares: t.Request.Shown == "share" && len(t.Lines) > 0, Brush: t.Brush,
	}
	if c.Shares {
		c.Title = "Share of captures by " + t.Unit
	}
	if t.Request.About != "" || t.Request.Like != "" {
		c.All = "With a text"
	}
	if t.Cut {
		c.Note = fmt.Sprintf("Only the last %d are shown. ", len(t.Periods))
	}
	if t.Undated > 0 {
		c.Note += look.Plural(t.Undated, "capture") + " without a date."
	}
	every := max(1, (len(t.Periods)+5)/6) // as in columns
	all := look.Line{Name: "All captures"}
	for i, p := range t.Periods {
		period := look.Period{Label: p.Label, Whole: p.Count, Href: p.Link}
		if i%every == every/2 {
			period.Axis = p.Label
		}
		c.Periods = append(c.Periods, period)
		all.Counts, all.Hrefs, all.Total = append(all.Counts, p.Count), append(all.Hrefs, p.Link), all.Total+p.Count
	}
	for _, l := range t.Lines {
		c.Lines = append(c.Lines, look.Line{Name: l.Label, Href: l.Link, Counts: l.Counts, Hrefs: l.Links, Total: l.Total})
	}
	if len(c.Lines) == 0 {
		c.Lines = []look.Line{all}
	}
	return c
}

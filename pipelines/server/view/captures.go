package view

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Calendar counts the captures of a URL by year, and by day of one year.
type Calendar struct {
	Captures int64         `json:"captures" doc:"all captures of the URL, in the years and undated"`
	Undated  int64         `json:"undated" doc:"captures without a date"`
	Classes  []Value       `json:"classes" doc:"captures by the first digit of their status; the link shows only these"`
	Years    []CalendarBar `json:"years" doc:"from the first capture to the last, with empty years in between"`
	Year     string        `json:"year,omitempty" doc:"the year whose months are listed"`
	Months   []Month       `json:"months"`
}

// CalendarBar is the captures of a year or a day.
type CalendarBar struct {
	Label string `json:"label" doc:"2008, or 2008-03-09"`
	Count int64  `json:"count"`
	// Class is the status of the first that a reader would choose: 2, 3, 4, 5, or - if no status is known.
	Class string `json:"class,omitempty"`
	Link  string `json:"link,omitempty" doc:"the last capture of the day, or the year's days"`
	Shown bool   `json:"shown,omitempty" doc:"the shown version is one of these"`
}

// Month is a month of the calendar, with the days that have captures.
type Month struct {
	Label string        `json:"label" doc:"2008-03"`
	Count int64         `json:"count"`
	Begin int           `json:"begin" doc:"days between Monday and the first day of the month"`
	Size  int           `json:"size" doc:"days of the month"`
	Days  []CalendarBar `json:"days"`
}

// moment is a number of captures of one time, or of one day.
type moment struct {
	at    time.Time // zero if the captures have no date
	class string
	n     int64
}

func momentOf(d *schemas.Document) moment {
	t, _ := query.ParseTime(d.Timestamp)
	return moment{t.UTC(), classOf(d.Status), 1}
}

// classOf returns the first digit of a status, or "-" if it is unknown.
func classOf(status int) string {
	if status < 100 || status > 599 {
		return none
	}
	return strconv.Itoa(status / 100)
}

// readMoments counts the captures that a query finds by day. The index counts without reading a capture.
func readMoments(ctx context.Context, now *shelf.Snapshot, q query.Query) (list []moment, err error) {
	for _, k := range classNames {
		e, err := ofClass(k.class)
		if err != nil {
			return nil, err
		}
		one := q
		one.Where = &query.And{List: []query.Expr{q.Where, e}}
		days, err := now.DB.Facets(ctx, one, []string{"day"}, 0)
		if err != nil {
			return nil, err
		}
		for _, g := range days {
			t, _ := timeOf("day", g.Values[0]) // zero without a date
			list = append(list, moment{t, k.class, g.Count})
		}
	}
	return list, nil
}

// ofClass selects the captures whose status begins with a digit.
func ofClass(class string) (query.Expr, error) {
	if class == none {
		return query.Parse("NOT (status >= 100 AND status <= 599)")
	}
	return query.Parse("status >= " + class + "00 AND status <= " + class + "99")
}

// classNames are the names of classes of statuses, in the order of a page.
var classNames = []struct{ class, label string }{
	{"2", "found"},
	{"3", "redirects"},
	{"4", "not found or refused"},
	{"5", "server errors"},
	{"1", "interim"},
	{none, "no status"},
}

// calendarOf makes the calendar of a URL. Only one class of statuses is counted if the request names one.
func calendarOf(list []moment, shown time.Time, r ResourceRequest) *Calendar {
	c := &Calendar{Classes: classesOf(list, r), Years: []CalendarBar{}, Months: []Month{}}
	years, days := map[int]*CalendarBar{}, map[string]*CalendarBar{}
	c.Year = cmp.Or(r.Year, shown.Format(layouts["year"]))
	for _, m := range list {
		if r.Status != "" && m.class != r.Status {
			continue
		}
		c.Captures += m.n
		if m.at.IsZero() {
			c.Undated += m.n
			continue
		}
		addTo(years, m.at.Year(), m)
		// Only the days of one year are shown.
		if m.at.Format(layouts["year"]) == c.Year {
			addTo(days, m.at.Format(time.DateOnly), m)
		}
	}
	c.setYears(years, shown, r)
	c.setMonths(days, shown, r)
	return c
}

// addTo adds a capture to the bar of its year or day.
func addTo[K comparable](bars map[K]*CalendarBar, key K, m moment) {
	b := bars[key]
	if b == nil {
		b = &CalendarBar{Class: m.class}
		bars[key] = b
	}
	b.Count += m.n
	// Found pages come before redirects, and these before errors; "-" comes last.
	if b.Class == none || m.class != none && m.class < b.Class {
		b.Class = m.class
	}
}

// classesOf counts the captures of each class.
func classesOf(list []moment, r ResourceRequest) []Value {
	counts := map[string]int64{}
	for _, m := range list {
		counts[m.class] += m.n
	}
	values := []Value{}
	for _, k := range classNames {
		if counts[k.class] == 0 {
			continue
		}
		v := Value{Value: k.class, Label: k.label, Count: counts[k.class], Selected: r.Status == k.class}
		to := ResourceRequest{URL: r.URL, Year: r.Year, Status: k.class}
		if v.Selected {
			to.Status = ""
		}
		v.Link = page(r.Collection, "resource", to)
		values = append(values, v)
	}
	return values
}

// maxYears limits the years of a calendar: archives with wrong clocks would have thousands of empty ones.
const maxYears = 60

// setYears adds the years. If there are too many, empty years in between are left out.
func (c *Calendar) setYears(years map[int]*CalendarBar, shown time.Time, r ResourceRequest) {
	if len(years) == 0 {
		return
	}
	first, last := 1<<31, 0
	for y := range years {
		first, last = min(first, y), max(last, y)
	}
	for y := first; y <= last; y++ {
		b := years[y]
		if b == nil {
			if last-first >= maxYears {
				continue
			}
			b = &CalendarBar{}
		}
		b.Label, b.Shown = strconv.Itoa(y), shown.Year() == y
		if b.Count > 0 {
			b.Link = page(r.Collection, "resource", ResourceRequest{URL: r.URL, At: r.At, Year: b.Label, Status: r.Status})
		}
		c.Years = append(c.Years, *b)
	}
}

// setMonths adds the months of the year.
func (c *Calendar) setMonths(days map[string]*CalendarBar, shown time.Time, r ResourceRequest) {
	year, err := timeOf("year", c.Year)
	if err != nil || len(days) == 0 {
		return
	}
	for first := year; first.Year() == year.Year(); first = nextOf("month", first) {
		m := Month{
			Label: first.Format(layouts["month"]), Size: nextOf("month", first).AddDate(0, 0, -1).Day(), Days: []CalendarBar{},
			Begin: (int(first.Weekday()) + 6) % 7, // Go's weeks begin on Sunday
		}
		for d := first; d.Month() == first.Month(); d = nextOf("day", d) {
			label := d.Format(time.DateOnly)
			b := days[label]
			if b == nil {
				continue
			}
			b.Label, b.Shown = label, shown.Format(time.DateOnly) == label
			b.Link = page(r.Collection, "resource", ResourceRequest{URL: r.URL, At: label, Status: r.Status})
			m.Count += b.Count
			m.Days = append(m.Days, *b)
		}
		c.Months = append(c.Months, m)
	}
}

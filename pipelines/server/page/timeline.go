package page

import (
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// dot is a version on the line of time.
type dot struct {
	X, Text, Class string
	Label          look.Label
}

// line is the versions of a page on a line, from the first to the last.
type line struct {
	Dots        []dot
	Description string
}

// timeLine places versions on a line whose ends lie a twentieth beyond the first and the last. Those without a date are
// not on it. Labels that would touch are left out: the table below has all dates. It is nil where a line would show
// nothing: of less than two moments.
func timeLine(versions []view.Version) *line {
	var times []time.Time
	for _, v := range versions {
		if t := timeOf(v.Timestamp); !t.IsZero() {
			times = append(times, t)
		}
	}
	// Versions come the oldest first. This also keeps all, by which is divided below, above 0.
	if len(times) < 2 || !times[len(times)-1].After(times[0]) {
		return nil
	}
	first, last := times[0], times[len(times)-1]
	all := last.Sub(first).Seconds()
	// In per cent of the width: the line scales with the screen, without a script.
	place := func(t time.Time) float64 { return 5 + 90*t.Sub(first).Seconds()/all }
	// The description is for those who do not see the drawing.
	l := &line{Description: "Versions from " + first.Format(time.DateOnly) + " to " + last.Format(time.DateOnly) +
		"; the table below has each."}
	// Far enough to the left for the first label to be written always.
	labelled := -100.0
	for _, v := range versions {
		t := timeOf(v.Timestamp)
		if t.IsZero() {
			continue
		}
		d := dot{X: perCent(place(t)), Class: "c1"}
		if v.Shown {
			// The version that the page is about stands out.
			d.Class = "c3"
		}
		if x := place(t); x-labelled > 28 { // a date takes 26 % of the narrowest screen
			d.Text, d.Label, labelled = t.UTC().Format(time.DateOnly), look.LabelAt(x), x
		}
		l.Dots = append(l.Dots, d)
	}
	return l
}

func perCent(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) + "%" }

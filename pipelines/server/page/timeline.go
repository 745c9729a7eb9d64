package page

import (
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// dot is a version on the timeline.
type dot struct {
	X, Text, Class string
	Label          look.Label
}

// line is the versions of a page on a line, from the first to the last.
type line struct {
	Dots        []dot
	Description string
}

// timeLine places versions on a line. Its ends are a twentieth outside of the first and last version. Versions without
// a date are left out. Labels that would touch are left out too: the table of versions has all dates. The result is
// nil for fewer than two times, since such a line would show nothing.
func timeLine(versions []view.Version) *line {
	var times []time.Time
	for _, v := range versions {
		if t := timeOf(v.Timestamp); !t.IsZero() {
			times = append(times, t)
		}
	}
	// Versions come with the oldest first. This also ensures that the divisor all is positive.
	if len(times) < 2 || !times[len(times)-1].After(times[0]) {
		return nil
	}
	first, last := times[0], times[len(times)-1]
	all := last.Sub(first).Seconds()
	// Positions are in per cent of the width: the line scales with the screen, without a script.
	place := func(t time.Time) float64 { return 5 + 90*t.Sub(first).Seconds()/all }
	// The description is for people who cannot see the drawing.
	l := &line{Description: "Versions from " + first.Format(time.DateOnly) + " to " + last.Format(time.DateOnly) +
		"; the table below has each."}
	// This is far enough to the left that the first label is always written.
	labelled := -100.0
	for _, v := range versions {
		t := timeOf(v.Timestamp)
		if t.IsZero() {
			continue
		}
		d := dot{X: perCent(place(t)), Class: "c1"}
		if v.Shown {
			// The page's own version is highlighted.
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

package view

import (
	"strconv"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
)

// facetOf makes a facet of groups, the most frequent first, of which at most top are listed.
func facetOf(f filterField, groups []contentdb.Group, top int, link func(value string) string, selected string) Facet {
	// Base counts before anything is left out, so that shares are of all captures.
	facet := Facet{Param: f.param, Field: f.field, Title: f.title, Values: []Value{}}
	for i, g := range groups {
		facet.Base += g.Count
		value := g.Values[0]
		// An empty value has a sign in parameters: an empty parameter means no filter.
		if value == "" {
			value = none
		}
		// The value in force is listed wherever it ranks, as its link takes the filter away.
		if i >= top && value != selected {
			facet.More++
			facet.Rest += g.Count
			continue
		}
		facet.Values = append(facet.Values, Value{
			Value: value, Label: f.labelOf(value), Count: g.Count, Link: link(value), Selected: value == selected,
		})
	}
	return facet
}

// complete adds the captures whose values were not counted apart: there are so many values.
func (f *Facet) complete(all int64) {
	// How many values these are is not known: one stands for them.
	if left := all - f.Base; left > 0 {
		f.More, f.Rest, f.Base = f.More+1, f.Rest+left, all
	}
}

// dated is the field by which a unit's time line is counted. The index counts by month, of which years are made.
func dated(unit string) string {
	if unit == "year" {
		return "month"
	}
	return unit
}

// timelineOf makes a time line of groups by year, month or day, with the empty ones between the first and the last.
func timelineOf(unit string, groups []contentdb.Group, link func(value string) string) Timeline {
	// Bars is never nil, since the API has it as a list.
	t := Timeline{Unit: unit, Bars: []Bar{}}
	counts := map[string]int64{}
	first, last := "", ""
	for _, g := range groups {
		label := g.Values[0]
		if label == "" {
			// Captures without a date are no bar at the left: they would look like the oldest.
			t.Undated, t.UndatedLink = g.Count, link(none)
			continue
		}
		// A month's label begins with its year.
		if unit == "year" {
			label = label[:min(4, len(label))]
		}
		counts[label] += g.Count
		// Labels are of one length, so their order as texts is that of time.
		if first == "" || label < first {
			first = label
		}
		last = max(last, label)
		t.Max = max(t.Max, counts[label])
	}
	if first == "" {
		return t
	}
	labels := span(unit, first, last)
	// The newest are kept, as with the years of a report.
	if len(labels) > MaxBars {
		labels, t.Cut = labels[len(labels)-MaxBars:], true
	}
	for _, label := range labels {
		b := Bar{Label: label, Count: counts[label]}
		// A year without captures leads nowhere.
		if b.Count > 0 {
			b.Link = link(label)
		}
		t.Bars = append(t.Bars, b)
	}
	return t
}

// span is all units from one to another.
func span(unit, first, last string) (labels []string) {
	// Labels of the index may be of years that are not dates.
	at, err := timeOf(unit, first)
	if err != nil {
		return []string{first} // a year beyond what packages know of time
	}
	layout := layouts[unit]
	// Years of captures are 4 digits, so there are 3.7 million days at most; a hostile archive should not cost that.
	for len(labels) < 4*MaxBars {
		label := at.Format(layout)
		if label > last {
			return labels
		}
		labels = append(labels, label)
		at = nextOf(unit, at)
	}
	// Too many: those after are what is shown, so they are made backwards.
	labels = nil
	end, err := timeOf(unit, last)
	if err != nil {
		return []string{last}
	}
	// One more than is shown, so that the caller sees that there are more.
	for range MaxBars + 1 {
		labels = append([]string{end.Format(layout)}, labels...)
		end = previousOf(unit, end)
	}
	return labels
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

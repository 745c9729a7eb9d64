package view

import (
	"strconv"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
)

// facetOf makes a facet of groups, the most frequent first. It lists at most top of them.
func facetOf(f filterField, groups []contentdb.Group, top int, link func(value string) string, selected string) Facet {
	// Base is counted before anything is left out, so that shares are relative to all captures.
	facet := Facet{Param: f.param, Field: f.field, Title: f.title, Values: []Value{}}
	for i, g := range groups {
		facet.Base += g.Count
		value := g.Values[0]
		// The empty value is written as a character, since an empty parameter means no filter.
		if value == "" {
			value = none
		}
		// The active value is always listed, as its link removes the filter.
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

// complete adds the captures whose values were not counted separately, because the field has too many values.
func (f *Facet) complete(all int64) {
	// The number of these values is unknown; they count as one.
	if left := all - f.Base; left > 0 {
		f.More, f.Rest, f.Base = f.More+1, f.Rest+left, all
	}
}

// dated returns the field that a unit's timeline is counted by. The index counts by month, and years are made from
// months.
func dated(unit string) string {
	if unit == "year" {
		return "month"
	}
	return unit
}

// timelineOf makes a timeline of groups by year, month or day, including empty ones between the first and the last.
func timelineOf(unit string, groups []contentdb.Group, link func(value string) string) Timeline {
	// Bars is never nil, since it is a list in the API.
	t := Timeline{Unit: unit, Bars: []Bar{}}
	counts := map[string]int64{}
	first, last := "", ""
	for _, g := range groups {
		label := g.Values[0]
		if label == "" {
			// Captures without a date are not a bar at the left, where they would look like the oldest.
			t.Undated, t.UndatedLink = g.Count, link(none)
			continue
		}
		// A month's label begins with its year.
		if unit == "year" {
			label = label[:min(4, len(label))]
		}
		counts[label] += g.Count
		// Labels have the same length, so their order as texts is the order of time.
		if first == "" || label < first {
			first = label
		}
		last = max(last, label)
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
		// Bars that are not shown would make the shown ones too small to see.
		t.Max = max(t.Max, b.Count)
		// A year without captures has no link.
		if b.Count > 0 {
			b.Link = link(label)
		}
		t.Bars = append(t.Bars, b)
	}
	return t
}

// span returns all units from first to last.
func span(unit, first, last string) (labels []string) {
	// Labels of the index may be years that are not valid dates.
	at, err := timeOf(unit, first)
	if err != nil {
		return []string{first} // a year that package time does not support
	}
	layout := layouts[unit]
	// Years of captures have 4 digits, so there are 3.7 million days at most. A hostile archive should not cost that.
	for len(labels) < 4*MaxBars {
		label := at.Format(layout)
		if label > last {
			return labels
		}
		labels = append(labels, label)
		at = nextOf(unit, at)
	}
	// There are too many. The last ones are shown, so they are made backwards.
	labels = nil
	end, err := timeOf(unit, last)
	if err != nil {
		return []string{last}
	}
	// It makes one more than is shown, so that the caller sees that there are more.
	for range MaxBars + 1 {
		labels = append([]string{end.Format(layout)}, labels...)
		end = previousOf(unit, end)
	}
	return labels
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

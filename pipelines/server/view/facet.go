package view

import (
	"strconv"

	"github.com/gleaner-web/gleaner/io/collection/contentdb"
)

// facetOf makes a facet of groups, the most frequent first, of which at most top are listed.
func facetOf(f filterField, groups []contentdb.Group, top int, link func(value string) string, selected string) Facet {
	facet := Facet{Param: f.param, Field: f.field, Title: f.title, Values: []Value{}}
	for i, g := range groups {
		facet.Base += g.Count
		value := g.Values[0]
		if value == "" {
			value = none
		}
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
	t := Timeline{Unit: unit, Bars: []Bar{}}
	counts := map[string]int64{}
	first, last := "", ""
	for _, g := range groups {
		label := g.Values[0]
		if label == "" {
			t.Undated, t.UndatedLink = g.Count, link(none)
			continue
		}
		if unit == "year" {
			label = label[:min(4, len(label))]
		}
		counts[label] += g.Count
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
	if len(labels) > MaxBars {
		labels, t.Cut = labels[len(labels)-MaxBars:], true
	}
	for _, label := range labels {
		b := Bar{Label: label, Count: counts[label]}
		if b.Count > 0 {
			b.Link = link(label)
		}
		t.Bars = append(t.Bars, b)
	}
	return t
}

// span is all units from one to another.
func span(unit, first, last string) (labels []string) {
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
	// Too many: those behind are what is shown, so they are made backwards.
	labels = nil
	end, err := timeOf(unit, last)
	if err != nil {
		return []string{last}
	}
	for range MaxBars + 1 {
		labels = append([]string{end.Format(layout)}, labels...)
		end = previousOf(unit, end)
	}
	return labels
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

package view

import (
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
)

// deliveredOver counts the captures of runs by the day of the run, or by its month if they span more than 90 days.
func deliveredOver(collection string, runs []RunRow) Timeline {
	var first, last time.Time
	for _, r := range runs {
		at, err := time.Parse(time.RFC3339, r.Started)
		if err != nil {
			continue // a run of an earlier version
		}
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	unit := "day"
	if last.Sub(first) > 90*24*time.Hour {
		unit = "month"
	}
	counts := map[string]int64{}
	for _, r := range runs {
		label := ""
		if at, err := time.Parse(time.RFC3339, r.Started); err == nil {
			label = at.UTC().Format(layouts[unit])
		}
		counts[label] += r.Captures
	}
	var groups []contentdb.Group
	for label, n := range counts {
		groups = append(groups, contentdb.Group{Values: []string{label}, Count: n})
	}
	return timelineOf(unit, groups, func(string) string { return page(collection, "runs", nil) })
}

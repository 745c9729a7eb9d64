package main

import (
	"slices"

	"github.com/gleaner-web/gleaner/internal/sitetest"
)

// timeline is when a feed's items were published.
type timeline = sitetest.Timeline

// classes are those of the timelines, sorted.
func classes(list []timeline) []string {
	var names []string
	for _, t := range list {
		names = append(names, t.Class)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

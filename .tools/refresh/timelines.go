package main

import (
	"slices"

	"github.com/gleaner-web/gleaner/internal/sitetest"
)

// timeline has the publication times of a feed's items.
type timeline = sitetest.Timeline

// classes returns the classes of the timelines, sorted.
func classes(list []timeline) []string {
	var names []string
	for _, t := range list {
		names = append(names, t.Class)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"
)

// timeline is when a feed's items were published.
type timeline struct {
	Feed   string    `json:"feed"`
	Class  string    `json:"class"`
	Window int       `json:"window"` // items that the feed shows at a time
	Begin  float64   `json:"begin"`  // hours since 1970
	End    float64   `json:"end"`
	Times  []float64 `json:"times"` // hours since 1970, ascending
}

// readTimelines reads a file of one timeline a line, gzipped.
func readTimelines(name string) (list []timeline, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it is only read
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20) // a fast feed's year is a line of some megabytes
	for lines.Scan() {
		var t timeline
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, len(list)+1, err)
		}
		if t.Window < 1 || t.End < t.Begin || !slices.IsSorted(t.Times) {
			return nil, fmt.Errorf("%s: line %d: not a timeline", name, len(list)+1)
		}
		list = append(list, t)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

// at is a moment of a timeline.
func at(hour float64) time.Time { return time.Unix(0, int64(hour*float64(time.Hour))).UTC() }

// classes are those of the timelines, sorted.
func classes(list []timeline) []string {
	var names []string
	for _, t := range list {
		names = append(names, t.Class)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

package sitetest

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"time"
)

// Timeline is a line of a file of recorded timelines: when a feed's items were published.
type Timeline struct {
	Feed   string `json:"feed"`
	Class  string `json:"class"`
	Window int    `json:"window"` // number of items in the feed
	// Hours as recorded, with fractions.
	Begin float64   `json:"begin"` // hours since 1970
	End   float64   `json:"end"`
	Times []float64 `json:"times"` // hours since 1970, ascending
}

// ReadTimelines reads a gzip file with a timeline per line.
func ReadTimelines(name string) (list []Timeline, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20) // a fast feed's year is some megabytes
	for lines.Scan() {
		var t Timeline
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

// Model makes artificial timelines: Poisson processes with rates from one item a fortnight to perDay a day. Equal
// numbers give equal timelines.
func Model(sites int, perDay float64, days int) (list []Timeline) {
	for i := range sites {
		name := fmt.Sprintf("model-%03d", i)
		sum := fnv.New64a()
		_, _ = sum.Write([]byte(name)) // a hash never fails to write
		// Seeded by name, so that a site does not depend on the number of sites.
		chance := rand.New(rand.NewPCG(sum.Sum64(), 7))
		share := float64(i) / float64(max(1, sites-1))
		rate := 1.0/14 + share*share*share*perDay // most sites are slow
		// Thirty more days, so that feeds have items from before the web's start.
		t := Timeline{Feed: name, Class: "model", Window: 10 + 5*(i%4), Begin: 0, End: float64(days+30) * 24}
		for at := 0.0; ; {
			// Intervals of a Poisson process are exponential with the mean 1/rate; here in hours.
			at += chance.ExpFloat64() * 24 / rate
			if at >= t.End {
				break
			}
			t.Times = append(t.Times, at)
		}
		list = append(list, t)
	}
	return list
}

// AddAll adds a site for each timeline, shifted to end with the given days after the web's start. One site of every
// odd has a habit other than Plain, each habit in turn.
func (w *Web) AddAll(list []Timeline, days, odd int) {
	habit := Plain
	for i, t := range list {
		s := Site{Host: fmt.Sprintf("site-%03d.example.org", i), Class: t.Class, Window: t.Window}
		// Timelines end together, whenever they were recorded.
		shift := w.start.Sub(Hour(t.End)) + time.Duration(days)*24*time.Hour
		for _, at := range t.Times {
			// Feeds have no fractions of seconds.
			s.Times = append(s.Times, Hour(at).Add(shift).Truncate(time.Second))
		}
		// A feed shows at most a window of earlier items.
		before, _ := slices.BinarySearchFunc(s.Times, w.start, time.Time.Compare)
		s.Times = s.Times[max(0, before-s.Window):]
		if i%odd == odd-1 {
			// From 1 to Habits-1, without Plain.
			habit = habit%(Habits-1) + 1
			s.Habit = habit
		}
		if s.Habit == Moves {
			// The new host is another site: see Add.
			s.Moved = fmt.Sprintf("moved-%03d.example.net", i)
		}
		w.Add(s)
	}
}

// Hour converts a time of a timeline.
func Hour(h float64) time.Time { return time.Unix(0, int64(h*float64(time.Hour))).UTC() }

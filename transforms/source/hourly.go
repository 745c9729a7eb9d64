package source

import (
	"math"
	"time"
)

const (
	// minHourly is how many dates it takes to see the hours of the day in them.
	minHourly = 60
	// maxHourly is the interval from which on it does not matter when in a day a visit begins.
	maxHourly = 12 * time.Hour
	// evenHourly is how many items are added to each hour, so that a gap in few dates is not taken for a night.
	evenHourly = 2.0
)

// hourly is how densely a source is to be visited in each hour of the day (UTC), 1 on average: the square root of how
// densely it publishes then, by the same law as the interval.
type hourly [24]float64

func hoursOf(dates []time.Time) (h hourly) {
	var count [24]float64
	for _, d := range dates {
		count[d.UTC().Hour()]++
	}
	sum := 0.0
	for i := range h {
		// Neighbours count half: an hour's edge is arbitrary.
		around := (count[(i+23)%24] + 2*count[i] + count[(i+1)%24]) / 4
		h[i] = math.Sqrt(around + evenHourly)
		sum += h[i]
	}
	// The mean becomes 1: an interval of a whole day would stay as long as it is.
	for i := range h {
		h[i] *= 24 / sum
	}
	return h
}

// warp is the time from a moment in which an interval passes when each hour of the day counts by its density. It takes
// at most some tens of steps, since an interval is below maxHourly and no hour counts for nothing.
func (h hourly) warp(from time.Time, interval time.Duration) time.Duration {
	at, left := from.UTC(), float64(interval)
	for {
		density := h[at.Hour()]
		// To the end of the hour that it is: the first step may be a part of one.
		end := at.Truncate(time.Hour).Add(time.Hour)
		// The hour is used up whole, and counts by its density; what is left passes in the next.
		if room := float64(end.Sub(at)); room*density < left {
			left -= room * density
			at = end
			continue
		}
		return at.Add(time.Duration(left / density)).Sub(from)
	}
}

package source

import (
	"math"
	"time"
)

const (
	// minHourly is the fewest dates that show the hours of the day.
	minHourly = 60
	// maxHourly is the interval from which the hour of a visit does not matter.
	maxHourly = 12 * time.Hour
	// evenHourly is added to the items of each hour, so that a gap in few dates does not look like a night.
	evenHourly = 2.0
)

// hourly is the density of visits to a source by hour of the day (UTC), 1 on average. It is the square root of the
// density of publication, by the same law as the interval.
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
	// The mean becomes 1, so that an interval of a whole day stays the same.
	for i := range h {
		h[i] *= 24 / sum
	}
	return h
}

// warp is the time from a start in which an interval passes if each hour of the day counts by its density. It takes at
// most some tens of steps, since an interval is below maxHourly and no density is 0.
func (h hourly) warp(from time.Time, interval time.Duration) time.Duration {
	at, left := from.UTC(), float64(interval)
	for {
		density := h[at.Hour()]
		// To the end of the current hour: the first step may be part of one.
		end := at.Truncate(time.Hour).Add(time.Hour)
		// The whole hour is used up by its density; the rest passes in the next.
		if room := float64(end.Sub(at)); room*density < left {
			left -= room * density
			at = end
			continue
		}
		return at.Add(time.Duration(left / density)).Sub(from)
	}
}

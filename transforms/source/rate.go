package source

import (
	"math"
	"time"
)

// Pace is what a source's item dates say of how often it publishes: a number of items and the time in which they came,
// both with forgetting. It is the posterior of a Poisson rate with a gamma prior, whose shape is Items.
type Pace struct {
	Items float64
	Time  time.Duration
}

// The constants of PaceOf are those of which a policy misses least, on the given half of the timelines
// (docs/sources.md).
const (
	// memory is how fast what a source did is forgotten: an item of that age counts 1/e.
	memory = 15 * 24 * time.Hour
	// prior are items that were never seen, so that a silent source has a rate above zero, which falls as the silence
	// grows.
	prior = 0.1
	// exposurePrior widens the time looked at by a share of itself. A fixed time would be wrong for one of two kinds
	// of sources: the window of a fast feed spans minutes, that of a slow one years.
	exposurePrior = 0.05
	// leastExposure is for feeds that published all they show at one moment.
	leastExposure = 30 * time.Minute
)

// PaceOf measures the pace at a moment from the dates of the items known, in any order. Dates after the moment do not
// count. The silence since the newest item does: it is time in which nothing came.
//
// since is when the list begins to be whole: items up to then are not counted, nor is the time. A zero time stands for
// the oldest of the dates, which is right when a feed shows as many items as it can.
func PaceOf(dates []time.Time, since, asOf time.Time) Pace {
	p := count(dates, since, asOf, memory)
	p.Items += prior
	p.Time += time.Duration(exposurePrior * float64(p.Time))
	return p
}

// count adds up items and time with forgetting.
func count(dates []time.Time, since, asOf time.Time, memory time.Duration) (p Pace) {
	if since.IsZero() {
		since = oldest(dates, asOf)
	}
	for _, d := range dates {
		// Half open: since is the moment up to which the list is not whole.
		if d.After(since) && !d.After(asOf) {
			p.Items += math.Exp(-float64(asOf.Sub(d)) / float64(memory))
		}
	}
	// The time is forgotten like the items: the integral of what a moment counts, from since to now.
	seen := max(0, asOf.Sub(since))
	p.Time = max(leastExposure, time.Duration(float64(memory)*-math.Expm1(-float64(seen)/float64(memory))))
	return p
}

// oldest is the first of the dates, or a month before the moment where there is none.
func oldest(dates []time.Time, asOf time.Time) time.Time {
	if len(dates) == 0 {
		return asOf.Add(-30 * 24 * time.Hour)
	}
	first := asOf
	for _, d := range dates {
		if d.Before(first) {
			first = d
		}
	}
	return first
}

// perDay is the mean rate in items a day.
func (p Pace) perDay() float64 { return p.Items / p.Time.Hours() * 24 }

const (
	// Rate remembers the time in which so many items come, but no less and no more than these. Constants of the least
	// error on the given timelines; without the bounds the error is 5 in 100 larger on news.
	rateItems     = 5
	leastRateTime = 2 * 24 * time.Hour
	mostRateTime  = 45 * 24 * time.Hour
	// medianShift is by how much the median of a gamma distribution lies below its mean, in units of its shape (Chen
	// and Rubin 1986 give the bounds 0 and 1/3; it goes to 1/3 quickly).
	medianShift = 1.0 / 3
)

// Rate estimates how many items a source publishes a day, by its item dates: see PaceOf for these. It is the median of
// what the rate may be, so it is as often too low as too high. A source of no item has the rate 0.
//
// From one capture, the number of items of the next month is off by a factor of 1.5 (blogs) to 2 (news) on average.
func Rate(dates []time.Time, since, asOf time.Time) float64 {
	first := count(dates, since, asOf, 2*memory)
	if first.Items == 0 {
		return 0
	}
	// A fast source is judged by its last days, a slow one by its last weeks.
	long := time.Duration(rateItems / first.perDay() * float64(24*time.Hour))
	if first.perDay()*mostRateTime.Hours()/24 < rateItems {
		long = mostRateTime // and long may not be a time at all
	}
	p := count(dates, since, asOf, min(mostRateTime, max(leastRateTime, long)))
	// For few items the shift would be more than there is: half of them is the least.
	p.Items = max(p.Items/2, p.Items-medianShift)
	return p.perDay()
}

package source

import (
	"math"
	"time"
)

// Pace is the publication frequency by item dates: a number of items and their time span, both with exponential
// forgetting. It is the posterior of a Poisson rate with a gamma prior, whose shape is Items.
type Pace struct {
	Items float64
	Time  time.Duration
}

// The constants of PaceOf with which a policy misses least, on the given half of the timelines (docs/sources.md).
const (
	// memory is the age at which an item counts 1/e.
	memory = 15 * 24 * time.Hour
	// prior is a number of unseen items, so that a silent source has a rate above zero, which falls as the silence
	// grows.
	prior = 0.1
	// exposurePrior lengthens the time span by a share of itself. A fixed time would suit only some sources: the
	// window of a fast feed spans minutes, that of a slow one years.
	exposurePrior = 0.05
	// leastExposure is for feeds that published all visible items at once.
	leastExposure = 30 * time.Minute
)

// PaceOf measures the pace at a time from the dates of the known items, in any order. Later dates do not count. The
// silence since the newest item does, as time without items.
//
// The list is complete from since on: earlier items and time do not count. A zero time means the oldest of the dates,
// which is right if a feed shows as many items as it can.
func PaceOf(dates []time.Time, since, asOf time.Time) Pace {
	p := count(dates, since, asOf, memory)
	p.Items += prior
	p.Time += time.Duration(exposurePrior * float64(p.Time))
	return p
}

// count sums items and time with forgetting.
func count(dates []time.Time, since, asOf time.Time, memory time.Duration) (p Pace) {
	if since.IsZero() {
		since = oldest(dates, asOf)
	}
	for _, d := range dates {
		// Half open: up to since the list is not complete.
		if d.After(since) && !d.After(asOf) {
			p.Items += math.Exp(-float64(asOf.Sub(d)) / float64(memory))
		}
	}
	// Time is forgotten like items: the integral of the weight from since to now.
	seen := max(0, asOf.Sub(since))
	p.Time = max(leastExposure, time.Duration(float64(memory)*-math.Expm1(-float64(seen)/float64(memory))))
	return p
}

// oldest is the first of the dates, or a month before asOf without dates.
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

// perDay is the mean number of items per day.
func (p Pace) perDay() float64 { return p.Items / p.Time.Hours() * 24 }

const (
	// Rate remembers the time of so many items, within these bounds. The constants have the least error on the given
	// timelines; without the bounds the error is 5 % larger on news.
	rateItems     = 5
	leastRateTime = 2 * 24 * time.Hour
	mostRateTime  = 45 * 24 * time.Hour
	// medianShift is the distance of a gamma distribution's median below its mean, in units of its shape. Chen and
	// Rubin 1986 give the bounds 0 and 1/3; it approaches 1/3 quickly.
	medianShift = 1.0 / 3
)

// Rate estimates how many items a source publishes per day by its item dates, see PaceOf. It is the median, so it is
// as often too low as too high. A source without items has rate 0.
//
// From one capture, the number of items in the next month is off by a factor of 1.5 (blogs) to 2 (news) on average.
func Rate(dates []time.Time, since, asOf time.Time) float64 {
	first := count(dates, since, asOf, 2*memory)
	if first.Items == 0 {
		return 0
	}
	// A fast source is judged by its last days, a slow one by its last weeks.
	long := time.Duration(rateItems / first.perDay() * float64(24*time.Hour))
	if first.perDay()*mostRateTime.Hours()/24 < rateItems {
		long = mostRateTime // and long may overflow
	}
	p := count(dates, since, asOf, min(mostRateTime, max(leastRateTime, long)))
	// For few items the shift is limited to half of them.
	p.Items = max(p.Items/2, p.Items-medianShift)
	return p.perDay()
}

package source

import (
	"math"
	"time"
)

// DefaultDelay is the default of Policy.Delay. On the timelines of .tools/refresh it makes 29.75 % of the visits of a
// fixed interval of two hours, and misses .13 % of the items. 4 hours make 30.006 %; from 4h15m on, twice as many items
// of news are missed.
const DefaultDelay = 4*time.Hour + 5*time.Minute

// Policy decides when a source is visited again. The zero Policy has the defaults.
type Policy struct {
	// Delay is the one knob: the value of a visit, as the time that an item may wait for it. Sources are visited each
	// sqrt(Delay/rate): DefaultDelay by default, an hour for a news desk, 64 for an archive.
	Delay time.Duration
	// Miss is the probability, for one interval, that more items come than the feed shows at a time; default 0.02.
	Miss float64
	Min  time.Duration // default 10 minutes
	Max  time.Duration // default 14 days
}

func (p Policy) withDefaults() Policy {
	if p.Delay <= 0 {
		p.Delay = DefaultDelay
	}
	if p.Miss <= 0 {
		p.Miss = 0.02
	}
	if p.Min <= 0 {
		p.Min = 10 * time.Minute
	}
	if p.Max <= 0 {
		p.Max = 14 * 24 * time.Hour
	}
	return p
}

// Visit is the last visit as far as the next one depends on it.
type Visit struct {
	Time   time.Time
	Window int           // items that the feed shows at a time; 0 if unknown
	AllNew bool          // all items were new: some may have been lost
	Since  time.Duration // since the visit before; 0 for the first
}

// Next returns the time of the visit after v. The dates are those of the items known then, in any order, and since is
// when their list begins to be complete (see PaceOf).
//
// The interval minimises the mean wait of items for a number of visits shared by all sources. It minimises the sum of
// rate·τ/2 for a fixed sum of 1/τ, so τ is proportional to the inverse square root of the rate. It is at most the time
// in which, with probability 1 - Miss, no more items come than the feed shows; see Pace.window. Intervals below half a
// day become longer in quiet hours of the day, and shorter in busy ones.
func (p Policy) Next(dates []time.Time, since time.Time, v Visit) time.Time {
	p = p.withDefaults()
	interval := p.interval(PaceOf(dates, since, v.Time), v)
	if interval < maxHourly && len(dates) >= minHourly {
		interval = hoursOf(dates).warp(v.Time, interval)
	}
	return v.Time.Add(min(p.Max, max(p.Min, interval)))
}

// interval is the time to the next visit by the pace alone.
func (p Policy) interval(pace Pace, v Visit) time.Duration {
	// The silence since the newest item lowers the rate, so the interval grows by itself.
	perHour := pace.Items / pace.Time.Hours()
	interval := min(p.Max, hours(math.Sqrt(p.Delay.Hours()/perHour)))
	if v.Window > 0 {
		// One item of room is for permanent ones, such as a pinned post.
		interval = min(interval, pace.window(max(1, v.Window-1), p.Miss))
	}
	// All items were new, so others may have come and gone unseen: the next visit comes in half the time.
	if v.AllNew && v.Since > 0 {
		interval = min(interval, v.Since/2)
	}
	return interval
}

// hours converts a number of hours, which may exceed a duration.
func hours(h float64) time.Duration {
	return time.Duration(min(h, 1e6) * float64(time.Hour))
}

// burst bounds the certainty of a rate for the window, as after that many items. Items come in bursts: their gaps have
// a coefficient of variation of 0.8 to 2.4 by kind of source, while a Poisson process has 1. So many past items do not
// make the next number as certain as the formula says. With 1, a third of the items that 3 loses are lost, for 6 %
// more visits, on the given timelines.
const burst = 3.0

// window is the longest time in which more than room items come with probability at most miss, found by bisection to 2
// %. It is between half a minute and a year.
func (p Pace) window(room int, miss float64) time.Duration {
	// Items and time shrink together: the rate stays, and its certainty falls.
	shape, exposure := p.Items, p.Time.Hours()
	if shape > burst {
		shape, exposure = burst, exposure*burst/shape
	}
	rises := risesOf(shape, room)
	// Hours. Each step halves the logarithm of their ratio, so a million comes down to 1.02 in ten.
	low, high := 1e-2, 1e4
	// The bisection is by ratios, as the range is six powers of ten.
	for high/low > 1.02 {
		middle := math.Sqrt(low * high)
		if exceeds(shape, exposure, rises, middle, miss) {
			high = middle
		} else {
			low = middle
		}
	}
	return hours(low)
}

// risesOf returns, for each number of items up to room, the part of its log probability that does not depend on the
// time. It is a difference to one item less. State bounds room.
func risesOf(shape float64, room int) []float64 {
	rises := make([]float64, room)
	for i := range rises {
		k := float64(i + 1)
		rises[i] = math.Log((shape + k - 1) / k)
	}
	return rises
}

// exceeds reports whether, with probability above miss, more items than rises come in some hours. Their number is
// Poisson with a gamma distributed rate: the upper tail of a negative binomial distribution.
func exceeds(shape, exposure float64, rises []float64, hours, miss float64) bool {
	stay := exposure / (exposure + hours)
	// Sums of logarithms: the factors alone exceed the range of a float64.
	logs := shape * math.Log(stay)
	sum, step := math.Exp(logs), math.Log1p(-stay)
	for _, rise := range rises {
		// The sum only grows, so no later item changes this.
		if 1-sum <= miss {
			return false
		}
		logs += step + rise
		sum += math.Exp(logs)
	}
	return 1-sum > miss
}

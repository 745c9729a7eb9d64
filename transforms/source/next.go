package source

import (
	"math"
	"time"
)

// DefaultDelay makes 29.75 % of the visits that fixed two hours make, on the timelines of .tools/refresh, and misses
// .13 % of the items. 4 hours make 30.006 %; from 4h15m on, twice as many items of news are missed.
const DefaultDelay = 4*time.Hour + 5*time.Minute

// Policy says when a source is visited again. The zero Policy has the defaults.
type Policy struct {
	// Delay is the one knob: what a visit is worth, as the time that an item may wait for its visit. Sources are visited
	// each sqrt(Delay/rate): DefaultDelay by default, an hour for a news desk, 64 for an archive.
	Delay time.Duration
	// Miss is the chance, for one interval, that more items come than the feed shows at a time: 0.02 by default.
	Miss float64
	Min  time.Duration // no sooner: 10 minutes by default
	Max  time.Duration // no later: 14 days by default
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

// Visit is what the last visit showed, as far as the next one depends on it.
type Visit struct {
	Time   time.Time
	Window int           // items that the feed shows at a time; 0 when it is not known
	AllNew bool          // none of them was known: some may have been lost
	Since  time.Duration // from the visit before; 0 when there was none
}

// Next is when to come after a visit, given the dates of the items known then, in any order, and since when the list of
// these is whole (see PaceOf).
//
// The interval minimises the mean wait of items for a number of visits shared by all sources: the sum of rate·τ/2 with
// the sum of 1/τ held, which gives τ proportional to the inverse square root of the rate. It is cut to the longest
// time in which, with the probability 1 - Miss, no more items come than the feed shows; see Pace.window. Intervals
// below half a day are stretched where the source is quiet at that time of the day and shortened where it is busy.
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
	// The silence since the newest item lowers the rate, so that the interval grows without a rule of its own.
	perHour := pace.Items / pace.Time.Hours()
	interval := min(p.Max, hours(math.Sqrt(p.Delay.Hours()/perHour)))
	if v.Window > 0 {
		// The one item of room is for what the feed shows for good, such as a pinned post.
		interval = min(interval, pace.window(max(1, v.Window-1), p.Miss))
	}
	// All of what was shown is new: more may have come and gone unseen, so the next visit comes in half the time.
	if v.AllNew && v.Since > 0 {
		interval = min(interval, v.Since/2)
	}
	return interval
}

// hours makes a duration of a number of hours, which may be larger than a duration can be.
func hours(h float64) time.Duration {
	return time.Duration(min(h, 1e6) * float64(time.Hour))
}

// burst is the most certain that a rate is taken to be when a feed's window is at stake: as after that many items.
// Items come in bursts (the gaps between them have a coefficient of variation of 0.8 to 2.4, by kind of source, and a
// Poisson process has 1), so many past items do not make the number of the next as certain as the formula would have
// it. 1 loses a third of what 3 does for 6 in 100 visits more, on the given timelines.
const burst = 3.0

// window is the longest time in which more than room items come with a probability of at most miss, found by bisection
// to 2 in 100. It lies between half a minute and a year.
func (p Pace) window(room int, miss float64) time.Duration {
	// Items and time shrink together: the rate stays, and what is thought of its certainty falls.
	shape, exposure := p.Items, p.Time.Hours()
	if shape > burst {
		shape, exposure = burst, exposure*burst/shape
	}
	rises := risesOf(shape, room)
	// Hours. Each step halves the logarithm of their ratio, so that a million comes down to 1.02 in ten.
	low, high := 1e-2, 1e4
	// The bisection is by ratios, as the range goes over six powers of ten.
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

// risesOf are, for each number of items up to room, what of the logarithm of its probability does not depend on the
// time: the difference to that of one item less. room is bounded by State's items.
func risesOf(shape float64, room int) []float64 {
	rises := make([]float64, room)
	for i := range rises {
		k := float64(i + 1)
		rises[i] = math.Log((shape + k - 1) / k)
	}
	return rises
}

// exceeds reports whether more items come in some hours than there are rises, with a probability above miss, when their
// number is Poisson distributed with a rate that is gamma distributed: the upper tail of a negative binomial
// distribution.
func exceeds(shape, exposure float64, rises []float64, hours, miss float64) bool {
	stay := exposure / (exposure + hours)
	// Sums of logarithms: the factors are too small and too large for a float64 by themselves.
	logs := shape * math.Log(stay)
	sum, step := math.Exp(logs), math.Log1p(-stay)
	for _, rise := range rises {
		// The sum only grows, so that no later item changes this.
		if 1-sum <= miss {
			return false
		}
		logs += step + rise
		sum += math.Exp(logs)
	}
	return 1-sum > miss
}

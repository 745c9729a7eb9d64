package main

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/internal/sitetest"
)

const (
	maxDays = 180  // of a timeline are simulated, the last ones
	minDays = 20   // a timeline is simulated that has so many
	maxSeen = 2000 // items that a policy may remember: a week of the fastest feed
)

// history is what visits showed of a feed. A policy may use nothing else.
type history struct {
	seen     []time.Time // dates of the items, ascending
	since    time.Time   // where seen begins to be whole, when older items were forgotten
	now      time.Time
	visits   int
	window   int
	shown    int           // items that the feed showed at this visit
	fresh    int           // of these, how many had not been seen
	interval time.Duration // since the visit before
	changes  []change
	memory   time.Duration // what a policy that adapts its last interval keeps
}

// change is whether anything was new after some hours.
type change struct {
	hours float64
	any   bool
}

// policy gives the time to the next visit.
type policy func(h *history) time.Duration

// result sums up what visits showed.
type result struct {
	visits, items, missed int
	delay                 float64 // hours, of all items that were seen
	days                  float64
	perDay                []float64 // visits a day of each feed
}

func (r *result) add(o result) {
	r.visits, r.items, r.missed = r.visits+o.visits, r.items+o.items, r.missed+o.missed
	r.delay, r.days = r.delay+o.delay, r.days+o.days
	r.perDay = append(r.perDay, o.perDay...)
}

// visitsPerDay is the mean over feeds.
func (r result) visitsPerDay() (mean float64) {
	for _, v := range r.perDay {
		mean += v / float64(len(r.perDay))
	}
	return mean
}

func (r result) missedPercent() float64 { return 100 * float64(r.missed) / float64(max(1, r.items)) }
func (r result) meanDelay() float64     { return r.delay / float64(max(1, r.items-r.missed)) }

// simulate visits one feed. An item is missed when it was published after one visit and is not among those that the
// feed shows at the next. Each interval is made longer or shorter by up to a twentieth, as a crawler's queue does.
func simulate(t timeline, next policy) (r result) {
	begin := max(t.Begin, t.End-maxDays*24)
	if t.End-begin < minDays*24 {
		return result{}
	}
	name := fnv.New64a()
	_, _ = name.Write([]byte(t.Feed)) // a hash takes all
	chance := rand.New(rand.NewPCG(name.Sum64(), 1))
	h := &history{window: t.Window}
	known := 0
	for now := begin + chance.Float64(); now < t.End; {
		last, _ := slices.BinarySearch(t.Times, now)
		shown := max(0, last-t.Window)
		if h.visits == 0 {
			known = shown // what was there before the first visit is neither seen late nor missed
		} else {
			r.items += last - known
			r.missed += max(0, shown-known)
			for _, published := range t.Times[max(known, shown):last] {
				r.delay += now - published
			}
		}
		h.visit(sitetest.Hour(now), t.Times[max(known, shown):last], last-shown)
		known = last
		now += next(h).Hours() * (0.95 + 0.1*chance.Float64())
	}
	r.visits = h.visits
	r.days = (t.End - begin) / 24
	r.perDay = []float64{float64(r.visits) / r.days}
	return r
}

// visit notes what a visit showed.
func (h *history) visit(now time.Time, fresh []float64, shown int) {
	if h.visits > 0 {
		h.interval = now.Sub(h.now)
		h.changes = append(h.changes, change{h.interval.Hours(), len(fresh) > 0})
	}
	for _, published := range fresh {
		h.seen = append(h.seen, sitetest.Hour(published))
	}
	if drop := len(h.seen) - maxSeen; drop > 0 {
		h.seen = h.seen[drop:]
		h.since = h.seen[0]
	}
	h.now, h.shown, h.fresh = now, shown, len(fresh)
	h.visits++
}

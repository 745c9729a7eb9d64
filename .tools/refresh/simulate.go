package main

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/internal/sitetest"
)

const (
	maxDays = 180  // the last days of a timeline are simulated
	minDays = 20   // shorter timelines are skipped
	maxSeen = 2000 // items that a policy may remember: a week of the fastest feed
)

// history is what visits have shown of a feed, the only input of policies.
type history struct {
	seen     []time.Time // ascending dates of items
	since    time.Time   // start of complete data in seen, if older items were dropped
	now      time.Time
	visits   int
	window   int
	shown    int           // items in the feed at this visit
	fresh    int           // of these, new items
	interval time.Duration // since the previous visit
	changes  []change
	memory   time.Duration // state of an adaptive policy
}

// change holds whether anything was new after some hours.
type change struct {
	hours float64
	any   bool
}

// policy returns the time until the next visit.
type policy func(h *history) time.Duration

// result sums up visits.
type result struct {
	visits, items, missed int
	delay                 float64 // hours, over all items seen
	days                  float64
	perDay                []float64 // visits per day of each feed
}

func (r *result) add(o result) {
	r.visits, r.items, r.missed = r.visits+o.visits, r.items+o.items, r.missed+o.missed
	r.delay, r.days = r.delay+o.delay, r.days+o.days
	r.perDay = append(r.perDay, o.perDay...)
}

// visitsPerDay returns the mean over feeds.
func (r result) visitsPerDay() (mean float64) {
	for _, v := range r.perDay {
		mean += v / float64(len(r.perDay))
	}
	return mean
}

func (r result) missedPercent() float64 { return 100 * float64(r.missed) / float64(max(1, r.items)) }
func (r result) meanDelay() float64     { return r.delay / float64(max(1, r.items-r.missed)) }

// simulate visits one feed. An item is missed if it appears after one visit and has left the feed by the next.
// Intervals vary by up to 5%, as in a crawler's queue.
func simulate(t timeline, next policy) (r result) {
	begin := max(t.Begin, t.End-maxDays*24)
	if t.End-begin < minDays*24 {
		return result{}
	}
	name := fnv.New64a()
	_, _ = name.Write([]byte(t.Feed)) // a hash never fails to write
	chance := rand.New(rand.NewPCG(name.Sum64(), 1))
	h := &history{window: t.Window}
	known := 0
	for now := begin + chance.Float64(); now < t.End; {
		last, _ := slices.BinarySearch(t.Times, now)
		shown := max(0, last-t.Window)
		if h.visits == 0 {
			known = shown // earlier items count as neither late nor missed
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

// visit notes the result of a visit.
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

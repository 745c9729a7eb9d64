package main

import (
	"math"
	"time"

	"github.com/gleaner-web/gleaner/transforms/source"
)

const day = 24 * time.Hour

// named is a policy with its name in the table.
type named struct {
	name string
	make func() policy // policies keep state only in history.memory
}

// ours returns the policy of package source, with as many items as a source's state has.
func ours(delay time.Duration) policy {
	p := source.Policy{Delay: delay}
	return func(h *history) time.Duration {
		seen, since := h.seen, h.since
		if drop := len(seen) - source.MaxItems; drop > 0 {
			seen = seen[drop:]
			since = seen[0]
		}
		v := source.Visit{Time: h.now, Window: h.window, AllNew: h.fresh >= h.window, Since: h.interval}
		return p.Next(seen, since, v).Sub(h.now)
	}
}

// peers are the policies of other readers and crawlers, from their sources in November 2026.
var peers = []named{
	{"fixed 1 h (FreshRSS)", func() policy { return fixed(time.Hour) }},
	{"fixed 2 h", func() policy { return fixed(2 * time.Hour) }},
	{"fixed 6 h (Media Cloud)", func() policy { return fixed(6 * time.Hour) }},
	{"fixed 24 h", func() policy { return fixed(day) }},
	{"news-crawl, 90 min to 90 d", func() policy { return adaptive(90*time.Minute, 90*day, 12*time.Hour) }},
	{"news-crawl, 10 min to 14 d", func() policy { return adaptive(10*time.Minute, 14*day, 3*time.Hour) }},
	{"Miniflux entry_frequency", func() policy { return miniflux }},
	{"NewsBlur, 1 subscriber", func() policy { return newsblur }},
	{"Media Cloud, auto-adjust", func() policy { return mediacloud }},
	{"Cho & Garcia-Molina", func() policy { return choGarciaMolina }},
}

func fixed(interval time.Duration) policy {
	return func(*history) time.Duration { return interval }
}

// adaptive is StormCrawler's AdaptiveFetchScheduler with news-crawl's settings: longer by half after a visit without
// new items, shorter by a fifth after others.
func adaptive(least, most, start time.Duration) policy {
	return func(h *history) time.Duration {
		switch {
		case h.visits == 1:
			h.memory = start
		case h.fresh > 0:
			h.memory = h.memory * 4 / 5
		default:
			h.memory = h.memory * 3 / 2
		}
		h.memory = min(most, max(least, h.memory))
		return h.memory
	}
}

// newer counts the items seen that are younger than age.
func (h *history) newer(age time.Duration) (n int) {
	for _, d := range h.seen {
		if h.now.Sub(d) < age {
			n++
		}
	}
	return n
}

// miniflux divides a week by the number of items in the last one, between 5 minutes and a day.
func miniflux(h *history) time.Duration {
	n := h.newer(7 * day)
	if n == 0 {
		return day
	}
	return min(day, max(5*time.Minute, 7*day/time.Duration(n)))
}

// newsblur is get_next_scheduled_update of its feed model, for a feed with one subscriber.
func newsblur(h *history) time.Duration {
	perDay := float64(h.newer(30*day)) / 30
	minutes := 720.0
	switch {
	case perDay >= 1:
		minutes = 60
	case perDay > 0:
		minutes = 720 - perDay*720
	case len(h.seen) > 0:
		minutes *= max(1, h.now.Sub(h.seen[len(h.seen)-1]).Hours()/(30*24))
	}
	return time.Duration(min(720, max(1, minutes)) * float64(time.Minute))
}

// mediacloud steps by half an hour: sooner if less than half of the items were known, later if all were.
func mediacloud(h *history) time.Duration {
	const step = 30 * time.Minute
	switch {
	case h.visits == 1:
		h.memory = 6 * time.Hour
	case h.shown == 0:
	case 2*(h.shown-h.fresh) < h.shown:
		h.memory = max(step, h.memory-step)
	case h.fresh == 0:
		h.memory = min(day, h.memory+step)
	}
	return h.memory
}

// choGarciaMolina visits once in each expected interval between changes. It estimates their rate by maximum
// likelihood from irregular visits that only show whether anything changed, with Newton's method (J. Cho and H.
// Garcia-Molina, Estimating Frequency of Change, ACM TOIT 3(3), 2003).
func choGarciaMolina(h *history) time.Duration {
	last := h.changes[max(0, len(h.changes)-200):]
	if len(last) < 3 {
		return day
	}
	changed, total := 0.0, 0.0
	for _, c := range last {
		total += c.hours
		if c.any {
			changed++
		}
	}
	n := float64(len(last))
	rate := changed / total
	switch changed {
	case 0:
		rate = 0.5 / total
	case n:
		rate = -math.Log(0.5/(n+0.5)) / (total / n)
	default:
		rate = likeliest(last, rate)
	}
	return min(14*day, max(10*time.Minute, time.Duration(float64(time.Hour)/rate)))
}

func likeliest(last []change, rate float64) float64 {
	for range 30 {
		slope, curve := 0.0, 0.0
		for _, c := range last {
			if !c.any {
				slope -= c.hours
				continue
			}
			x := min(50, rate*c.hours)
			slope += c.hours / math.Expm1(x)
			curve -= c.hours * c.hours * math.Exp(x) / (math.Expm1(x) * math.Expm1(x))
		}
		next := min(3*rate, max(rate/3, rate-slope/curve))
		if math.Abs(next-rate) < 1e-6*rate {
			break
		}
		rate = next
	}
	return rate
}

package main

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/internal/sitetest"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// moments is the number of captures tried for each feed.
const moments = 12

// estimator estimates items per day from one capture of a feed: the items' ascending dates, whether older items
// exist, and the time.
type estimator struct {
	name string
	rate func(shown []time.Time, cut bool, now time.Time) float64
}

var estimators = []estimator{
	{"gleaner", func(shown []time.Time, cut bool, now time.Time) float64 {
		return source.Rate(shown, beginning(shown, cut), now)
	}},
	{"n/(now-oldest)", func(shown []time.Time, _ bool, now time.Time) float64 {
		return float64(len(shown)) / days(now.Sub(shown[0]))
	}},
	{"(n-1)/(newest-oldest)", func(shown []time.Time, _ bool, _ time.Time) float64 {
		return float64(len(shown)-1) / days(shown[len(shown)-1].Sub(shown[0]))
	}},
	{"last week (Miniflux)", func(shown []time.Time, _ bool, now time.Time) float64 {
		h := history{seen: shown, now: now}
		return float64(h.newer(7*day)) / 7
	}},
}

// beginning returns Rate's beginning. It is zero if older items were cut off, so that the oldest item does not count,
// or else shortly before the oldest item.
func beginning(shown []time.Time, cut bool) time.Time {
	if cut {
		return time.Time{}
	}
	return shown[0].Add(-time.Second)
}

func days(d time.Duration) float64 { return max(0.5, d.Hours()) / 24 }

// errorsOf returns an estimator's mean error as a power of two: |log2((expected + 1/2)/(came + 1/2))|. It counts the
// month after a capture, or three days for feeds that publish every few hours.
func errorsOf(e estimator, list []timeline) float64 {
	sum, n := 0.0, 0
	for _, t := range list {
		ahead := 30 * 24.0
		if t.Class == "news" || t.Class == "synth" {
			ahead = 3 * 24
		}
		if len(t.Times) == 0 {
			continue
		}
		low, high := max(t.Begin, t.Times[min(3, len(t.Times)-1)]), t.End-ahead
		name := fnv.New64a()
		_, _ = name.Write([]byte(t.Feed)) // a hash never fails to write
		chance := rand.New(rand.NewPCG(name.Sum64(), 2))
		for range moments {
			now := low + chance.Float64()*(high-low)
			last, _ := slices.BinarySearch(t.Times, now)
			first := max(0, last-t.Window)
			if high <= low || last-first < 2 {
				continue
			}
			var shown []time.Time
			for _, published := range t.Times[first:last] {
				shown = append(shown, sitetest.Hour(published))
			}
			end, _ := slices.BinarySearch(t.Times, now+ahead)
			expected := e.rate(shown, first > 0, sitetest.Hour(now)) * ahead / 24
			sum += math.Abs(math.Log2((expected + 0.5) / (float64(end-last) + 0.5)))
			n++
		}
	}
	return sum / float64(max(1, n))
}

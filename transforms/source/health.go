package source

import (
	"cmp"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

const (
	Live    = "live"    // it publishes
	Dormant = "dormant" // no item for much longer than usual
	Gone    = "gone"    // it reports that it is gone, or has failed for long
	Unseen  = "unseen"  // announced, but never captured
)

const (
	// dormantGaps is how many usual gaps between items a silence must exceed to count.
	dormantGaps = 10
	leastSilent = 90 * 24 * time.Hour
	mostFailed  = 4 // sum of the weights of consecutive failures
	lastVisits  = 10
)

// refresh says how often the source publishes and when to visit it next.
func (s State) refresh(dates []time.Time, asOf time.Time, p Policy) schemas.SourceRefresh {
	if len(s.Visits) == 0 {
		// A feed that was never captured is due now.
		return schemas.SourceRefresh{Basis: "none", Next: asOf.UTC().Format(time.RFC3339)}
	}
	since := s.wholeSince()
	visit := s.lastVisit()
	next := p.Next(dates, since, visit)
	return schemas.SourceRefresh{
		Rate: rounded(Rate(dates, since, asOf)), Interval: rounded(next.Sub(visit.Time).Hours()),
		Next: next.UTC().Format(time.RFC3339), Basis: s.basis(dates), Window: visit.Window, Lost: s.lost(),
	}
}

func (s State) basis(dates []time.Time) string {
	switch {
	case len(dates) == 0:
		return "none"
	case slices.ContainsFunc(s.Items, func(i Item) bool { return i.Marks&Dated != 0 }):
		return "dates"
	}
	return "first_seen"
}

// wholeSince is the time from which the list of items is complete; zero means the oldest of them. If a feed shows
// fewer items than it could, all that it ever published is there, and the oldest counts.
func (s State) wholeSince() time.Time {
	// A full list has lost older items, so it is complete only from the oldest that is left.
	if len(s.Items) == MaxItems || len(s.Items) == 0 {
		return time.Time{}
	}
	// A feed of round length is cut at that length: 10, 20, 50, 100.
	if n := s.window(); n >= 10 && n%5 == 0 {
		return time.Time{}
	}
	oldest := slices.MinFunc(s.Items, func(a, b Item) int { return cmp.Compare(a.Time, b.Time) })
	// A second before, so that the oldest item itself counts.
	return time.Unix(oldest.Time-1, 0)
}

// window is how many items the feed shows at a time: the most at any visit.
func (s State) window() (n int) {
	for _, v := range s.Visits {
		n = max(n, int(v.Items))
	}
	return n
}

// lastVisit is the last successful capture in the form of the policy.
func (s State) lastVisit() Visit {
	v := Visit{Time: time.Unix(s.Visits[0].Time, 0).UTC(), Window: s.window()}
	for _, before := range s.Visits[1:] {
		// Two captures of one second are one visit.
		if before.Time < s.Visits[0].Time {
			v.Since = time.Duration(s.Visits[0].Time-before.Time) * time.Second
			v.AllNew = s.allNew(s.Visits[0])
			break
		}
	}
	return v
}

// allNew reports whether a visit showed only new items.
func (s State) allNew(v Fetch) bool { return isAllNew(v, s.fresh()) }

// isAllNew is allNew by the number of new items at each time. Items that the state's bound has dropped are not
// counted, so it may miss a case.
func isAllNew(v Fetch, fresh map[int64]int) bool { return v.Items > 0 && fresh[v.Time] >= int(v.Items) }

// fresh is the number of items first seen at each time.
func (s State) fresh() map[int64]int {
	fresh := map[int64]int{}
	if !s.hasUndated() {
		for _, i := range s.Items {
			fresh[i.First]++
		}
		return fresh
	}
	for _, t := range s.firstSeen() {
		fresh[t]++
	}
	return fresh
}

func (s State) hasUndated() bool {
	return slices.ContainsFunc(s.Items, func(i Item) bool { return i.Marks&Dated == 0 })
}

// firstSeen is the time of the first sighting by item id. An item without a date is in the state once for each visit
// that showed it.
func (s State) firstSeen() map[uint64]int64 {
	first := make(map[uint64]int64, len(s.Items))
	for _, i := range s.Items {
		if t, ok := first[i.ID]; !ok || i.First < t {
			first[i.ID] = i.First
		}
	}
	return first
}

// lost counts the visits with only new items, except the first.
func (s State) lost() (n int) {
	fresh := s.fresh()
	for _, v := range s.Visits {
		// At the first visit everything is new, which shows no loss.
		if v.Time != s.firstVisit() && isAllNew(v, fresh) {
			n++
		}
	}
	return n
}

// weight is the weight of a status against a source: 1 if permanent, 1/4 if it may clear in hours, else 1/2 for a 4xx.
func weight(status uint16) float64 {
	switch {
	// A page that is missing or forbidden (401, 403, 451) stays so until somebody changes it.
	case status == 404 || status == 410 || status == 401 || status == 403 || status == 451:
		return 1
	// Too many requests, or a server in trouble: both pass.
	case status == 429 || status >= 500:
		return 0.25
	case status >= 400:
		return 0.5
	}
	return 0
}

// health is the state of the source with its failures.
func (s State) health(dates []time.Time, asOf time.Time) schemas.SourceHealth {
	h := schemas.SourceHealth{State: Unseen, Last: []int{}}
	if len(s.Visits) == 0 {
		return h
	}
	failed, unbroken := 0.0, true
	// The newest come first.
	for i, v := range s.Visits {
		if i < lastVisits {
			h.Last = append(h.Last, int(v.Status))
		}
		// Only the failures since the last success count.
		unbroken = unbroken && weight(v.Status) > 0
		if unbroken {
			failed += weight(v.Status)
		}
	}
	h.Failures = rounded(failed)
	switch {
	// 410 Gone is final by the server's word (section 15.5.11 of RFC 9110), so once is enough.
	case s.Visits[0].Status == 410 || failed >= mostFailed:
		h.State = Gone
	case isSilent(dates, s.firstVisit(), asOf):
		h.State = Dormant
	default:
		h.State = Live
	}
	return h
}

// isSilent reports whether no item came for much longer than usual.
func isSilent(dates []time.Time, firstVisit int64, asOf time.Time) bool {
	if len(dates) == 0 {
		// Its past is unknown, so the silence counts from the first visit.
		return asOf.Sub(time.Unix(firstVisit, 0)) > leastSilent
	}
	last := dates[len(dates)-1]
	// The usual gap is of the time in which it published, since the silence would make any gap usual.
	usual := last.Sub(dates[0]) / time.Duration(max(1, len(dates)-1))
	return asOf.Sub(last) > max(leastSilent, dormantGaps*usual)
}

// WithFate adds the visits of the page at the feed's URL, which failed or showed nothing new. Those before the first
// capture of a known feed say nothing of it.
func WithFate(s State, p Page) State {
	visits, first := p.Visits, s.firstVisit()
	if end := slices.IndexFunc(visits, func(f Fetch) bool { return f.Time <= first }); end >= 0 {
		visits = visits[:end]
	}
	if len(visits) > 0 {
		s.Visits = union(visits, s.Visits, MaxVisits, compareFetches, takeFirst[Fetch])
		s.Last = max(s.Last, visits[0].Time)
	}
	return s
}

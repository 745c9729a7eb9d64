package source

import "time"

// What a crawler asks of a state, which it changes by each visit.

// NextVisit is when to visit the source after the last visit that is known; the zero time when there was none.
func NextVisit(s State, p Policy) time.Time {
	if len(s.Visits) == 0 {
		return time.Time{}
	}
	return p.Next(s.Dates(), s.wholeSince(), s.lastVisit())
}

// Unchanged adds a visit that was answered by "304 Not Modified": the feed shows what it showed before.
func Unchanged(s State, at time.Time) State {
	// A visit of no items: those of the one before stand in the state already.
	s.Visits = append([]Fetch{{Time: at.Unix(), Status: 304}}, s.Visits...)
	s.Last = max(s.Last, at.Unix())
	return Of(s)
}

// Failure is what an HTTP status weighs against a source: 1 of one that will not change by itself, 1/2 and 1/4 of those
// that may within days and within hours; 0 of none that is a failure.
func Failure(status int) float64 { return weight(uint16(max(0, status))) }

// Recognised is what a visit showed, with the items without a date that a state has already dated as there. Without it
// a state that sees many visits has each of them once for each visit.
func Recognised(known, fresh State) State {
	first := map[uint64]Item{}
	// An item without a date may be there several times: the earliest one is when it was first seen.
	for _, i := range known.Items {
		if old, ok := first[i.ID]; i.Marks&Dated == 0 && (!ok || i.First < old.First) {
			first[i.ID] = i
		}
	}
	// A copy: the caller's state is not changed.
	fresh.Items = append([]Item{}, fresh.Items...)
	for n, i := range fresh.Items {
		if old, ok := first[i.ID]; ok && i.Marks&Dated == 0 {
			fresh.Items[n].Time, fresh.Items[n].First = old.Time, min(old.First, i.First)
		}
	}
	return Of(fresh)
}

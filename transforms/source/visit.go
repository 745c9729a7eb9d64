package source

import "time"

// Functions for crawlers, which change a state at each visit.

// NextVisit returns when to visit the source after its last known visit; zero without one.
func NextVisit(s State, p Policy) time.Time {
	if len(s.Visits) == 0 {
		return time.Time{}
	}
	return p.Next(s.Dates(), s.wholeSince(), s.lastVisit())
}

// Unchanged adds a visit with the response "304 Not Modified": the feed shows the same as before.
func Unchanged(s State, at time.Time) State {
	// A visit without items, since the state has them already.
	s.Visits = append([]Fetch{{Time: at.Unix(), Status: 304}}, s.Visits...)
	s.Last = max(s.Last, at.Unix())
	return Of(s)
}

// Failure weighs an HTTP status. The weight is 1 for a permanent failure, 1/2 or 1/4 for one that may clear in days or
// hours, and 0 for no failure.
func Failure(status int) float64 { return weight(uint16(max(0, status))) }

// Recognised gives undated items of a visit the dates already known. Otherwise a state would have each of them once
// per visit.
func Recognised(known, fresh State) State {
	first := map[uint64]Item{}
	// An undated item may be there several times: the earliest shows the first sighting.
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

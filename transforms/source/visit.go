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
	s.Visits = append([]Fetch{{Time: at.Unix(), Status: 304}}, s.Visits...)
	s.Last = max(s.Last, at.Unix())
	return Of(s)
}

// Failure is what an HTTP status weighs against a source: 1 of one that will not change by itself, 1/2 and 1/4 of those
// that may within days and within hours; 0 of none that is a failure.
func Failure(status int) float64 { return weight(uint16(max(0, status))) }

package sitetest

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Habit is how a site answers.
type Habit int

// The habits of sites. Days and hours are those of the web's clock since it began.
const (
	Plain   Habit = iota // no validators: each answer is whole
	Tagged               // has ETag and Last-Modified, and answers 304
	Cached               // says that an answer is good for a quarter of an hour
	Busy                 // one request of ten is answered 429, to come again in ten minutes
	Ill                  // answers 503 from 2:00 to 2:30, with the date at which it is well again
	Broken               // answers 500 to one request of five
	Moves                // moved for good, on the third day
	Detour               // the feed is found by a temporary redirect, and so are items
	Ends                 // is gone for good on the fifth day
	Missing              // never was there
	Dead                 // does not listen
	Closed               // robots.txt forbids all
	Fenced               // robots.txt forbids every third item, and asks for ten seconds between requests
	Sealed               // robots.txt is answered 500
	Slow                 // one request of forty is never answered
	Cut                  // one answer of five is cut in the middle of its body
	Habits               // how many there are
)

var habits = [Habits]string{
	"plain", "tagged", "cached", "busy", "ill", "broken", "moves", "detour", "ends", "missing", "dead", "closed", "fenced",
	"sealed", "slow", "cut",
}

func (h Habit) String() string { return habits[h] }

// Patience is the time-out that a crawler of these sites can have, in real time. It is long, since a busy machine is
// slow as well, and nobody should take the one for the other.
const Patience = time.Second

// stalls reports whether the site says nothing to this request.
func (s *site) stalls(e Request) bool { return s.Habit == Slow && e.isOne(40) }

// isOne reports whether the request is one of n, by its URL and time, not by a count: a client that was killed and asks
// again at the same moment gets the same answer.
func (e Request) isOne(n uint64) bool {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, e.Host, e.Path, e.Time.Unix()) // a hash takes all
	// Not the lowest bits, which FNV mixes least: each depends on bits of the input at or below its own
	// place.
	return h.Sum64()>>7%n == 0
}

// illFor is how long an Ill site is, from two o'clock on.
const illFor = 30 * time.Minute

// wellAt is when an Ill site answers again; the zero time when it does now.
func wellAt(now time.Time) time.Time {
	// Truncate counts from the zero time, which is at midnight in UTC: days are those of UTC.
	began := now.Truncate(24 * time.Hour).Add(2 * time.Hour)
	if now.Before(began) || !now.Before(began.Add(illFor)) {
		return time.Time{}
	}
	return began.Add(illFor)
}

// busyFor is how long a Busy site wants to be left alone.
const busyFor = 10 * time.Minute

// answer is a site's answer before it looks for the page, or false without such a habit. retry is the time before which
// the host must not be asked again.
func (s *site) answer(w http.ResponseWriter, r *http.Request, e *Request, day int) bool {
	now := e.Time
	switch s.Habit {
	case Busy:
		if e.isOne(10) {
			e.Retry = now.Add(busyFor)
			w.Header().Set("Retry-After", strconv.Itoa(int(busyFor.Seconds())))
			return s.fail(w, http.StatusTooManyRequests)
		}
	case Ill:
		// As a date, where Busy says seconds: section 10.2.3 of RFC 9110 has both forms.
		if e.Retry = wellAt(now); !e.Retry.IsZero() {
			w.Header().Set("Retry-After", e.Retry.UTC().Format(http.TimeFormat))
			return s.fail(w, http.StatusServiceUnavailable)
		}
	case Broken:
		if e.isOne(5) {
			return s.fail(w, http.StatusInternalServerError)
		}
	// Redirected with its path, so that pages move as well.
	case Moves:
		if day >= 3 {
			http.Redirect(w, r, "http://"+s.Moved+r.URL.Path, http.StatusMovedPermanently)
			return true
		}
	// Also pages: each is found at a path of its own for this time, so that a crawler must not keep it.
	case Detour:
		return detour(w, r)
	case Ends:
		if day >= 5 {
			return s.fail(w, http.StatusGone)
		}
	case Missing:
		return s.fail(w, http.StatusNotFound)
	case Cut:
		if e.isOne(5) {
			return cut(w)
		}
	}
	return false
}

func (s *site) fail(w http.ResponseWriter, status int) bool {
	http.Error(w, http.StatusText(status), status)
	return true
}

// detour redirects for this time only, to a path of its own.
func detour(w http.ResponseWriter, r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, "/now/") {
		// The log has the path as requested; the rest of it is served.
		r.URL.Path = strings.TrimPrefix(r.URL.Path, "/now")
		return false
	}
	http.Redirect(w, r, "/now"+r.URL.Path, http.StatusFound)
	return true
}

// cut promises more than it sends. The connection ends with the handler's panic, which net/http knows.
func cut(w http.ResponseWriter) bool {
	w.Header().Set("Content-Length", "1000")
	_, _ = w.Write([]byte("the beginning of something")) // the client sees that the rest is missing
	_ = http.NewResponseController(w).Flush()            // likewise
	panic(http.ErrAbortHandler)
}

// robots is the site's robots.txt.
func (s *site) robots(w http.ResponseWriter) {
	switch s.Habit {
	// RFC 9309, section 2.3.1.4: a crawler has to take it for "all is forbidden".
	case Sealed:
		s.fail(w, http.StatusInternalServerError)
	case Closed:
		_, _ = fmt.Fprint(w, "User-agent: *\nDisallow: /\n")
	case Fenced:
		// Patterns with * and $ are of section 2.2.3 of RFC 9309; Crawl-delay is in no standard.
		_, _ = fmt.Fprint(w, "User-agent: *\nCrawl-delay: 10\nDisallow: /*0$\nDisallow: /*3$\nDisallow: /*6$\n")
	default:
		s.fail(w, http.StatusNotFound)
	}
}

// forbids reports whether robots.txt forbids a path.
func (s *site) forbids(path string) bool {
	switch s.Habit {
	// The same as robots says, in a form that the log can be judged by.
	case Closed, Sealed: // of a robots.txt that cannot be had, RFC 9309 has all forbidden
		return path != "/robots.txt"
	case Fenced:
		return path != "/robots.txt" && strings.ContainsAny(path[len(path)-1:], "036")
	}
	return false
}

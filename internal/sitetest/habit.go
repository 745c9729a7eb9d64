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

// The habits of sites. Days and hours are those of the web's clock since its start.
const (
	Plain   Habit = iota // no validators: each answer is complete
	Tagged               // has ETag and Last-Modified, and answers 304
	Cached               // answers are fresh for a quarter of an hour
	Busy                 // answers one request of ten with 429 and a retry after ten minutes
	Ill                  // answers 503 from 2:00 to 2:30, with the date of recovery
	Broken               // answers one request of five with 500
	Moves                // moves permanently on the third day
	Detour               // the feed and its items redirect temporarily
	Ends                 // is gone permanently on the fifth day
	Missing              // never existed
	Dead                 // does not listen
	Closed               // robots.txt forbids all
	Fenced               // robots.txt forbids every third item, and asks for ten seconds between requests
	Sealed               // robots.txt returns 500
	Slow                 // one request of forty is never answered
	Cut                  // one answer of five is truncated
	Habits               // number of habits
)

var habits = [Habits]string{
	"plain", "tagged", "cached", "busy", "ill", "broken", "moves", "detour", "ends", "missing", "dead", "closed", "fenced",
	"sealed", "slow", "cut",
}

func (h Habit) String() string { return habits[h] }

// Patience is a suitable time-out for crawlers of these sites, in real time. It is long, so that a busy machine is
// not taken for a slow site.
const Patience = time.Second

// stalls reports whether the site does not answer this request.
func (s *site) stalls(e Request) bool { return s.Habit == Slow && e.isOne(40) }

// isOne reports whether the request is one of n. It depends on URL and time, not on a count: a killed client that
// asks again at the same time gets the same answer.
func (e Request) isOne(n uint64) bool {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, e.Host, e.Path, e.Time.Unix()) // a hash never fails to write
	// Not the lowest bits, which FNV mixes least.
	return h.Sum64()>>7%n == 0
}

// illFor is how long an Ill site fails, from two o'clock.
const illFor = 30 * time.Minute

// wellAt returns when an Ill site recovers, or the zero time if it works now.
func wellAt(now time.Time) time.Time {
	// Truncate counts from the zero time, at midnight UTC.
	began := now.Truncate(24 * time.Hour).Add(2 * time.Hour)
	if now.Before(began) || !now.Before(began.Add(illFor)) {
		return time.Time{}
	}
	return began.Add(illFor)
}

// busyFor is the pause that a Busy site asks for.
const busyFor = 10 * time.Minute

// answer answers by the site's habit, or returns false if the page should be served. It sets e.Retry if the host asks
// for a pause.
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
		// As a date, where Busy has seconds: section 10.2.3 of RFC 9110 allows both.
		if e.Retry = wellAt(now); !e.Retry.IsZero() {
			w.Header().Set("Retry-After", e.Retry.UTC().Format(http.TimeFormat))
			return s.fail(w, http.StatusServiceUnavailable)
		}
	case Broken:
		if e.isOne(5) {
			return s.fail(w, http.StatusInternalServerError)
		}
	// The redirect keeps the path, so that pages move as well.
	case Moves:
		if day >= 3 {
			http.Redirect(w, r, "http://"+s.Moved+r.URL.Path, http.StatusMovedPermanently)
			return true
		}
	// Pages too. The redirect is temporary, so a crawler must not remember it.
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

// detour redirects temporarily to another path.
func detour(w http.ResponseWriter, r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, "/now/") {
		// The log has the requested path; the rest of it is served.
		r.URL.Path = strings.TrimPrefix(r.URL.Path, "/now")
		return false
	}
	http.Redirect(w, r, "/now"+r.URL.Path, http.StatusFound)
	return true
}

// cut sends less than it promises. net/http ends the connection for this panic.
func cut(w http.ResponseWriter) bool {
	w.Header().Set("Content-Length", "1000")
	_, _ = w.Write([]byte("the beginning of something")) // the client notices that the rest is missing
	_ = http.NewResponseController(w).Flush()            // as above
	panic(http.ErrAbortHandler)
}

// robots serves robots.txt.
func (s *site) robots(w http.ResponseWriter) {
	switch s.Habit {
	// RFC 9309, section 2.3.1.4: crawlers must take this for "all forbidden".
	case Sealed:
		s.fail(w, http.StatusInternalServerError)
	case Closed:
		_, _ = fmt.Fprint(w, "User-agent: *\nDisallow: /\n")
	case Fenced:
		// Section 2.2.3 of RFC 9309 has patterns with * and $; no standard has Crawl-delay.
		_, _ = fmt.Fprint(w, "User-agent: *\nCrawl-delay: 10\nDisallow: /*0$\nDisallow: /*3$\nDisallow: /*6$\n")
	default:
		s.fail(w, http.StatusNotFound)
	}
}

// forbids reports whether robots.txt forbids a path.
func (s *site) forbids(path string) bool {
	switch s.Habit {
	// It must match robots.
	case Closed, Sealed: // RFC 9309: an unreachable robots.txt forbids everything
		return path != "/robots.txt"
	case Fenced:
		return path != "/robots.txt" && strings.ContainsAny(path[len(path)-1:], "036")
	}
	return false
}

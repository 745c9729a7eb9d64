package crawl

import (
	"container/heap"
	"net/url"
	"strings"
	"time"
)

// kind is the purpose of a request.
type kind uint8

const (
	// The values are indexes in host.of.
	robotsJob kind = iota // robots.txt of an origin
	feedJob
	pageJob
)

func (k kind) String() string { return [...]string{"robots", "feed", "page"}[k] }

// job is a request to be made.
type job struct {
	kind   kind
	url    string
	due    time.Time // not before
	feed   *feed     // of a feedJob
	origin string    // of a robotsJob: owner of the rules, even if redirected to another host
	tries  int       // failed attempts
	hops   int       // redirects that led here
	passed bool      // one of them was temporary
	// published is the date of a pageJob in its feed; zero if unknown.
	published time.Time
}

// jobs is a heap, by time and then by URL.
type jobs []*job

func (q jobs) Len() int      { return len(q) }
func (q jobs) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Less orders equal times by URL, so that the order of insertion does not matter.
func (q jobs) Less(i, j int) bool {
	if !q[i].due.Equal(q[j].due) {
		return q[i].due.Before(q[j].due)
	}
	return q[i].url < q[j].url
}

// Push implements heap.Interface.
func (q *jobs) Push(x any) { *q = append(*q, x.(*job)) }

// Pop implements heap.Interface.
func (q *jobs) Pop() any {
	last := (*q)[len(*q)-1]
	(*q)[len(*q)-1] = nil // frees the memory
	*q = (*q)[:len(*q)-1]
	return last
}

func (q *jobs) add(j *job) { heap.Push(q, j) }

// take removes and returns the job of a URL, or nil. It searches linearly, for replays.
func (q *jobs) take(url string) *job {
	// A replay takes jobs nearly in order, so most are near the beginning.
	for i, j := range *q {
		if j.url == url {
			return heap.Remove(q, i).(*job)
		}
	}
	return nil
}

// target returns host and origin of a URL; false if it is not crawled.
func target(link string) (host, origin string, ok bool) {
	u, err := url.Parse(link)
	// User information would be sent as credentials.
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return "", "", false
	}
	// Pauses are by name without port, rules by origin with it: section 2.3 of RFC 9309.
	return strings.ToLower(u.Hostname()), u.Scheme + "://" + strings.ToLower(u.Host), len(link) <= maxURL
}

// CanFetch reports whether a URL can be requested: http or https, without user information and not too long. Private
// networks are only detected during a request.
func CanFetch(link string) bool {
	_, _, ok := target(link)
	return ok
}

// maxURL is the longest URL that is requested, in bytes, as in the Source DB.
const maxURL = 2048

// resolve returns the target of a redirect, or "".
func resolve(base, location string) string {
	from, err := url.Parse(base)
	if err != nil || location == "" {
		return ""
	}
	// A Location may be relative: section 10.2.2 of RFC 9110.
	to, err := from.Parse(strings.TrimSpace(location))
	if err != nil {
		return ""
	}
	to.Fragment, to.RawFragment = "", "" // it is not sent
	return to.String()
}

package crawl

import (
	"container/heap"
	"net/url"
	"strings"
	"time"
)

// kind is what a request is for.
type kind uint8

const (
	// The values are places in the list of host.of.
	robotsJob kind = iota // an origin's robots.txt
	feedJob
	pageJob
)

func (k kind) String() string { return [...]string{"robots", "feed", "page"}[k] }

// job is a request that is to be made.
type job struct {
	kind   kind
	url    string
	due    time.Time // not before
	feed   *feed     // of a feedJob
	origin string    // of a robotsJob: whose rules they are, which may be redirected to another host
	tries  int       // that failed
	hops   int       // redirections that led here
	passed bool      // one of them was not for good
	// of a pageJob: by the feed that led here; zero if that does not say
	published time.Time
}

// jobs is a heap: the first to be due comes first, then the first by its URL.
type jobs []*job

func (q jobs) Len() int      { return len(q) }
func (q jobs) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Less breaks ties by URL, so that the sequence does not depend on that of insertion.
func (q jobs) Less(i, j int) bool {
	if !q[i].due.Equal(q[j].due) {
		return q[i].due.Before(q[j].due)
	}
	return q[i].url < q[j].url
}

// Push is for package heap.
func (q *jobs) Push(x any) { *q = append(*q, x.(*job)) }

// Pop is for package heap.
func (q *jobs) Pop() any {
	last := (*q)[len(*q)-1]
	(*q)[len(*q)-1] = nil // or the array would keep it
	*q = (*q)[:len(*q)-1]
	return last
}

func (q *jobs) add(j *job) { heap.Push(q, j) }

// take removes the job with a URL; nil when there is none. It looks at all of a host's jobs: it is for replays.
func (q *jobs) take(url string) *job {
	// A replay takes jobs nearly in the order of the heap, so that most are found near its beginning.
	for i, j := range *q {
		if j.url == url {
			return heap.Remove(q, i).(*job)
		}
	}
	return nil
}

// target is the host and the origin of a URL; false when it is not one that is crawled.
func target(link string) (host, origin string, ok bool) {
	u, err := url.Parse(link)
	// A user in a URL would be sent as credentials, which nobody gave to the crawler.
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return "", "", false
	}
	// Politeness is by name without the port; rules are by origin with it, as section 2.3 of RFC 9309 has
	// them.
	return strings.ToLower(u.Hostname()), u.Scheme + "://" + strings.ToLower(u.Host), len(link) <= maxURL
}

// CanFetch reports whether a URL is one that is asked for: http or https, without a user and not too long. Whether its
// host is in a private network is told when it is asked.
func CanFetch(link string) bool {
	_, _, ok := target(link)
	return ok
}

// maxURL is the longest URL that is asked for, bytes: what the Source DB keeps of one.
const maxURL = 2048

// resolve is where a redirection leads to, "" for nowhere.
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

package crawl

import (
	"net/http"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	feeds "github.com/gleaner-web/gleaner/transforms/feed"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// feed is a visited feed.
type feed struct {
	key      string // source.Key of url
	url      string
	state    []byte // source.State, encoded: about 2 KB, or 12 decoded
	etag     string // of the last answer of URL checked
	modified string
	checked  string
	read     time.Time // time of that answer
	next     time.Time
	visited  time.Time // time of the last request; zero for never
	fails    int       // consecutive failed visits
	over     string    // why it is not visited any more; "" if it is
	moved    bool      // from the URL of a feed that was visited
	again    int       // consecutive answers of a rejected source
	looked   int       // value of again after an answer in this round; 0 unless rejected
}

// Reasons not to visit a feed any more.
const (
	overGone  = "gone"  // permanently, to a URL that is visited instead
	overMoved = "moved" // for good, to a URL that is visited in its place
)

const (
	// maxFresh is the longest time that a feed's Cache-Control delays visits. WordPress' hints say little about how
	// often a site publishes, and a day is long.
	maxFresh = 24 * time.Hour
	// Consecutive failures double these, up to mostWait.
	waitPassing = 10 * time.Minute
	waitSoft    = 6 * time.Hour
	waitHard    = 24 * time.Hour
	mostWait    = 30 * 24 * time.Hour
	mostPassing = 7 * 24 * time.Hour
)

// schedule queues a feed's next visit, if it is within the round.
func (c *Crawl) schedule(f *feed) {
	if f.over == "" && !f.next.After(c.o.Due) {
		c.add(&job{kind: feedJob, url: f.url, due: f.next, feed: f})
	}
}

// visited applies the answer to a feed's request.
func (c *Crawl) visited(j *job, a Answer) {
	f, now := j.feed, a.Ended
	f.visited = a.Time
	to, forGood := a.movedTo()
	switch s := a.status(); {
	// Redirects come first: one that can be followed is neither a failure nor a visit.
	case to != "" && j.hops < maxHops:
		if c.follow(j, a, to, forGood && !j.passed) {
			return
		}
		c.failed(f, a, waitSoft, mostWait)
	case s == http.StatusGone:
		c.counts.Gone++
		f.over = overGone
	case s == http.StatusNotModified:
		c.counts.Unchanged++
		c.unchanged(f, a)
	case a.passes():
		c.failed(f, a, waitPassing, mostPassing)
		// The host itself only rests for 429 and 503 (see rests); other statuses delay the feed.
		f.next = later(f.next, now.Add(a.retryAfter()))
	// A page of status 200 that is not a feed continues with the failures.
	case s == http.StatusOK && c.read(f, j.url, a):
		c.counts.Visits++
	case s == http.StatusOK || s >= 400 && source.Failure(s) < 1:
		c.failed(f, a, waitSoft, mostWait)
	default:
		c.failed(f, a, waitHard, mostWait)
	}
	c.schedule(f)
}

// failed postpones the next visit.
func (c *Crawl) failed(f *feed, a Answer, base, most time.Duration) {
	c.failure(a)
	f.fails++
	// From the end of the answer: see the package comment.
	f.next = a.Ended.Add(backOff(base, f.fails, most))
}

// follow requests a feed at its redirect's target. If forGood, the feed has that URL from now on.
func (c *Crawl) follow(j *job, a Answer, to string, forGood bool) bool {
	next := &job{kind: feedJob, url: to, hops: j.hops + 1, passed: !forGood, feed: j.feed}
	// The target may be on the same host, whose pause must be kept, or on another.
	next.due = a.Ended.Add(c.o.HostDelay)
	if _, _, ok := target(to); !ok {
		return false
	}
	if forGood {
		// After a temporary redirect, later permanent ones do not concern the first URL.
		key := source.Key(to)
		if known := c.feeds[key]; known != nil && known.over == "" && key != j.feed.key {
			// It is already visited there.
			c.counts.Moved++
			j.feed.over = overMoved
			return true
		}
		next.feed = c.move(j.feed, key, to)
	}
	return c.add(next)
}

// move gives a feed another URL. The old one stays known, so that it is not requested again.
func (c *Crawl) move(f *feed, key, to string) *feed {
	c.counts.Moved++
	if key == f.key {
		// Keys ignore changes of scheme or www.
		f.url = to
		return f
	}
	// A feed that moved away and back is visited again.
	moved := &feed{
		key: key, url: to, state: f.state, next: f.next, visited: f.visited, fails: f.fails, moved: true, looked: f.looked,
	}
	// The old entry stays in map and book, so that a list with the old URL does not restore it.
	f.over, f.state = overMoved, nil
	c.feeds[key] = moved
	return moved
}

// unchanged records a visit that showed nothing new.
func (c *Crawl) unchanged(f *feed, a Answer) {
	s, err := source.Decode(f.state)
	if err != nil {
		s = source.State{} // it was encoded here, or checked when loaded
	}
	// A 304 counts as a visit in the statistics that plan the next one.
	s = source.Unchanged(s, a.Time)
	f.state, f.fails, f.again = source.Encode(nil, s), 0, f.looked
	c.plan(f, s, a)
}

// read reads a feed: its items, and when to visit it again. It is false if the answer is not a feed.
func (c *Crawl) read(f *feed, at string, a Answer) bool {
	// The same steps as in ingest, so that the Source DB will agree.
	o := feeds.Options{Captured: a.Capture.Timestamp}
	parsed, err := feeds.Read(a.Capture.Body, a.Capture.MIMEDeclared, a.URL, o)
	if err != nil {
		return false
	}
	rows := feeds.Rows(a.Capture, parsed)
	if len(rows) == 0 || rows[0].Kind != "feed" {
		return false
	}
	old, err := source.Decode(f.state)
	if err != nil {
		old = source.State{} // as above
	}
	fresh := source.FromFeed(&rows[0])
	// Otherwise undated items would count as new at each visit.
	s := source.Merge(old, source.Recognised(old, fresh))
	f.state, f.fails, f.again = source.Encode(nil, s), 0, f.looked
	// Only for feeds: a validator of an error page would turn the next good answer into a 304.
	f.etag, f.modified, f.checked = a.Capture.Get("ETag"), a.Capture.Get("Last-Modified"), at
	f.read = a.Time
	c.plan(f, s, a)
	c.items(&rows[0], fresh, a.Ended.Add(c.o.HostDelay))
	return true
}

// plan sets the next visit: by the policy, but not while the answer is fresh.
func (c *Crawl) plan(f *feed, s source.State, a Answer) {
	// Limited by maxFresh: some sites say a year for files that they take for static.
	f.next = source.NextVisit(s, c.o.Policy)
	if fresh := feeds.Fresh(a.Capture); fresh > 0 {
		f.next = later(f.next, a.Ended.Add(min(fresh, maxFresh)))
	}
	// Later than now, whatever the policy: see the package comment.
	f.next = later(f.next, a.Ended.Add(c.o.HostDelay))
}

// items queues the pages of a feed's items that are not captured yet.
func (c *Crawl) items(row *schemas.FeedCapture, fresh source.State, due time.Time) {
	known := map[uint64]source.Item{}
	for _, i := range fresh.Items {
		// From this answer, because the merged state is limited.
		known[i.Link] = i
	}
	for _, i := range row.Items {
		// Fragments are not sent, and do not distinguish pages.
		link, _, _ := strings.Cut(i.URL, "#")
		item, is := known[source.LinkKey(link)]
		switch {
		case !is || item.Marks&source.Unfollowed != 0:
		case item.Marks&source.OffSite != 0:
			// The page tells nothing about this source.
			c.counts.Elsewhere++
		case c.want(link, due, item.Published()):
			c.counts.Items++
		}
	}
}

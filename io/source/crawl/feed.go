package crawl

import (
	"net/http"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	feeds "github.com/gleaner-web/gleaner/transforms/feed"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// feed is one that is visited.
type feed struct {
	key      string // source.Key of url
	url      string
	state    []byte // source.State, encoded: some 2 KB, and 12 when it is not
	etag     string // of the last answer at the URL checked
	modified string
	checked  string
	read     time.Time // when that was
	next     time.Time
	visited  time.Time // the last time that it was asked for; zero for never
	fails    int       // visits in a row that failed
	over     string    // why it is not visited any more; "" while it is
	again    int       // answers in a row to visits of a rejected source
	looked   int       // what again is with an answer in this round: 0 of what is not rejected
}

// Why a feed is not visited any more.
const (
	overGone  = "gone"  // 410
	overMoved = "moved" // for good, to a URL that is visited in its place
)

const (
	// maxFresh is the longest time that a feed's Cache-Control keeps us away: WordPress' hints say little of how often a
	// site publishes, and a day is long.
	maxFresh = 24 * time.Hour
	// Failures in a row double these, up to mostWait.
	waitPassing = 10 * time.Minute
	waitSoft    = 6 * time.Hour
	waitHard    = 24 * time.Hour
	mostWait    = 30 * 24 * time.Hour
	mostPassing = 7 * 24 * time.Hour
)

// schedule queues a feed's next visit, when it is within the round.
func (c *Crawl) schedule(f *feed) {
	if f.over == "" && !f.next.After(c.o.Due) {
		c.add(&job{kind: feedJob, url: f.url, due: f.next, feed: f})
	}
}

// visited does what follows from the answer to a feed's request.
func (c *Crawl) visited(j *job, a Answer) {
	f, now := j.feed, a.Ended
	f.visited = a.Time
	to, forGood := a.movedTo()
	switch s := a.status(); {
	// Before the statuses: a redirection with a place to go is neither a failure nor a visit.
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
		// The host itself rests for 429 and 503 alone (see rests); of other statuses a Retry-After holds for
		// the feed.
		f.next = later(f.next, now.Add(a.retryAfter()))
	// read is called here, in the condition: a page of status 200 that is not a feed falls through to the
	// failures.
	case s == http.StatusOK && c.read(f, j.url, a):
		c.counts.Visits++
	case s == http.StatusOK || s >= 400 && source.Failure(s) < 1:
		c.failed(f, a, waitSoft, mostWait)
	default:
		c.failed(f, a, waitHard, mostWait)
	}
	c.schedule(f)
}

// failed puts the next visit off.
func (c *Crawl) failed(f *feed, a Answer, base, most time.Duration) {
	c.failure(a)
	f.fails++
	// From the end of the answer: see the package's comment on what is due.
	f.next = a.Ended.Add(backOff(base, f.fails, most))
}

// follow asks for a feed where it is redirected to. Moved for good, it has that URL from now on.
func (c *Crawl) follow(j *job, a Answer, to string, forGood bool) bool {
	next := &job{kind: feedJob, url: to, hops: j.hops + 1, passed: !forGood, feed: j.feed}
	// The target may be on the same host, whose pause it would break, or on another that is asked at once.
	next.due = a.Ended.Add(c.o.HostDelay)
	if _, _, ok := target(to); !ok {
		return false
	}
	if forGood {
		// forGood was && !j.passed: after one redirection for this time only, later ones say nothing of the
		// first URL.
		key := source.Key(to)
		if known := c.feeds[key]; known != nil && known.over == "" && key != j.feed.key {
			// It is visited there already.
			c.counts.Moved++
			j.feed.over = overMoved
			return true
		}
		next.feed = c.move(j.feed, key, to)
	}
	return c.add(next)
}

// move gives a feed another URL. What it was called before stays known, so that it is not asked for there again.
func (c *Crawl) move(f *feed, key, to string) *feed {
	c.counts.Moved++
	if key == f.key {
		// Only the scheme or a www has changed, which keys do not have.
		f.url = to
		return f
	}
	// One that was moved away from there, and is moved back, is visited again.
	moved := &feed{key: key, url: to, state: f.state, next: f.next, visited: f.visited, fails: f.fails, looked: f.looked}
	// The old entry stays in the map and in the book: a list that still names the old URL does not bring
	// it back.
	f.over, f.state = overMoved, nil
	c.feeds[key] = moved
	return moved
}

// unchanged notes a visit that showed nothing new.
func (c *Crawl) unchanged(f *feed, a Answer) {
	s, err := source.Decode(f.state)
	if err != nil {
		s = source.State{} // it was encoded by this process, or checked when it was loaded
	}
	// A 304 counts as a visit in the statistics by which the next one is planned.
	s = source.Unchanged(s, a.Time)
	f.state, f.fails, f.again = source.Encode(nil, s), 0, f.looked
	c.plan(f, s, a)
}

// read takes a feed in: its items, and when to come again. It is false when the answer is not a feed.
func (c *Crawl) read(f *feed, at string, a Answer) bool {
	parsed, err := feeds.Read(a.Capture.Body, a.Capture.MIMEDeclared, a.URL, feeds.Options{})
	if err != nil {
		return false
	}
	// The same steps as those of ingest: what is seen here is what the Source DB will have.
	rows := feeds.Rows(a.Capture, parsed)
	if len(rows) == 0 || rows[0].Kind != "feed" {
		return false
	}
	old, err := source.Decode(f.state)
	if err != nil {
		old = source.State{} // likewise
	}
	fresh := source.FromFeed(&rows[0])
	// Recognised first: items that the feed shows without a date would count as new at each visit.
	s := source.Merge(old, source.Recognised(old, fresh))
	f.state, f.fails, f.again = source.Encode(nil, s), 0, f.looked
	// Only here, when the body was read as a feed: a validator of an error page would turn the next good
	// answer into a 304.
	f.etag, f.modified, f.checked = a.Capture.Get("ETag"), a.Capture.Get("Last-Modified"), at
	f.read = a.Time
	c.plan(f, s, a)
	c.items(&rows[0], fresh, a.Ended.Add(c.o.HostDelay))
	return true
}

// plan says when the feed is visited next: by the policy, but not while the answer is good by its own word.
func (c *Crawl) plan(f *feed, s source.State, a Answer) {
	// min with maxFresh, since sites say a year for files that their software takes for static.
	f.next = source.NextVisit(s, c.o.Policy)
	if fresh := feeds.Fresh(a.Capture); fresh > 0 {
		f.next = later(f.next, a.Ended.Add(min(fresh, maxFresh)))
	}
	// Never at this moment again, whatever a policy says: see the package's comment.
	f.next = later(f.next, a.Ended.Add(c.o.HostDelay))
}

// items queues the pages of a feed's items that are not captured yet.
func (c *Crawl) items(row *schemas.FeedCapture, fresh source.State, due time.Time) {
	known := map[uint64]source.Item{}
	for _, i := range fresh.Items {
		// From fresh, which is what this answer shows, and not from the merged state, which is bounded.
		known[i.Link] = i
	}
	for _, i := range row.Items {
		// A fragment is not sent, and pages that differ by it alone are one.
		link, _, _ := strings.Cut(i.URL, "#")
		item, is := known[source.LinkKey(link)]
		switch {
		case !is || item.Marks&source.Unfollowed != 0:
		case item.Marks&source.OffSite != 0:
			// The page says nothing of this source.
			c.counts.Elsewhere++
		case c.want(link, due, item.Published()):
			c.counts.Items++
		}
	}
}

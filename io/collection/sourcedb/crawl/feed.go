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
		f.next = later(f.next, now.Add(a.retryAfter()))
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
	f.next = a.Ended.Add(backOff(base, f.fails, most))
}

// follow asks for a feed where it is redirected to. Moved for good, it has that URL from now on.
func (c *Crawl) follow(j *job, a Answer, to string, forGood bool) bool {
	next := &job{kind: feedJob, url: to, hops: j.hops + 1, passed: !forGood, feed: j.feed}
	next.due = a.Ended.Add(c.o.HostDelay)
	if _, _, ok := target(to); !ok {
		return false
	}
	if forGood {
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
	moved := &feed{key: key, url: to, state: f.state, next: f.next, visited: f.visited, fails: f.fails}
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
	s = source.Unchanged(s, a.Time)
	f.state, f.fails = source.Encode(nil, s), 0
	c.plan(f, s, a)
}

// read takes a feed in: its items, and when to come again. It is false when the answer is no feed.
func (c *Crawl) read(f *feed, at string, a Answer) bool {
	parsed, err := feeds.Read(a.Capture.Body, a.Capture.MIMEDeclared, a.URL, feeds.Options{})
	if err != nil {
		return false
	}
	rows := feeds.Rows(a.Capture, parsed)
	if len(rows) == 0 || rows[0].Kind != "feed" {
		return false
	}
	old, err := source.Decode(f.state)
	if err != nil {
		old = source.State{} // likewise
	}
	fresh := source.FromFeed(&rows[0])
	s := source.Merge(old, source.Recognised(old, fresh))
	f.state, f.fails = source.Encode(nil, s), 0
	f.etag, f.modified, f.checked = a.Capture.Get("ETag"), a.Capture.Get("Last-Modified"), at
	f.read = a.Time
	c.plan(f, s, a)
	c.items(&rows[0], fresh, a.Ended.Add(c.o.HostDelay))
	return true
}

// plan says when the feed is visited next: by the policy, but not while the answer is good by its own word.
func (c *Crawl) plan(f *feed, s source.State, a Answer) {
	f.next = source.NextVisit(s, c.o.Policy)
	if fresh := feeds.Fresh(a.Capture); fresh > 0 {
		f.next = later(f.next, a.Ended.Add(min(fresh, maxFresh)))
	}
	// Never at this moment again, whatever a policy says: see the package's comment.
	f.next = later(f.next, a.Ended.Add(c.o.HostDelay))
}

// items queues the pages of a feed's items that are not captured yet.
func (c *Crawl) items(row *schemas.FeedCapture, fresh source.State, due time.Time) {
	marks := map[uint64]source.ItemMarks{}
	for _, i := range fresh.Items {
		marks[i.Link] = i.Marks
	}
	for _, i := range row.Items {
		link, _, _ := strings.Cut(i.URL, "#")
		mark, known := marks[source.LinkKey(link)]
		switch {
		case !known || mark&source.Unfollowed != 0:
		case mark&source.OffSite != 0:
			// The page says nothing of this source.
			c.counts.Elsewhere++
		case c.want(link, due):
			c.counts.Items++
		}
	}
}

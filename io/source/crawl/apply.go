package crawl

import (
	"net/url"
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/transforms/robots"
	"github.com/gleaner-web/gleaner/transforms/source"
)

const (
	// restBase is how long a host is left alone that asked for rest without saying how long, at first.
	restBase = 10 * time.Minute
	// rulesFor is how long a robots.txt counts: section 2.4 of RFC 9309 asks not to use it for more than 24 hours.
	rulesFor = 24 * time.Hour
	// unknownFor is how long nothing is asked of an origin whose robots.txt could not be had, at first.
	unknownFor = time.Hour
	// forbiddenFor is when a feed is looked at again that robots.txt forbids: sites change their minds.
	forbiddenFor = 7 * 24 * time.Hour
	// maxHops is how many redirections are followed.
	maxHops = 5
	// maxTries is how often a page is asked for that fails.
	maxTries = 4
)

// pick takes the next job of a host that is ready since at, or its robots.txt first; nil when there is none after all.
// What robots.txt puts off or forbids is put off as at that time, so that a process which comes to it later, after
// another was killed, has the same sequence.
func (c *Crawl) pick(h *host, at, now time.Time) *job {
	for {
		// Jobs that are put off or forbidden leave the queue, so that the loop ends.
		q := h.queue(at)
		if q == nil {
			return nil
		}
		// Only looked at: while the origin's rules are unknown it stays where it is.
		j := (*q)[0]
		if j.kind == robotsJob {
			return q.take(j.url)
		}
		_, origin, _ := target(j.url) // it is one, or it would not be queued
		r := h.rules[origin]
		switch {
		// By at, the time that the request could have been made, for the sake of the sequence. The last case
		// asks by now as well, so that no rule is used that has run out meanwhile.
		case r == nil || !at.Before(r.until):
			return robotsOf(origin)
		case r.known == nil:
			q.take(j.url)
			j.due = r.until
			c.postpone(h, j)
		case !r.known.Allowed(pathOf(j.url)):
			q.take(j.url)
			c.forbid(j, r)
		case !now.Before(r.until):
			return robotsOf(origin)
		default:
			return q.take(j.url)
		}
	}
}

func robotsOf(origin string) *job {
	return &job{kind: robotsJob, url: origin + "/robots.txt", origin: origin}
}

// postpone queues a job for later; a feed's, if that is within the round.
func (c *Crawl) postpone(h *host, j *job) {
	if j.kind == feedJob {
		j.feed.next = j.due
		if j.due.After(c.o.Due) {
			return
		}
	}
	h.of(j.kind).add(j)
}

// forbid drops a job that robots.txt forbids.
func (c *Crawl) forbid(j *job, r *rules) {
	// Counted for each request that would have been made, not for each feed.
	c.counts.Forbidden++
	if j.kind == feedJob {
		j.feed.next = r.until.Add(forbiddenFor)
		// A feed that is never asked for would not be in the book (see Book), and would be looked at again in
		// each round. The time is that of the robots.txt.
		j.feed.visited = later(j.feed.visited, r.until.Add(-rulesFor))
		return
	}
	// A page is not looked at again, unlike a feed: the book remembers it as done.
	c.finish(j.url, r.until)
}

// pathOf is what robots.txt is asked about: the path and the query.
func pathOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return "/"
	}
	return u.RequestURI()
}

// apply does what follows from an answer. It looks at nothing but the answer, the job and what came before: a journal
// that is applied has the same result.
func (c *Crawl) apply(h *host, j *job, a Answer) {
	// Counted before the budget is looked at, which may end the round with this answer.
	c.counts.Bytes += a.Size
	c.spend()
	c.rest(h, a)
	switch j.kind {
	case robotsJob:
		c.learn(j, a)
	case feedJob:
		c.visited(j, a)
	default:
		c.fetched(j, a)
	}
	c.settle(h)
}

// rest says when the host may be asked again.
func (c *Crawl) rest(h *host, a Answer) {
	// The pause counts from the end of the answer, so that a slow host gets as much rest as a fast one.
	wait := h.delay
	if a.rests() {
		h.fails++
		asked := a.retryAfter()
		if asked == 0 {
			// Retry-After is taken at its word, also when it is shorter than what would be guessed.
			asked = backOff(restBase, h.fails, maxRest)
		}
		wait = max(wait, asked)
	} else {
		h.fails = 0
	}
	// Never earlier than was promised before: answers to redirections of others may come while the host
	// rests.
	if at := a.Ended.Add(wait); at.After(h.free) {
		h.free = at
	}
}

// failure counts what went wrong.
func (c *Crawl) failure(a Answer) {
	switch {
	case a.Fault != "":
		c.counts.Failures[a.Fault]++
	case a.isCut():
		c.counts.Failures["truncated"]++
	default:
		c.counts.Failures[strconv.Itoa(a.status())]++
	}
}

// learn notes what a robots.txt says, or goes where it is redirected to.
func (c *Crawl) learn(j *job, a Answer) {
	// The rules are of the host that was asked first, wherever the file was found in the end: section
	// 2.3.1.2 of RFC 9309.
	name, _, _ := target(j.origin)
	h := c.hostOf(name)
	r := h.rules[j.origin]
	if r == nil {
		r = &rules{}
		h.rules[j.origin] = r
	}
	s := a.status()
	switch to, _ := a.movedTo(); {
	case to != "" && j.hops < maxHops:
		// Five redirections, even across hosts, are what section 2.3.1.2 of RFC 9309 asks for; after more the
		// file may be taken for one that is not there.
		next := &job{kind: robotsJob, url: to, origin: j.origin, hops: j.hops + 1, due: a.Ended.Add(c.o.HostDelay)}
		if c.add(next) {
			// Until it is there nothing else is asked of the origin.
			r.known, r.until = nil, next.due.Add(time.Minute)
			return
		}
		r.known, r.text, r.fails, r.until = robots.Parse(nil, c.o.Agent), nil, 0, a.Ended.Add(rulesFor)
	case s >= 200 && s < 300 && !a.isCut():
		r.known, r.text, r.fails, r.until = robots.Parse(a.Capture.Body, c.o.Agent), a.Capture.Body, 0, a.Ended.Add(rulesFor)
		h.delay = max(h.delay, min(r.known.CrawlDelay(), c.o.MaxDelay))
		// The first pause counts as well: the file itself was a request.
		h.free = later(h.free, a.Ended.Add(h.delay))
	// 429 asks for fewer requests; to take it for "no rules", as section 2.3.1.3 of RFC 9309 has all of 4xx, would send
	// more.
	case a.passes():
		// Unreachable: "the crawler MUST assume complete disallow" (section 2.3.1.4).
		c.failure(a)
		r.fails++
		// Not before the host may be asked at all: otherwise the jobs that wait would all become due at once,
		// to be put off again.
		r.known, r.until = nil, later(h.free, a.Ended.Add(backOff(unknownFor, r.fails, rulesFor)))
	default:
		r.known, r.text, r.fails, r.until = robots.Parse(nil, c.o.Agent), nil, 0, a.Ended.Add(rulesFor)
	}
	c.settle(h)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// finished is a page that is not asked for again, though it is not captured.
type finished struct {
	link uint64
	at   time.Time
}

// finish drops a page for good.
func (c *Crawl) finish(link string, at time.Time) {
	// Remembered in the book for doneFor: a feed shows an item for weeks, and it would be queued again
	// each time.
	c.done = append(c.done, finished{source.LinkKey(link), at})
}

// want queues the page of an item, once.
func (c *Crawl) want(link string, due, published time.Time) bool {
	key := source.LinkKey(link)
	if _, ok := c.seen[key]; ok {
		return false
	}
	if _, ok := c.feeds[source.Key(link)]; ok {
		return false // a feed among its own items
	}
	if !c.add(&job{kind: pageJob, url: link, due: due, published: published}) {
		return false
	}
	c.seen[key] = struct{}{}
	return true
}

// fetched does what follows from the answer to a page's request.
func (c *Crawl) fetched(j *job, a Answer) {
	if a.passes() {
		c.failure(a)
		// It stays in seen while it waits, so that it is not queued a second time by the feed.
		if j.tries++; j.tries < maxTries {
			j.due = a.Ended.Add(backOff(restBase, j.tries, maxRest))
			c.add(j)
			return
		}
	}
	if a.Fault != "" || a.passes() {
		c.counts.GivenUp++
		c.finish(j.url, a.Ended)
		return
	}
	// A redirection counts as an answer. What it leads to is another request, and is counted again.
	c.counts.Pages++
	to, _ := a.movedTo()
	if to == "" || j.hops >= maxHops {
		return
	}
	key := source.LinkKey(to)
	if _, ok := c.seen[key]; ok {
		return
	}
	next := &job{
		kind: pageJob, url: to, due: a.Ended.Add(c.o.HostDelay), hops: j.hops + 1, published: j.published,
	}
	if c.add(next) {
		c.seen[key] = struct{}{}
	}
}

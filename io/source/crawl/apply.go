package crawl

import (
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/transforms/robots"
	"github.com/gleaner-web/gleaner/transforms/source"
)

const (
	// restBase is the first time that a host is left alone if it asked for rest without a duration.
	restBase = 10 * time.Minute
	// rulesFor is how long a robots.txt is valid: section 2.4 of RFC 9309 asks not to use it for more than 24 hours.
	rulesFor = 24 * time.Hour
	// unknownFor is the first time that an origin with an unavailable robots.txt is left alone.
	unknownFor = time.Hour
	// forbiddenFor is when a forbidden feed is checked again: sites change their minds.
	forbiddenFor = 7 * 24 * time.Hour
	// maxHops is how many redirects are followed.
	maxHops = 5
	// maxTries is how often a failing page is requested.
	maxTries = 4
)

// pick returns the next job of a host that has been ready since at, or a job for its robots.txt, or nil. It postpones
// jobs that robots.txt delays or forbids as of that time. So a later process has the same sequence.
func (c *Crawl) pick(h *host, at, now time.Time) *job {
	for {
		// Postponed and forbidden jobs leave the queue, so the loop ends.
		q := h.queue(at)
		if q == nil {
			return nil
		}
		// Not removed yet: while the origin's rules are unknown it stays.
		j := (*q)[0]
		if j.kind == robotsJob {
			return q.take(j.url)
		}
		_, origin, _ := target(j.url) // it is valid, or it would not be queued
		r := h.rules[origin]
		switch {
		// By at, when the request could have been made, for the same sequence. The last case uses now as well, so that
		// no expired rules are used.
		case r == nil || !at.Before(r.until):
			return robotsOf(origin)
		case r.known == nil:
			q.take(j.url)
			j.due = r.until
			c.postpone(h, j, r.moving)
		case !r.known.Allowed(robots.PathOf(j.url)):
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

// postpone queues a job for later. A feed's job beyond the round is dropped, unless keep is set.
func (c *Crawl) postpone(h *host, j *job, keep bool) {
	if j.kind == feedJob {
		j.feed.next = j.due
		if j.due.After(c.o.Due) && !keep {
			return
		}
	}
	h.of(j.kind).add(j)
}

// forbid drops a job that robots.txt forbids.
func (c *Crawl) forbid(j *job, r *rules) {
	// Counts requests, not feeds.
	c.counts.Forbidden++
	if j.kind == feedJob {
		j.feed.next = r.until.Add(forbiddenFor)
		// A feed that was never visited would not be in the book (see Book) and be checked in every round. The time is
		// that of the robots.txt.
		j.feed.visited = later(j.feed.visited, r.until.Add(-rulesFor))
		return
	}
	// A page, unlike a feed, is not checked again.
	c.finish(j.url, r.until)
}

// apply applies an answer. It only depends on the answer, the job and earlier answers, so that a journal gives the same
// result.
func (c *Crawl) apply(h *host, j *job, a Answer) {
	// Counted before the budget is checked, which may end the round.
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

// rest sets when the host may be asked again.
func (c *Crawl) rest(h *host, a Answer) {
	// The pause begins at the end of the answer, so that slow hosts get as much rest as fast ones.
	wait := h.delay
	if a.rests() {
		h.fails++
		asked := a.retryAfter()
		if asked == 0 {
			// Retry-After is obeyed even if it is shorter than our estimate.
			asked = backOff(restBase, h.fails, maxRest)
		}
		wait = max(wait, asked)
	} else {
		h.fails = 0
	}
	// Never earlier than before: answers to redirects may come while the host rests.
	if at := a.Ended.Add(wait); at.After(h.free) {
		h.free = at
	}
}

// failure counts a failure.
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

// learn applies a robots.txt, or follows its redirect.
func (c *Crawl) learn(j *job, a Answer) {
	// The rules belong to the host that was asked first, wherever the file was found: section 2.3.1.2 of RFC 9309.
	name, _, _ := target(j.origin)
	h := c.hostOf(name)
	r := h.rules[j.origin]
	if r == nil {
		r = &rules{}
		h.rules[j.origin] = r
	}
	s := a.status()
	r.moving = false
	switch to, _ := a.movedTo(); {
	case to != "" && j.hops < maxHops:
		// Section 2.3.1.2 of RFC 9309 asks for five redirects, even across hosts; after more the file may count as
		// missing.
		next := &job{kind: robotsJob, url: to, origin: j.origin, hops: j.hops + 1, due: a.Ended.Add(c.o.HostDelay)}
		if c.add(next) {
			// Until then nothing else is requested from the origin. The other host may be resting.
			other, _, _ := target(to)
			r.known, r.moving, r.until = nil, true, later(next.due, c.hostOf(other).free).Add(time.Minute)
			return
		}
		r.known, r.text, r.fails, r.until = robots.Parse(nil, c.o.Agent), nil, 0, a.Ended.Add(rulesFor)
	case s >= 200 && s < 300 && !a.isCut():
		r.known, r.text, r.fails, r.until = robots.Parse(a.Capture.Body, c.o.Agent), a.Capture.Body, 0, a.Ended.Add(rulesFor)
		h.delay = max(h.delay, min(r.known.CrawlDelay(), c.o.MaxDelay))
		// The pause counts as well, because the file was a request.
		h.free = later(h.free, a.Ended.Add(h.delay))
	// 429 asks for fewer requests. Treating it as "no rules", like other 4xx in section 2.3.1.3 of RFC 9309, would send
	// more.
	case a.passes():
		// Unreachable: "the crawler MUST assume complete disallow" (section 2.3.1.4).
		c.failure(a)
		r.fails++
		// Not before the host may be asked: otherwise all waiting jobs would become due, only to be postponed again.
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

// finished is a page that will not be requested again, although it was not captured.
type finished struct {
	link uint64
	at   time.Time
}

// finish drops a page for good.
func (c *Crawl) finish(link string, at time.Time) {
	// Remembered in the book for doneFor, because a feed shows an item for weeks and would queue it again.
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

// fetched applies the answer to a page's request.
func (c *Crawl) fetched(j *job, a Answer) {
	if a.passes() {
		c.failure(a)
		// It stays in seen, so that the feed does not queue it again.
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
	// A redirect counts as an answer; its target is another request.
	c.counts.Pages++
	to, _ := a.movedTo()
	if to == "" {
		return
	}
	key := source.LinkKey(to)
	// Forms of one URL, such as with http and https, have one key: the redirect is not yet the page.
	same := key == source.LinkKey(j.url)
	if j.hops >= maxHops || to == j.url {
		if same && j.hops <= maxHops {
			c.finish(j.url, a.Ended) // otherwise each round would follow it again
		}
		return
	}
	if _, ok := c.seen[key]; ok && !same {
		return
	}
	next := &job{
		kind: pageJob, url: to, due: a.Ended.Add(c.o.HostDelay), hops: j.hops + 1, published: j.published,
	}
	if c.add(next) {
		c.seen[key] = struct{}{}
	}
}

package crawl

import (
	"path"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/source"
)

// Replay does what follows from an answer that an earlier process of this round got and wrote. It is called for all of
// them, in their sequence, before Run.
func (c *Crawl) Replay(a Answer) {
	name, origin, ok := target(a.URL)
	if !ok {
		return
	}
	c.counts.Replayed++
	h := c.hostOf(name)
	j := h.find(a.URL, origin)
	if j == nil {
		// The Source DB, or what is asked for, has changed meanwhile. The page is captured all the same.
		c.seen[source.LinkKey(a.URL)] = struct{}{}
		// With all redirections spent, so that it queues nothing: what the answer led to is decided again from
		// what is known now.
		j = &job{kind: pageJob, url: a.URL, hops: maxHops}
	}
	// The budgets count what the round has sent, by whichever process.
	h.requests++
	c.counts.Requests++
	c.apply(h, j, a)
}

// find takes the job that a URL was asked for; nil when there is none.
func (h *host) find(url, origin string) *job {
	// In the sequence of pick. A URL that is queued twice, as a feed and as a page, was asked for as a
	// feed first.
	for _, q := range []*jobs{&h.first, &h.feeds, &h.pages} {
		if j := q.take(url); j != nil {
			return j
		}
	}
	// It is not queued, but asked for when something else is to be.
	if strings.HasPrefix(url, origin) && path.Base(url) == "robots.txt" {
		return &job{kind: robotsJob, url: url, origin: origin}
	}
	return nil
}

// Rest is called after Replay when an earlier process was killed: what was under way then nobody knows, so each
// host is left alone for its pause.
func (c *Crawl) Rest() {
	now := c.o.Clock.Now()
	// Hosts that are not known yet may have been under way, too: see hostOf.
	c.rested = now.Add(c.o.HostDelay)
	for _, h := range c.hosts {
		h.free = later(h.free, now.Add(h.delay))
		c.settle(h)
	}
}

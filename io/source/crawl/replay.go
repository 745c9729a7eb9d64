package crawl

import (
	"path"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/source"
)

// Replay applies an answer that an earlier process of this round wrote. It must be called for all of them, in order,
// before Run.
func (c *Crawl) Replay(a Answer) {
	name, origin, ok := target(a.URL)
	if !ok {
		return
	}
	c.counts.Replayed++
	h := c.hostOf(name)
	j := h.find(a.URL, origin)
	if j == nil {
		// The Source DB or the options have changed meanwhile, but the page is captured.
		c.seen[source.LinkKey(a.URL)] = struct{}{}
		// Beyond the redirects, so that it queues and finishes nothing.
		j = &job{kind: pageJob, url: a.URL, hops: maxHops + 1}
	}
	// The budgets count all processes of the round.
	h.requests++
	c.counts.Requests++
	c.apply(h, j, a)
}

// find takes the job for which a URL was requested, or returns nil.
func (h *host) find(url, origin string) *job {
	// In the order of pick: a URL that is both feed and page was requested as a feed first.
	for _, q := range []*jobs{&h.first, &h.feeds, &h.pages} {
		if j := q.take(url); j != nil {
			return j
		}
	}
	// A robots.txt is not queued but requested before other jobs.
	if strings.HasPrefix(url, origin) && path.Base(url) == "robots.txt" {
		return &job{kind: robotsJob, url: url, origin: origin}
	}
	return nil
}

// Rest must be called after Replay if an earlier process was killed: its last requests are unknown, so each host gets a
// pause.
func (c *Crawl) Rest() {
	now := c.o.Clock.Now()
	// Unknown hosts may have been asked, too: see hostOf.
	c.rested = now.Add(c.o.HostDelay)
	for _, h := range c.hosts {
		h.free = later(h.free, now.Add(h.delay))
		c.settle(h)
	}
}

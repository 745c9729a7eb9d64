package crawl

import (
	"container/heap"
	"time"

	"github.com/gleaner-web/gleaner/transforms/robots"
)

// host is a machine to be polite to: all origins of one name.
type host struct {
	name  string
	first jobs // robots.txt of other hosts, redirected to this one
	feeds jobs
	pages jobs

	free     time.Time // when it may be asked again
	delay    time.Duration
	fails    int // consecutive answers that asked for rest, or did not come
	rules    map[string]*rules
	busy     bool
	requests int64 // in this round
	// Maintained by Swap, Push and Pop, for heap.Fix and heap.Remove.
	place int // in the queue of hosts, or -1
}

// rules are the last robots.txt of an origin.
type rules struct {
	known  *robots.Rules // nil forbids everything
	text   []byte        // for the book
	until  time.Time     // when to request it again
	fails  int
	moving bool // its redirect is being followed
}

// ready returns when the host's next request can be made; false if there is none.
func (h *host) ready() (at time.Time, ok bool) {
	// The earliest job; queue chooses the queue when the time has come.
	for _, q := range []jobs{h.first, h.feeds, h.pages} {
		if len(q) > 0 && (!ok || q[0].due.Before(at)) {
			at, ok = q[0].due, true
		}
	}
	// An overdue job does not shorten the pause.
	if h.free.After(at) {
		at = h.free
	}
	return at, ok
}

// queue returns the queue of the next job. Feeds come before pages, because a feed's items may soon be gone.
func (h *host) queue(now time.Time) *jobs {
	for _, q := range []*jobs{&h.first, &h.feeds, &h.pages} {
		if len(*q) > 0 && !(*q)[0].due.After(now) {
			return q
		}
	}
	return nil
}

// of returns the queue of a kind of job.
func (h *host) of(k kind) *jobs {
	return []*jobs{robotsJob: &h.first, feedJob: &h.feeds, pageJob: &h.pages}[k]
}

// hosts is a heap of hosts with jobs that are not busy, by the time at which they are ready.
type hosts []*host

func (q hosts) Len() int { return len(q) }

// Swap updates places, to find a host in the heap.
func (q hosts) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

// Less orders equal times by name, so that the order of insertion does not matter.
func (q hosts) Less(i, j int) bool {
	a, _ := q[i].ready()
	b, _ := q[j].ready()
	if !a.Equal(b) {
		return a.Before(b)
	}
	return q[i].name < q[j].name
}

// Push implements heap.Interface.
func (q *hosts) Push(x any) {
	x.(*host).place = len(*q)
	*q = append(*q, x.(*host))
}

// Pop implements heap.Interface.
func (q *hosts) Pop() any {
	last := (*q)[len(*q)-1]
	(*q)[len(*q)-1] = nil // frees the memory
	*q = (*q)[:len(*q)-1]
	last.place = -1
	return last
}

// settle updates the place of a changed host in the queue.
func (c *Crawl) settle(h *host) {
	_, has := h.ready()
	// A host with a spent budget leaves the queue; its pages stay in the book for the next round.
	wanted := has && !h.busy && !c.spent(h)
	switch {
	case wanted && h.place < 0:
		heap.Push(&c.queue, h)
	case wanted:
		heap.Fix(&c.queue, h.place)
	case h.place >= 0:
		heap.Remove(&c.queue, h.place)
	}
}

// hostOf returns the host of a name, new or known.
func (c *Crawl) hostOf(name string) *host {
	h := c.hosts[name]
	if h == nil {
		// rested is zero unless an earlier process was killed, which may have asked any host.
		h = &host{name: name, delay: c.o.HostDelay, free: c.rested, rules: map[string]*rules{}, place: -1}
		c.hosts[name] = h
	}
	return h
}

// add queues a job, and reports whether its URL can be requested.
func (c *Crawl) add(j *job) bool {
	name, _, ok := target(j.url)
	if !ok {
		return false
	}
	h := c.hostOf(name)
	h.of(j.kind).add(j)
	c.settle(h)
	return true
}

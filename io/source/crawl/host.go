package crawl

import (
	"container/heap"
	"time"

	"github.com/gleaner-web/gleaner/transforms/robots"
)

// host is a machine to be polite to: all origins of one name.
type host struct {
	name  string
	first jobs // robots.txt of others, which were redirected here
	feeds jobs
	pages jobs

	free     time.Time // when it may be asked again
	delay    time.Duration
	fails    int // answers in a row that asked for rest, or did not come
	rules    map[string]*rules
	busy     bool
	requests int64 // of this round
	// Kept up to date by Swap, Push and Pop; heap.Fix and heap.Remove need it.
	place int // in the queue of hosts; -1 when it is not there
}

// rules are what robots.txt of an origin says, by its last answer.
type rules struct {
	known *robots.Rules // nil forbids everything
	text  []byte        // of the file, for the book
	until time.Time     // then it is asked for again
	fails int
}

// ready is when the host's next request can be made; false when there is none to make.
func (h *host) ready() (at time.Time, ok bool) {
	// The earliest of all three: which queue it is taken from is decided by queue when the time has come.
	for _, q := range []jobs{h.first, h.feeds, h.pages} {
		if len(q) > 0 && (!ok || q[0].due.Before(at)) {
			at, ok = q[0].due, true
		}
	}
	// A job that is overdue does not make its host ready before its pause is over.
	if h.free.After(at) {
		at = h.free
	}
	return at, ok
}

// queue is the one that the next job is taken from: feeds come before pages, since what a feed shows may be gone when
// the pages are done.
func (h *host) queue(now time.Time) *jobs {
	for _, q := range []*jobs{&h.first, &h.feeds, &h.pages} {
		if len(*q) > 0 && !(*q)[0].due.After(now) {
			return q
		}
	}
	return nil
}

// of is the queue that a job belongs to.
func (h *host) of(k kind) *jobs {
	return []*jobs{robotsJob: &h.first, feedJob: &h.feeds, pageJob: &h.pages}[k]
}

// hosts is a heap of those that have something to do and are not busy: the first to be ready comes first.
type hosts []*host

func (q hosts) Len() int { return len(q) }

// Swap keeps places, so that a host can be found in the heap.
func (q hosts) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

// Less breaks ties by name, so that the sequence does not depend on that of insertion.
func (q hosts) Less(i, j int) bool {
	a, _ := q[i].ready()
	b, _ := q[j].ready()
	if !a.Equal(b) {
		return a.Before(b)
	}
	return q[i].name < q[j].name
}

// Push is for package heap.
func (q *hosts) Push(x any) {
	x.(*host).place = len(*q)
	*q = append(*q, x.(*host))
}

// Pop is for package heap.
func (q *hosts) Pop() any {
	last := (*q)[len(*q)-1]
	(*q)[len(*q)-1] = nil // or the array would keep it
	*q = (*q)[:len(*q)-1]
	last.place = -1
	return last
}

// settle puts a host where it belongs in the queue, after anything about it has changed.
func (c *Crawl) settle(h *host) {
	_, has := h.ready()
	// A host whose budget is spent leaves the queue with its jobs: the pages stay in the book for the next
	// round.
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

// hostOf is the host of that name, new or known.
func (c *Crawl) hostOf(name string) *host {
	h := c.hosts[name]
	if h == nil {
		// rested is the zero time unless an earlier process was killed: then a host that nobody knows yet may
		// have been asked by it.
		h = &host{name: name, delay: c.o.HostDelay, free: c.rested, rules: map[string]*rules{}, place: -1}
		c.hosts[name] = h
	}
	return h
}

// add queues a job, where its URL can be asked for.
func (c *Crawl) add(j *job) bool {
	// False for a URL that cannot be asked for: the caller then treats it as nowhere to go.
	name, _, ok := target(j.url)
	if !ok {
		return false
	}
	h := c.hostOf(name)
	h.of(j.kind).add(j)
	c.settle(h)
	return true
}

package crawl

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Crawl is one round.
type Crawl struct {
	o      Options
	hosts  map[string]*host
	queue  hosts
	feeds  map[string]*feed    // by the key of the URL to request
	named  map[string]bool     // keys of Options.Feeds
	seen   map[uint64]struct{} // links of pages that are captured, queued or abandoned, by source.LinkKey
	done   []finished          // pages that will not be requested again, although they were not captured
	flight []*flight           // current requests, in the order of sending
	came   chan *flight        // finished requests; nil if answers are taken in the order of sending
	slots  chan struct{}       // limits current requests
	freed  chan struct{}       // signals that a slot was released
	alarm  func(time.Duration) <-chan time.Time
	rested time.Time // no host is asked before: see Rest
	ended  bool      // a budget is spent
	counts Counts
}

// flight is a current request.
type flight struct {
	job    *job
	host   *host
	answer chan outcome
}

type outcome struct {
	Answer
	err error
}

// New returns a round without any work yet.
func New(o Options) (*Crawl, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &Crawl{
		o: o, hosts: map[string]*host{}, feeds: map[string]*feed{}, named: map[string]bool{}, seen: map[uint64]struct{}{},
		// Capacity 1 suffices for freed: it means "look again".
		slots: make(chan struct{}, o.Hosts), freed: make(chan struct{}, 1), counts: Counts{Failures: map[string]int64{}},
		// A nil channel never fires.
		alarm: func(time.Duration) <-chan time.Time { return nil },
	}
	for _, url := range o.Feeds {
		c.named[source.Key(url)] = true
	}
	// A simulated clock stands still during requests, so that times do not depend on the speed of answers. Answers are
	// then taken in the order of requests. By the machine's clock they are taken as they come, so that a slow host
	// delays nobody.
	if o.Clock == fetch.System {
		c.alarm, c.came = time.After, make(chan *flight, waiting*o.Hosts)
	}
	return c, nil
}

// Counts returns the counts of the round so far.
func (c *Crawl) Counts() Counts {
	n := c.counts
	for _, h := range c.hosts {
		// Computed on demand, which is simpler than keeping it up to date.
		n.Left += int64(len(h.first) + len(h.feeds) + len(h.pages))
	}
	return n
}

// waiting is how many requests may be sent, for each current one, before the first of them is answered. So one slow
// host does not delay the others, and the number of waiting answers is limited.
const waiting = 4

// Run makes requests until the round is over, a budget is spent, or nothing is left to do. After an error, or when the
// context ends, everything written is complete, and another Crawl can continue.
func (c *Crawl) Run(ctx context.Context) error {
	for {
		now := c.o.Clock.Now()
		// First send all requests that can be sent, then take one answer.
		if err := c.send(ctx, now); err != nil {
			return errors.Join(err, c.abandon())
		}
		if len(c.flight) > 0 {
			if err := c.wait(ctx, now); err != nil {
				return errors.Join(err, c.abandon())
			}
			continue
		}
		next, ok := c.next()
		// Without current requests, only time makes another request possible.
		if !ok || !next.Before(c.o.End) {
			return nil
		}
		if c.o.Patience > 0 && next.Sub(now) > c.o.Patience {
			c.counts.Resting, c.counts.Next = int64(len(c.queue)), next
			return nil
		}
		// No current requests, so nothing to abandon.
		if err := c.o.Clock.Sleep(ctx, next.Sub(now)); err != nil {
			return err
		}
	}
}

// next returns when the next request can be made.
func (c *Crawl) next() (time.Time, bool) {
	// A spent budget ends sending; current requests are still completed.
	if len(c.queue) == 0 || c.ended {
		return time.Time{}, false
	}
	return c.queue[0].ready()
}

// send starts the requests that are due, one for each host.
func (c *Crawl) send(ctx context.Context, now time.Time) error {
	for now.Before(c.o.End) && len(c.flight) < waiting*c.o.Hosts {
		at, ok := c.next()
		if !ok || at.After(now) {
			return ctx.Err()
		}
		select {
		case c.slots <- struct{}{}:
		default:
			return ctx.Err() // all slots are taken
		}
		// The slot is taken first, because pick removes jobs from their queues.
		h := c.queue[0]
		j := c.pick(h, at, now)
		if j == nil {
			<-c.slots
			c.settle(h)
			continue
		}
		c.start(ctx, h, j)
	}
	return ctx.Err()
}

// start sends a request.
func (c *Crawl) start(ctx context.Context, h *host, j *job) {
	// One request at a time: settle removes a busy host from the queue until its answer was applied.
	h.busy = true
	h.requests++
	c.counts.Requests++
	c.spend()
	c.settle(h)
	// Capacity 1, so that the goroutine ends even if nobody takes the answer.
	f := &flight{job: j, host: h, answer: make(chan outcome, 1)}
	c.flight = append(c.flight, f)
	go func() {
		// The goroutine changes no shared state: the goroutine of Run makes all decisions.
		a, err := c.ask(ctx, j)
		f.answer <- outcome{a, err}
		if c.came != nil {
			c.came <- f // it has room for all current requests
		}
		<-c.slots
		select {
		case c.freed <- struct{}{}:
		default: // already signalled
		}
	}()
}

// wait takes an answer, or returns early when another request can be sent.
func (c *Crawl) wait(ctx context.Context, now time.Time) error {
	// One of the two channels is nil, which never receives.
	first, inSequence := c.flight[0], c.flight[0].answer
	if c.came != nil {
		inSequence = nil
	}
	var alarm <-chan time.Time
	// If a request is due now, a slot is missing, which freed signals, or this answer.
	if next, ok := c.next(); ok && next.After(now) {
		alarm = c.alarm(next.Sub(now))
	}
	select {
	case got := <-inSequence:
		c.flight = c.flight[1:]
		return c.take(first, got)
	case f := <-c.came:
		i := slices.Index(c.flight, f)
		c.flight = slices.Delete(c.flight, i, i+1)
		return c.take(f, <-f.answer)
	case <-c.freed:
	case <-alarm:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// take writes an answer, and then applies it.
func (c *Crawl) take(f *flight, got outcome) error {
	if got.err != nil {
		return got.err
	}
	// Written first, so that after a crash the journal has it.
	err := c.keep(f.job, got.Answer)
	if err = errors.Join(err, got.close()); err != nil {
		return err
	}
	f.host.busy = false
	c.apply(f.host, f.job, got.Answer)
	return nil
}

// keep writes an answer.
func (c *Crawl) keep(j *job, a Answer) error {
	if a.Fault != "" {
		return c.o.Archive.Fault(a.URL, a.Time, a.Fault)
	}
	n := Note{Published: j.published}
	if a.status() == http.StatusNotModified && j.kind == feedJob {
		// A revisit record names its original: section 6.7 of WARC/1.1. Pages are requested without validators, so a
		// 304 for them refers to nothing.
		n.RefersTo = &schemas.Reference{URL: a.URL, Timestamp: j.feed.read.UTC().Format(time.RFC3339)}
	}
	return c.o.Archive.Exchange(a.exchange, n)
}

// abandon waits for current requests, and drops their answers.
func (c *Crawl) abandon() (err error) {
	for _, f := range c.flight {
		// The body may be a file on disk, which must be closed to be removed.
		got := <-f.answer
		err = errors.Join(err, got.close())
	}
	c.flight = nil
	return err
}

// spend ends the round if a budget is spent.
func (c *Crawl) spend() {
	b := c.o.Budget
	switch {
	case b.Requests > 0 && c.counts.Requests >= b.Requests:
		c.ended, c.counts.Stopped = true, "requests"
	case b.Bytes > 0 && c.counts.Bytes >= b.Bytes:
		c.ended, c.counts.Stopped = true, "bytes"
	}
}

// spent reports whether a host's budget is spent.
func (c *Crawl) spent(h *host) bool {
	return c.o.Budget.HostRequests > 0 && h.requests >= c.o.Budget.HostRequests
}

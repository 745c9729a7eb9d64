package crawl

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/schemas"
)

// Crawl is one round.
type Crawl struct {
	o      Options
	hosts  map[string]*host
	queue  hosts
	feeds  map[string]*feed    // by the key of the URL that they are asked for by
	seen   map[uint64]struct{} // links of pages that are captured, queued or given up, by source.LinkKey
	done   []finished          // pages that are not asked for again though they are not captured
	flight []*flight           // under way, in the sequence in which they were sent
	came   chan *flight        // those whose answer is there; nil where answers are taken in that sequence
	slots  chan struct{}       // taken by requests under way
	freed  chan struct{}       // says that a slot was given back
	alarm  func(time.Duration) <-chan time.Time
	rested time.Time // no host is asked before: see Rest
	ended  bool      // a budget is spent
	counts Counts
}

// flight is a request under way.
type flight struct {
	job    *job
	host   *host
	answer chan outcome
}

type outcome struct {
	Answer
	err error
}

// New returns a round in which nothing is to be done yet.
func New(o Options) (*Crawl, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &Crawl{
		o: o, hosts: map[string]*host{}, feeds: map[string]*feed{}, seen: map[uint64]struct{}{},
		// freed has room for one, which is enough: it says "look again" and not how often.
		slots: make(chan struct{}, o.Hosts), freed: make(chan struct{}, 1), counts: Counts{Failures: map[string]int64{}},
		// A nil channel never fires.
		alarm: func(time.Duration) <-chan time.Time { return nil },
	}
	// A simulated clock stands still while requests are under way, so that the time of each does not depend on how fast
	// others are answered, and answers are taken in the sequence of the requests. By the machine's clock they are taken
	// as they come: nobody waits for a host that drips.
	if o.Clock == fetch.System {
		c.alarm, c.came = time.After, make(chan *flight, waiting*o.Hosts)
	}
	return c, nil
}

// Counts are what the round has come to so far.
func (c *Crawl) Counts() Counts {
	n := c.counts
	for _, h := range c.hosts {
		// Summed when it is asked for, rather than kept beside the queues where it could go wrong.
		n.Left += int64(len(h.first) + len(h.feeds) + len(h.pages))
	}
	return n
}

// waiting is how many requests may be sent before the first of them is answered, for each that is under way: one slow
// host does not keep the others from being asked, and what waits after it is bounded.
const waiting = 4

// Run makes requests until the round is over, a budget is spent, or nothing is left to do. After an error, or when the
// context ends, what was written is whole, and another Crawl can go on.
func (c *Crawl) Run(ctx context.Context) error {
	for {
		now := c.o.Clock.Now()
		// First all that can be sent now, then one answer: what the answer brings about is seen in the next
		// turn.
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
		// Nothing is under way here, so that nothing but time can make another request possible.
		if !ok || !next.Before(c.o.End) {
			return nil
		}
		if c.o.Patience > 0 && next.Sub(now) > c.o.Patience {
			c.counts.Resting, c.counts.Next = int64(len(c.queue)), next
			return nil
		}
		// Nothing is under way: there is nothing to abandon.
		if err := c.o.Clock.Sleep(ctx, next.Sub(now)); err != nil {
			return err
		}
	}
}

// next is when the next request can be made.
func (c *Crawl) next() (time.Time, bool) {
	// A budget that is spent ends the sending; what is under way is still waited for and written.
	if len(c.queue) == 0 || c.ended {
		return time.Time{}, false
	}
	return c.queue[0].ready()
}

// send starts what can be asked for now, a request for each host.
func (c *Crawl) send(ctx context.Context, now time.Time) error {
	for now.Before(c.o.End) && len(c.flight) < waiting*c.o.Hosts {
		at, ok := c.next()
		if !ok || at.After(now) {
			return ctx.Err()
		}
		select {
		case c.slots <- struct{}{}:
		default:
			return ctx.Err() // all are taken
		}
		// A slot was taken before the job is picked, since pick takes jobs off their queues.
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
	// One request at a time: settle takes a busy host out of the queue until its answer was applied.
	h.busy = true
	h.requests++
	c.counts.Requests++
	c.spend()
	c.settle(h)
	// Room for one answer, so that the goroutine ends even when nobody takes it.
	f := &flight{job: j, host: h, answer: make(chan outcome, 1)}
	c.flight = append(c.flight, f)
	go func() {
		// The goroutine reads the job and writes nothing that others see: all decisions are made by the
		// goroutine of Run.
		a, err := c.ask(ctx, j)
		f.answer <- outcome{a, err}
		if c.came != nil {
			c.came <- f // it has room for all that are under way
		}
		<-c.slots
		select {
		case c.freed <- struct{}{}:
		default: // it is said already
		}
	}()
}

// wait takes an answer, or returns earlier when another request can be sent.
func (c *Crawl) wait(ctx context.Context, now time.Time) error {
	// Of the two channels one is nil, which never receives.
	first, inSequence := c.flight[0], c.flight[0].answer
	if c.came != nil {
		inSequence = nil
	}
	var alarm <-chan time.Time
	// When something is due now it is a slot that is missing, of which freed tells, or this answer itself.
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

// take writes an answer, then does what follows from it.
func (c *Crawl) take(f *flight, got outcome) error {
	if got.err != nil {
		return got.err
	}
	// Written before it is applied: a process that is killed between the two finds it in the journal.
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
		// A revisit record names the capture that it stands for: section 6.7 of WARC/1.1. Pages are asked for
		// without validators, so that a 304 of theirs refers to nothing.
		n.RefersTo = &schemas.Reference{URL: a.URL, Timestamp: j.feed.read.UTC().Format(time.RFC3339)}
	}
	return c.o.Archive.Exchange(a.exchange, n)
}

// abandon waits for what is under way, whose answers are dropped.
func (c *Crawl) abandon() (err error) {
	for _, f := range c.flight {
		// The body may be a file on the disk, which stays behind unless it is closed.
		got := <-f.answer
		err = errors.Join(err, got.close())
	}
	c.flight = nil
	return err
}

// spend ends the round when a budget is spent.
func (c *Crawl) spend() {
	b := c.o.Budget
	switch {
	case b.Requests > 0 && c.counts.Requests >= b.Requests:
		c.ended, c.counts.Stopped = true, "requests"
	case b.Bytes > 0 && c.counts.Bytes >= b.Bytes:
		c.ended, c.counts.Stopped = true, "bytes"
	}
}

// spent reports whether a host's budget is.
func (c *Crawl) spent(h *host) bool {
	return c.o.Budget.HostRequests > 0 && h.requests >= c.o.Budget.HostRequests
}

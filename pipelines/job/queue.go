package job

import (
	"fmt"
	"runtime/debug"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
)

// The window of a unit: how many captures are between reading and writing. Pages differ a hundredfold in what they
// cost, so the window is wide, 32 captures a worker, or a slow page would let the others idle; and it is bounded in
// bytes, since bodies differ a thousandfold: 64 MiB for all units that are under way.
const (
	windowPerWorker = 32
	windowBytes     = 64 << 20
)

// item is one capture and what is made of it, or a reject that was met between two.
// Each is owned by one goroutine at a time: the reader until it is pushed, a worker until done is closed,
// then the writer, which is the reader again. So its fields need no lock.
type item struct {
	cap    *schemas.Capture
	doc    *schemas.Document
	feeds  []schemas.FeedCapture // of a capture that is a feed, or names some
	links  []schemas.Link        // of a page, when they are asked for
	spent  []report.Spent        // by enrich.Stages
	record *datastreamer.Content // of Datastreamer, when they are asked for
	sent   []*sink.Message       // what the sinks get
	sketch *sitetemplate.Sketch  // in the first pass of --site_templates; nil when the capture is not a page
	reject *schemas.Reject
	left   string // why nothing is made of the capture; empty when something is
	err    error
	bytes  int64
	done   chan struct{} // nil when there is nothing to wait for
}

// queue has captures worked on by the process's workers, and writes what is made of them in the order in which they
// were read. It is for one goroutine.
type queue struct {
	slots chan struct{} // the process's workers
	live  *cli.Counters
	work  func(*item) error // called side by side
	write func(*item) error
	// The window, oldest first. Items before the first that is not done are written as soon as something is
	// pushed.
	fifo  []*item
	bytes int64
	alone item // a reject before which nothing waits
}

// take queues a capture, or a reject so that it is written in its place.
// Rejects wait among the captures, although nothing is to be done for them: the order of a shard is that
// of reading.
func (q *queue) take(read archive.Item) error {
	if read.Reject == nil {
		return q.capture(read.Capture)
	}
	if err := q.flush(); err != nil {
		return err
	}
	// Where nothing waits, it is written at once: of a file of nothing but rejects, nothing is kept.
	if len(q.fifo) == 0 {
		q.alone.reject = read.Reject
		return q.write(&q.alone)
	}
	r := *read.Reject // which the reader uses again
	return q.push(&item{reject: &r, bytes: int64(len(r.Message) + len(r.URL) + len(r.Record))})
}

// capture queues c.
func (q *queue) capture(c *schemas.Capture) error {
	// The size is noted here, because the worker lets go of the body.
	it := &item{cap: c, bytes: int64(len(c.Body)), done: make(chan struct{})}
	if err := q.push(it); err != nil {
		return err
	}
	q.live.Queued.Add(1)
	// This waits for a worker of the process, which other units of the job use as well. Workers never wait
	// for a queue, so that this cannot block for ever.
	q.slots <- struct{}{}
	go func() {
		// Deferred calls run in reverse: the slot is free before anybody learns that the item is done.
		defer close(it.done)
		defer func() { <-q.slots }()
		it.err = guarded(it, q.work)
		// Only the writer frees the item, and it may be far behind: without this the window would hold all
		// bodies.
		c.Body = nil // what was made of it has what it needs
	}()
	return nil
}

// guarded calls work, and makes an error of a panic, which would end the process as if its command line were wrong.
// The text of a hostile page may hit a mistake in any parser. The unit fails then and says where, instead
// of the whole process ending with the status that Go gives to a panic, which is 2.
func guarded(it *item, work func(*item) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			o := it.cap.Origin
			err = fmt.Errorf("%s: capture at byte %d: internal error, please report it: %v\n%s", o.File, o.Offset, p,
				debug.Stack())
		}
	}()
	return work(it)
}

// push queues it, when what is queued leaves room.
func (q *queue) push(it *item) error {
	// What is ready is written first, so that the window is as empty as it can be without waiting. Then it
	// waits only while there is no room. One item always fits, however large: with an empty window the loop
	// does not begin.
	for len(q.fifo) > 0 && (q.ready() || q.full(it.bytes)) {
		if err := q.pop(); err != nil {
			return err
		}
	}
	q.fifo = append(q.fifo, it)
	q.bytes += it.bytes
	return nil
}

// flush writes what is ready, without waiting.
func (q *queue) flush() error {
	for len(q.fifo) > 0 && q.ready() {
		if err := q.pop(); err != nil {
			return err
		}
	}
	return nil
}

// full reports whether more bytes, or one more item, would be too much. Each unit under way has an equal
// share of the bytes, and there are as many units as workers.
func (q *queue) full(more int64) bool {
	return len(q.fifo) >= windowPerWorker*cap(q.slots) || q.bytes+more > windowBytes/int64(cap(q.slots))
}

// ready reports whether the oldest item can be written at once.
func (q *queue) ready() bool {
	if q.fifo[0].done == nil {
		return true
	}
	select {
	case <-q.fifo[0].done:
		return true
	default:
		return false
	}
}

// pop writes the oldest item, when it is done.
func (q *queue) pop() error {
	it := q.fifo[0]
	// The slice keeps its memory after its beginning: without nil the item would be reachable through it.
	q.fifo[0] = nil
	q.fifo = q.fifo[1:]
	q.wait(it)
	// An item counts until it is written, also while it waits after a slow one.
	q.bytes -= it.bytes
	if it.err != nil {
		return it.err
	}
	return q.write(it)
}

// wait waits until a queued capture was worked on.
func (q *queue) wait(it *item) {
	if it.done != nil {
		<-it.done
		q.live.Queued.Add(-1)
	}
}

// drain writes what is left.
func (q *queue) drain() error {
	for len(q.fifo) > 0 {
		if err := q.pop(); err != nil {
			return err
		}
	}
	return nil
}

// abandon waits for the workers without writing, after an error.
// Workers use the enricher and the store, which the caller closes next. They must not be under way by
// then.
func (q *queue) abandon() {
	for _, it := range q.fifo {
		q.wait(it)
	}
	q.fifo = nil
}

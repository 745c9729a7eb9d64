package unit

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
)

// The window is the number of captures between reading and writing. Pages differ a hundredfold in cost, so it is
// wide, or a slow page would leave workers idle. It is also bounded in bytes for all units under way, since payloads
// differ a thousandfold.
const (
	windowPerWorker = 32
	windowBytes     = 64 << 20
)

// item is one capture and its results, or a reject met between two captures. One goroutine owns it at a time: the
// reader until push, a worker until done is closed, then the reader again, as writer. So it needs no lock.
type item struct {
	cap    *schemas.Capture
	doc    *schemas.Document
	feeds  []schemas.FeedCapture // if the capture is a feed or names some
	links  []schemas.Link        // of a page, if asked for
	data   []schemas.Datum       // as links
	spent  []report.Spent        // as in enrich.Stages
	record *datastreamer.Content // Datastreamer's record, if asked for
	sent   []*sink.Message       // for the sinks
	sketch *sitetemplate.Sketch  // in the first pass of --site_templates; nil if not a page
	reject *schemas.Reject
	left   string // why the capture is left out, or empty
	err    error
	bytes  int64
	rest   *enrich.Rest  // for the finish of its group; nil without
	group  *group        // nil if the item is alone
	done   chan struct{} // nil if there is nothing to wait for
}

// queue lets the workers of the process work on captures and writes the results in reading order. It is for one
// goroutine.
type queue struct {
	slots chan struct{} // the workers of the process
	// apart reports whether there is a unit for each worker. Then the reader works on captures itself: no other worker
	// is idle, the payload is still in the processor's cache, and none waits in memory. It may be nil.
	apart    func() bool
	borrowed bool // payloads share memory that the reader overwrites with the next record
	live     *cli.Counters
	work     func(*item) error // called concurrently
	write    func(*item) error
	// finish is called concurrently after work, for all items of a group at once. It may be nil.
	finish  func([]*item)
	batch   int         // items of a group; 0 or 1 for no groups
	most    int64       // bytes of a group; one item may be larger
	weigh   weigher     // of an item of a group; nil if payloads count as they are
	open    *group      // that takes items; may be nil
	dropped atomic.Bool // nobody waits for results
	// The window, oldest item first.
	fifo  []*item
	bytes int64
	alone item // a reject that need not wait
}

// take queues a capture or a reject. Rejects wait too, because shards have the order of reading.
func (q *queue) take(read archive.Item) error {
	if read.Reject == nil {
		return q.capture(read.Capture)
	}
	if err := q.flush(); err != nil {
		return err
	}
	// With an empty window the reject is written at once, so that a file full of rejects takes no memory.
	if len(q.fifo) == 0 {
		q.alone.reject = read.Reject
		return q.write(&q.alone)
	}
	r := *read.Reject // the reader reuses it
	it := &item{reject: &r, bytes: int64(len(r.Message) + len(r.URL) + len(r.Record))}
	if err := q.push(it); err != nil {
		return err
	}
	q.pass(it)
	return nil
}

func (q *queue) capture(c *schemas.Capture) error {
	it := &item{cap: c, bytes: int64(len(c.Body)), done: make(chan struct{})}
	if err := q.push(it); err != nil {
		return err
	}
	q.join(it)
	q.live.Queued.Add(1)
	// This waits for a worker, which other units may occupy. Workers never wait for a queue, so it cannot deadlock.
	q.slots <- struct{}{}
	apart := q.apart != nil && q.apart()
	if !apart {
		if q.borrowed {
			c.Body = slices.Clone(c.Body)
		}
		go q.run(func() []*item { return q.do(it, false) })
		return nil
	}
	q.run(func() []*item { return q.do(it, q.borrowed) })
	if it.group == nil && len(q.fifo) == 1 {
		return q.pop()
	}
	return nil
}

// run calls do as a worker, and then ends the items that do has finished. The slot is free before an item is done.
func (q *queue) run(do func() []*item) {
	finished := do()
	<-q.slots
	for _, it := range finished {
		close(it.done)
	}
}

// do works on an item and returns the items that are finished by that. Results do not share the payload's memory. So a
// borrowed payload, which the reader overwrites next, is copied only if a later finish needs it.
func (q *queue) do(it *item, borrowed bool) []*item {
	it.err = guarded(it, q.work)
	switch {
	case it.rest == nil:
		it.cap.Body = nil // the item may wait long for the writer, and the results hold what they need
	case borrowed && it.group != nil:
		it.cap.Body = slices.Clone(it.cap.Body) // nil if work has dropped it
	}
	if it.group != nil {
		return q.leave(it.group)
	}
	alone := []*item{it}
	if q.finish != nil {
		q.finish(alone)
	}
	return alone
}

// guarded calls work and turns a panic into an error. A hostile page may trigger a bug in any parser. Then only the
// unit fails, with the offset. Go's own exit status, 2, would mean a usage error.
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

// push queues it after making room.
func (q *queue) push(it *item) error {
	// First write finished items, which needs no waiting. Then wait only while there is no room. An empty window
	// accepts any item, however large.
	for len(q.fifo) > 0 && (q.ready() || q.full(it.bytes)) {
		if err := q.pop(); err != nil {
			return err
		}
	}
	q.fifo = append(q.fifo, it)
	q.bytes += it.bytes
	return nil
}

func (q *queue) flush() error {
	for len(q.fifo) > 0 && q.ready() {
		if err := q.pop(); err != nil {
			return err
		}
	}
	return nil
}

// full reports whether another item of more bytes would exceed the window. Each of the units under way, as many as
// workers, has an equal share of the bytes.
func (q *queue) full(more int64) bool {
	// An open group has bounds of its own. So which items are in a group depends on nothing else.
	if g := q.fifo[0].group; g != nil && g == q.open {
		return false
	}
	return len(q.fifo) >= max(windowPerWorker*cap(q.slots), 2*q.batch) || q.bytes+more > windowBytes/int64(cap(q.slots))
}

// ready reports whether the oldest item can be written without waiting.
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

// pop waits for the oldest item and writes it.
func (q *queue) pop() error {
	it := q.fifo[0]
	// Otherwise the slice's memory would keep the item alive.
	q.fifo[0] = nil
	q.fifo = q.fifo[1:]
	q.wait(it)
	// An item counts until it is written.
	q.bytes -= it.bytes
	if it.err != nil {
		return it.err
	}
	return q.write(it)
}

func (q *queue) wait(it *item) {
	if it.done != nil {
		if it.group != nil && it.group == q.open {
			q.seal()
		}
		<-it.done
		q.live.Queued.Add(-1)
	}
}

// drain writes all remaining items.
func (q *queue) drain() error {
	for len(q.fifo) > 0 {
		if err := q.pop(); err != nil {
			return err
		}
	}
	return nil
}

// abandon waits for the workers without writing, after an error: the caller next closes the enricher and the store,
// which they use.
func (q *queue) abandon() {
	q.dropped.Store(true)
	for _, it := range q.fifo {
		q.wait(it)
	}
	q.fifo = nil
}

// group is consecutive items that are finished together, in one batch for plugs. Which items a group has depends on the
// unit alone: not on the number of workers, nor on how long anything takes.
type group struct {
	items []*item
	seen  int // items and rejects since its start
	bytes int64
	under atomic.Int32 // items under way, and 1 while the group is open
}

// join adds an item to the open group, or to a new one.
func (q *queue) join(it *item) {
	if q.batch <= 1 {
		return
	}
	if q.open != nil && q.open.bytes+q.weight(it) > q.most {
		q.seal()
	}
	if q.open == nil {
		q.open = &group{}
		q.open.under.Store(1)
	}
	it.group = q.open
	q.open.items = append(q.open.items, it)
	q.open.under.Add(1)
	q.pass(it)
}

// pass counts an item that waits with the open group.
func (q *queue) pass(it *item) {
	if q.open == nil {
		return
	}
	q.open.seen++
	q.open.bytes += q.weight(it)
	if q.open.seen >= q.batch || q.open.bytes > q.most {
		q.seal()
	}
}

func (q *queue) weight(it *item) int64 {
	if it.cap == nil || q.weigh == nil {
		return it.bytes
	}
	return q.weigh(it.cap.MIMEDeclared, it.bytes)
}

// seal closes the open group. If all its items are done already, a worker finishes it.
func (q *queue) seal() {
	g := q.open
	q.open = nil
	if g.under.Add(-1) == 0 {
		q.slots <- struct{}{}
		go q.run(func() []*item { return q.end(g) })
	}
}

// leave notes that one item of a group is done. After the last one it finishes the group, and returns its items.
func (q *queue) leave(g *group) []*item {
	if g.under.Add(-1) > 0 {
		return nil
	}
	return q.end(g)
}

func (q *queue) end(g *group) []*item {
	if !q.dropped.Load() {
		q.finish(g.items)
	}
	return g.items
}

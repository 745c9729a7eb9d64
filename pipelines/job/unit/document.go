package unit

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
)

func (e *Engine) document(it *item) error {
	if it.left = e.chosen.before(it.cap); it.left != "" {
		return nil
	}
	t, err := e.templates.of(it.cap)
	if err != nil {
		return err
	}
	// Extractors are timed by the wall clock; the thread's CPU time for the whole capture is then shared out among
	// them.
	var wall []time.Duration
	cpu := report.CPUTime(func() {
		watch := enrich.NewStopwatch(clock)
		// The CPU time is that of this thread, so nothing here may use another thread.
		e.extract(it, t, watch)
		wall = watch.Spent()
	})
	it.spent = report.Share(wall, cpu)
	if it.rest != nil {
		if len(e.sinks) == 0 {
			it.cap.Body = nil // the group would hold all bodies
		}
		return e.documents.Err()
	}
	return e.complete(it)
}

// own is the stage of plugs in measurements.
var own = slices.Index(enrich.Stages(), "own")

// finish runs what works on many documents at once, and then completes them.
func (e *Engine) finish(list []*item) {
	var rests []*enrich.Rest
	for _, it := range list {
		if it.rest != nil && it.err == nil {
			rests = append(rests, it.rest)
		}
	}
	if len(rests) == 0 {
		return
	}
	began := clock()
	cpu := report.CPUTime(func() { e.enrich.Finish(rests) })
	share := time.Duration(len(rests))
	spent := report.Spent{Wall: (clock() - began) / share, CPU: cpu / share}
	for _, it := range list {
		if it.rest == nil || it.err != nil {
			continue
		}
		it.spent[own].Wall += spent.Wall
		it.spent[own].CPU += spent.CPU
		it.err = guarded(it, e.complete)
		it.rest, it.cap.Body = nil, nil
	}
}

// complete does what needs all values of a document.
func (e *Engine) complete(it *item) (err error) {
	if it.left = e.chosen.after(it.doc); it.left != "" {
		it.feeds, it.links, it.data, it.record = nil, nil, nil, nil
		return e.documents.Err()
	}
	if err := e.source(it); err != nil {
		return err
	}
	it.feeds = slices.DeleteFunc(it.feeds, e.taken.Feed)
	withheld := it.record != nil && e.taken.Content(it.record)
	if withheld {
		it.record = nil
	}
	// The capture's own URL is not listed: such captures are left out before.
	requested := it.cap.Crawl[schemas.CrawlRequested]
	e.o.Omit(it.doc)
	it.sent, err = e.sinks.Encode(&sink.Page{
		Capture: it.cap, Document: it.doc, Content: it.record, Withheld: withheld,
		TakenDown: requested != "" && e.taken.Has(requested),
		HTML:      func() []byte { return e.enrich.HTML(it.cap) },
	})
	return cmp.Or(err, e.documents.Err())
}

// documentsQueue returns a queue that makes documents of captures.
func (e *Engine) documentsQueue(write func(*item) error) *queue {
	return &queue{
		slots: e.pool.captures, apart: e.pool.full, live: e.live, work: e.document, finish: e.finish, write: write,
		batch: e.enrich.Batch(), most: groupBytes, weigh: e.weigher(),
	}
}

// extract makes what the formats need of the capture.
func (e *Engine) extract(it *item, t sitetemplate.Template, watch *enrich.Stopwatch) {
	r := e.enrich.Enrich(it.cap, enrich.Extra{Template: t, Page: e.o.HasRecords(), Watch: watch, Later: true})
	it.rest = r.Rest
	it.doc, it.feeds, it.links, it.data = r.Document, r.Feeds, r.Links, r.Data
	if e.o.HasRecords() {
		it.record = datastreamer.FromDocument(r.Document, r.Page)
	}
}

// source adds to a record what the database knows of its source.
func (e *Engine) source(it *item) error {
	if it.record == nil {
		return nil
	}
	s, err := e.sources.Of(context.Background(), it.doc.URL)
	if s != nil {
		datastreamer.SetSource(it.record, *s)
	}
	return err
}

// Any fixed time works: only differences are used.
var processStart = time.Now()

// clock is the clock of stopwatches. It never goes back, and reading it takes 0.1 µs. Reading a thread's CPU time
// takes eight times as long: that is read once a capture and shared out by this clock.
func clock() time.Duration { return time.Since(processStart) }

// weigher returns how much the results of a payload weigh while they wait with a group.
func (e *Engine) weigher() weigher {
	if e.enrich.KeepsPages() || e.o.HasRecords() || e.o.HasLinks() || e.o.HasData() || len(e.sinks) > 0 {
		return func(_ string, payload int64) int64 { return heavy * payload }
	}
	return textWeight
}

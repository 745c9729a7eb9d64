package unit

import (
	"context"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// AtOnce returns how many units of a bundle run at the same time: as many as captures may.
func (e *Engine) AtOnce() int { return cap(e.pool.captures) }

// Counters returns the counts of all units in this process.
func (e *Engine) Counters() *cli.Counters { return e.live }

// Do does one unit and returns its row. If a runner repeats a unit, as after losing a machine, Do returns the
// committed row instead.
func (e *Engine) Do(ctx context.Context, element []byte) (any, error) {
	t, err := e.begin(ctx, element)
	if err != nil {
		return nil, err
	}
	defer e.pool.end()
	// Only this run can have committed it: tasks do not include units of earlier runs.
	done, there, err := shard.Committed(e.out, t.Unit, t.Key, t.Stamps)
	if err != nil || there {
		return report.Row{UnitResult: done}, err
	}
	return e.unit(ctx, t)
}

// unit reads, enriches, writes and commits one unit. On failure it leaves no files. If a member proves damaged after
// documents were made of it, the whole unit is repeated. So documents have all their flags.
func (e *Engine) unit(ctx context.Context, t Task) (row report.Row, err error) {
	var suspects archive.Suspects
	// It ends, because each round adds suspects, and beyond a maximum all members are doubted.
	for {
		known := suspects.Len()
		row, err = e.attempt(ctx, t, &suspects)
		if err != nil || suspects.Len() == known || e.o.IndexOnly() { // index lines have no flags
			return row, err
		}
	}
}

// attempt does one unit, without the commit if it found new suspects. Its writer, sinks and counters are its own, so
// that nothing remains of an earlier attempt.
func (e *Engine) attempt(ctx context.Context, t Task, suspects *archive.Suspects) (row report.Row, err error) {
	w, err := shard.NewWriter(e.out, t.Unit, t.Key, e.o.Collection(e.o.Made))
	if err != nil {
		return row, err
	}
	// Abort and End do nothing after a commit, so they may be deferred.
	defer w.Abort()
	u := newUnitRun(e.session, w, t.Unit.Bytes())
	u.taken, u.take = e.taken, t.Take
	u.reading = u.live.Begin(t.Unit.Inputs[0].File)
	defer u.reading.End()
	defer func() { u.logEnd(ctx, t.Unit, err) }()
	if u.sinks, err = e.sinks.Begin(ctx, &u.counts, u.reject); err != nil {
		return row, err
	}
	defer u.sinks.Abort()
	if t.Take != nil && *t.Take == 0 {
		return e.commit(ctx, t, u)
	}
	known := suspects.Len()
	read := e.captures
	if e.o.IndexOnly() {
		read = e.index
	}
	if err := read(ctx, e.store.AtOrGrown(t.Stamps), t.Unit, u, suspects); err != nil {
		return row, err
	}
	if suspects.Len() > known && !e.o.IndexOnly() { // index lines have no flags
		u.undo()
		return row, nil
	}
	return e.commit(ctx, t, u)
}

// captures enriches the captures of in concurrently and writes them in order. It reads ahead within the queue's
// window.
func (e *Engine) captures(ctx context.Context, store *blob.Store, in schemas.Unit, u *unitRun,
	suspects *archive.Suspects,
) error {
	q := e.documentsQueue(u.write)
	defer q.abandon()
	defer context.AfterFunc(ctx, e.documents.Close)() // before abandon, which a hostile document would delay
	o := e.o.Capture()
	o.MaxSegments, o.Suspects, o.Marks = ledger.MaxSegments, suspects, u.points.of
	q.borrowed, o.Borrow = true, true
	r := newReader(e.o, store, in, o)
	for item, err := range r.All(ctx) {
		switch {
		case err != nil:
			return err
		case item.Segment != nil:
			u.w.Segment(*item.Segment)
			continue
		case item.Capture != nil:
			u.read(item.Capture.Origin)
		}
		if !u.allows(&item) {
			continue
		}
		if err := q.take(item); err != nil {
			return err
		}
	}
	u.counts.Add(r.Counts())
	u.inputs = r.Inputs()
	return q.drain()
}

// index writes only the captures' index lines. It needs no concurrency, since it does not enrich.
func (e *Engine) index(ctx context.Context, store *blob.Store, in schemas.Unit, u *unitRun, _ *archive.Suspects) error {
	o := e.o.Capture()
	o.Marks = u.points.of
	r := newReader(e.o, store, in, o)
	for item, err := range r.All(ctx) {
		switch c := item.Capture; {
		case err != nil:
		case !u.allows(&item):
		case c == nil:
			err = u.reject(*item.Reject)
		default:
			u.read(c.Origin)
			err = e.line(u, c)
		}
		if err != nil {
			return err
		}
	}
	u.counts.Add(r.Counts())
	u.inputs = r.Inputs()
	return nil
}

func (e *Engine) line(u *unitRun, c *schemas.Capture) error {
	left := e.chosen.before(c)
	if left == "" && !u.room() {
		left = leftByLimit
	}
	if left != "" {
		u.leave(c, left)
		return nil
	}
	return u.capture(c, urlkey.SURT(c.URL))
}

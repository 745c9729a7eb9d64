package unit

import (
	"context"
	"errors"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// errEnough ends the reading of a unit from within the queue.
var errEnough = errors.New("enough")

// CountTaken counts the captures of a unit that would be taken, up to most. It enriches only as far as the filter
// needs.
func (e *Engine) CountTaken(ctx context.Context, t Task, most int64) (n int64, err error) {
	q := &queue{slots: e.pool.captures, apart: e.pool.full, live: e.live, work: e.tested, write: func(it *item) error {
		if it.reject == nil && it.left == "" {
			n++
		}
		if n == most {
			return errEnough
		}
		return nil
	}}
	defer q.abandon()
	o := e.o.Capture()
	// Segmented records are in the unit of joined records, after all others. Units that only index have a line for the
	// first segment of each, and join nothing.
	if !e.o.IndexOnly() {
		o.MaxSegments = ledger.MaxSegments
	}
	for item, err := range newReader(e.o, e.store.AtOrGrown(t.Stamps), t.Unit, o).All(ctx) {
		// Pages taken down do not count.
		if err == nil && item.Capture != nil && !e.taken.Has(item.Capture.URL) {
			err = q.take(item)
		}
		if errors.Is(err, errEnough) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
	if err := q.drain(); !errors.Is(err, errEnough) {
		return n, err
	}
	return n, nil
}

// tested sets why a capture is left out. It extracts nothing unless the filter needs documents.
func (e *Engine) tested(it *item) error {
	if it.left = e.chosen.before(it.cap); it.left != "" || e.chosen.document == nil {
		return nil
	}
	t, err := e.templates.of(it.cap)
	if err != nil {
		return err
	}
	doc := e.enrich.Enrich(it.cap, enrich.Extra{Template: t}).Document
	it.left = e.chosen.after(doc)
	return e.documents.Err()
}

// leftOver returns how much of the limit remains for the joined records, or nil without a limit.
func (o Job) leftOver(units []schemas.UnitResult) *int64 {
	if o.Limit == 0 {
		return nil
	}
	left := o.Limit
	for _, u := range units {
		left -= u.Captures - u.TakenDown
		for _, n := range u.ByFilter {
			left += n
		}
	}
	// A negative number would mean no limit.
	left = max(left, 0)
	return &left
}

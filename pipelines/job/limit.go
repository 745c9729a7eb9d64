package job

import (
	"context"
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// limits returns how many captures of each unit --limit takes, by unit ID. Units without an entry are taken
// completely; units with 0 are not read. The limit takes the first captures in the order of units, whichever unit is
// done first.
//
// So this process counts before the run begins, and reads no further than the limit. It enriches only if --where
// needs the result, and then the unit enriches again: limits are small. A unit's key has its number, so that a
// greater limit does only the last unit and those after it again.
func (p *Plan) limits(ctx context.Context, o Job) (takes map[int]int64, err error) {
	if o.Limit == 0 {
		return nil, nil
	}
	e, err := newEngine(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	takes = map[int]int64{}
	left := o.Limit
	for _, t := range p.tasks(p.own()) {
		// The unit writes nothing, but it has a result.
		if left == 0 {
			takes[t.Unit.ID] = 0
			continue
		}
		n, err := e.countTaken(ctx, t, left)
		if err != nil {
			return nil, err
		}
		if left -= n; left == 0 {
			takes[t.Unit.ID] = n
		}
	}
	if left == 0 {
		p.log.Info(fmt.Sprintf("--limit is reached; %d of %d units are not read to their end, or not at all", len(takes),
			len(p.own())))
	}
	return takes, nil
}

// errEnough ends the reading of a unit from within the queue.
var errEnough = errors.New("enough")

// countTaken counts the captures of a unit that would be taken, up to most. It enriches only as far as the filter
// needs.
func (e *engine) countTaken(ctx context.Context, t task, most int64) (n int64, err error) {
	q := &queue{slots: e.pool.captures, live: e.live, work: e.tested, write: func(it *item) error {
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
	o.MaxSegments = ledger.MaxSegments // segmented records are in the unit of joined records, after all others
	for item, err := range e.reader(e.store.At(t.Stamps), t.Unit, o).All(ctx) {
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
func (e *engine) tested(it *item) error {
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

package job

import (
	"context"
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// limits finds how much of --limit falls to each unit, by unit; units that it does not cut have none, units after the
// cut have 0, and are not read. The first captures in the order of the units are to be taken, whoever does which unit
// when. So this process counts them before the others begin, and reads no further than to the last one. What it counts
// is enriched only where --where asks for what enrichment tells, and then once more by the unit: a limit is for a first
// look, and small. That a unit's key has its part means that a greater limit does only the cut unit again, and those
// after it.
func (p *Plan) limits(ctx context.Context, o Options) (takes map[int]int64, err error) {
	if o.Limit == 0 {
		return nil, nil
	}
	e, err := newEngine(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	takes = map[int]int64{}
	// The limit goes through the units in their order, so that
	// what is taken does not depend on which unit is done first.
	left := o.Limit
	for _, t := range p.tasks(p.own()) {
		// Such a unit writes nothing, but it is in the plan and has a result.
		if left == 0 {
			takes[t.Unit.ID] = 0
			continue
		}
		n, err := e.countTaken(ctx, t, left)
		if err != nil {
			return nil, err
		}
		// Units without an entry are taken as a whole.
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

// errEnough ends counting.
// It ends the reading of a unit from within the queue.
var errEnough = errors.New("enough")

// countTaken counts the captures of a unit that something is made of, up to most.
// It reads as the unit will be read, and makes as little of captures as the filter allows.
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
	o := e.o.capture()
	o.MaxSegments = collection.MaxSegments // what is in segments is in the unit of joined records, after all others
	for item, err := range e.reader(e.store.At(t.Stamps), t.Unit, o).All(ctx) {
		// Pages that were taken down take no room.
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

// tested finds whether a capture is left out, and makes no more of it than that takes.
// Without a filter of documents nothing is extracted.
func (e *engine) tested(it *item) error {
	if it.left = e.chosen.before(it.cap); it.left != "" || e.chosen.document == nil {
		return nil
	}
	t, err := e.templates.of(it.cap)
	if err != nil {
		return err
	}
	doc := e.enrich.Enrich(it.cap, enrich.Want{Template: t}).Document
	it.left = e.chosen.behind(doc)
	return e.documents.Err()
}

// leftOver is what units leave of the limit for the joined records; nil without a limit.
// Each unit's captures but those that were left out have taken from it.
func (o Options) leftOver(units []schemas.UnitResult) *int64 {
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
	// Below 0 it would be no limit at all.
	left = max(left, 0)
	return &left
}

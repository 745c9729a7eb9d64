package job

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/work/segment"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// join joins the segments that the units' results name, and returns the row of the unit that holds the joined records.
// It is one unit, done like the others; what is read for it is in no shuffle, since segments only say where blocks
// stand.
func join(ctx context.Context, o Options, units []schemas.UnitResult) (row report.Row, err error) {
	e, err := newEngine(o)
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if row, err = e.joined(ctx, plansOf(units), o.leftOver(units)); err != nil {
		return row, err
	}
	// It is counted in the runner's metrics like the others, though it is not one of the graph's elements.
	text, err := json.Marshal(row)
	if err != nil {
		return row, err
	}
	run.Counting(ctx, "ingest", func([]byte) {})(text)
	return row, nil
}

// plansOf plans how records are joined from the segments of units, of which some may be there twice.
// Duplicates come from a runner that repeats work. The same
// segments make the same plan, which CompactFunc drops.
func plansOf(units []schemas.UnitResult) []segment.Plan {
	records := map[string][]schemas.Segment{}
	for _, u := range units {
		// A record is recognised by its ID, which all of its segments name.
		for _, s := range u.Segments {
			records[s.OriginID] = append(records[s.OriginID], s)
		}
	}
	plans := make([]segment.Plan, 0, len(records))
	for _, segments := range records {
		plans = append(plans, segment.Join(segments))
	}
	// Sorting makes the order independent of that of the map.
	slices.SortFunc(plans, segment.Plan.Compare)
	return slices.CompactFunc(plans, func(p, q segment.Plan) bool { return p.Compare(q) == 0 })
}

// joined reads, enriches, writes and commits the records of the plans, in their order. Of no more than take something
// is made, unless it is nil. It knows no doubts: what is damaged was found when the segments were read.
func (e *engine) joined(ctx context.Context, plans []segment.Plan, take *int64) (report.Row, error) {
	t := task{Unit: collection.Joined(e.o.Units), Key: e.o.JoinedKey}
	w, err := collection.NewWriter(e.out, t.Unit, t.Key, e.o.collection())
	if err != nil {
		return report.Row{}, err
	}
	defer w.Abort()
	u := newUnitRun(e.session, w, 0)
	u.taken, u.take = e.taken, take
	if u.sinks, err = e.sinks.Begin(ctx, &u.counts, u.reject); err != nil {
		return report.Row{}, err
	}
	defer u.sinks.Abort()
	t.Stamps = filesOf(plans)
	// The queue keeps the order, as in a unit of archives.
	q := &queue{slots: e.pool.captures, live: e.live, work: e.document, write: u.write}
	defer q.abandon()
	r := segment.NewReader(e.store, plans, e.o.capture())
	for item, err := range r.All(ctx) {
		if err == nil && u.allows(&item) {
			err = q.take(item)
		}
		if err != nil {
			return report.Row{}, err
		}
	}
	if err := q.drain(); err != nil {
		return report.Row{}, err
	}
	u.counts.Add(r.Counts())
	return e.commit(ctx, t, u)
}

// filesOf are the files that the plans read, for the unit's row: it goes with theirs.
// The values are empty, since nobody compares them: what changes is noticed by the units that have the segments.
func filesOf(plans []segment.Plan) map[string]string {
	files := map[string]string{}
	for _, p := range plans {
		for _, s := range p.Parts {
			files[s.File] = ""
		}
		for _, l := range p.Left {
			files[l.File] = ""
		}
	}
	return files
}

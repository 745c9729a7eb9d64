package unit

import (
	"context"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/work/segment"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

// plansOf plans how to join records from the segments of units. A runner that repeats work makes duplicate units, but
// the same segments make the same plan, which CompactFunc drops.
func plansOf(units []schemas.UnitResult) []segment.Plan {
	records := map[string][]schemas.Segment{}
	for _, u := range units {
		// All segments of a record name its ID.
		for _, s := range u.Segments {
			records[s.OriginID] = append(records[s.OriginID], s)
		}
	}
	plans := make([]segment.Plan, 0, len(records))
	for _, segments := range records {
		plans = append(plans, segment.Join(segments))
	}
	slices.SortFunc(plans, segment.Plan.Compare)
	return slices.CompactFunc(plans, func(p, q segment.Plan) bool { return p.Compare(q) == 0 })
}

// Join reads, enriches, writes and commits the records whose segments the units have, as the unit of joined records. It
// records no suspects: reading the segments has found any damage.
func (e *Engine) Join(ctx context.Context, units []schemas.UnitResult) (report.Row, error) {
	plans := plansOf(units)
	t := Task{Unit: ledger.Joined(e.o.Units), Key: e.o.JoinedKey}
	w, err := shard.NewWriter(e.out, t.Unit, t.Key, e.o.Collection(e.o.Made))
	if err != nil {
		return report.Row{}, err
	}
	defer w.Abort()
	u := newUnitRun(e.session, w, 0)
	u.taken, u.take = e.taken, e.o.leftOver(units)
	if u.sinks, err = e.sinks.Begin(ctx, &u.counts, u.reject); err != nil {
		return report.Row{}, err
	}
	defer u.sinks.Abort()
	t.Stamps = filesOf(plans)
	// The queue keeps the order.
	q := e.documentsQueue(u.write)
	defer q.abandon()
	r := segment.NewReader(e.store, plans, e.o.Capture())
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

// filesOf returns the files that the plans read, for the stamps of the unit's row. The values are empty because the
// units that have the segments notice any change.
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

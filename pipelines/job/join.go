package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/work/segment"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	register.DoFn2x1[[]byte, func(string, []byte), error](&segmentsFn{})
	register.DoFn3x1[string, func(*[]byte) bool, func([]byte), error](&planFn{})
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func([]byte), error](&joinFn{})
	register.Emitter2[string, []byte]()
}

// join joins the segments that the units' rows name and returns the row of the unit that holds the joined records; no
// row when there are no segments. What is shuffled says where segments stand; their blocks are read again at the end.
func join(s beam.Scope, o Options, rows beam.PCollection) beam.PCollection {
	s = s.Scope("Join")
	segments := beam.ParDo(s, &segmentsFn{}, rows)
	plans := beam.ParDo(s, &planFn{}, beam.GroupByKey(s, segments))
	return beam.ParDo(s, &joinFn{Options: o}, beam.GroupByKey(s, beam.AddFixedKey(s, plans)))
}

// segmentsFn emits the segments of a unit by the record that they are of.
type segmentsFn struct{}

// ProcessElement takes a unit's row.
func (*segmentsFn) ProcessElement(row []byte, emit func(string, []byte)) error {
	if !bytes.Contains(row, []byte(`"segments":[`)) {
		return nil // as in most rows, which are compact JSON
	}
	var r struct{ Segments []schemas.Segment } // of the schemas.UnitResult
	if err := json.Unmarshal(row, &r); err != nil {
		return err
	}
	for _, s := range r.Segments {
		b, err := json.Marshal(s)
		if err != nil {
			return err
		}
		emit(s.OriginID, b)
	}
	return nil
}

// planFn plans how one record is joined.
type planFn struct{}

// ProcessElement takes all segments of the record called id.
func (*planFn) ProcessElement(_ string, next func(*[]byte) bool, emit func([]byte)) error {
	segments, err := run.DecodeRows[schemas.Segment](next)
	if err != nil {
		return err
	}
	b, err := json.Marshal(segment.Join(segments))
	if err != nil {
		return err
	}
	emit(b)
	return nil
}

// joinFn reads, enriches and writes the joined records of a run, which are few. It is one unit, done like the others.
type joinFn struct{ Options Options }

// ProcessElement takes all plans; a runner may deliver some of them twice.
func (f *joinFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool, emit func([]byte)) (err error) {
	plans, err := run.DecodeRows[segment.Plan](next)
	if err != nil {
		return err
	}
	slices.SortFunc(plans, segment.Plan.Compare)
	plans = slices.CompactFunc(plans, func(p, q segment.Plan) bool { return p.Compare(q) == 0 })
	defer cli.Hold()()
	// Most runs do not come here: what Setup makes would be made for nothing.
	e, err := newEngine(f.Options, workers(f.Options.Workers))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	result, err := e.joined(ctx, plans)
	if err != nil {
		return err
	}
	row, err := json.Marshal(result)
	if err != nil {
		return err
	}
	run.Counting(ctx, "ingest", emit)(row)
	return nil
}

// joined reads, enriches, writes and commits the records of the plans, in their order.
func (e *engine) joined(ctx context.Context, plans []segment.Plan) (report.Row, error) {
	t := task{Unit: collection.Joined(e.o.Units), Key: e.o.JoinedKey}
	w, err := collection.NewWriter(e.out, t.Unit, e.o.Units, t.Key, e.o.collection())
	if err != nil {
		return report.Row{}, err
	}
	defer w.Abort()
	u := newUnitRun(w, 0)
	defer e.openIndex(ctx, u)()
	e.deliver(ctx, u)
	t.Stamps = filesOf(plans)
	q := &queue{slots: e.pool.captures, work: e.document, write: u.write}
	defer q.abandon()
	o := e.o.capture()
	o.OnReject = q.reject
	r := segment.NewReader(e.store, o)
	defer r.Close()
	for _, p := range plans {
		c, err := r.Read(ctx, p)
		if err == nil && c != nil {
			err = q.capture(c)
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

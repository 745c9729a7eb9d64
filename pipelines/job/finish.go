package job

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// The two kinds of work, as the metrics name them.
const (
	ingesting = "ingest"
	surveying = "survey"
)

func init() {
	batch.Register[ingest](ingesting)
	batch.Register[surveyed](surveying)
}

// Finish joins segmented records and writes the manifest and the report.
func (o ingest) Finish(ctx context.Context, in *batch.Rows) error {
	out := o.Folder(ctx)
	defer func() { _ = out.Close() }() // files that Close cannot remove are temporary
	rows, err := batch.Decode[report.Row](in)
	if batch.Repeated(err, func() error { _, err := ledger.Ended(out); return err }) {
		return nil
	}
	if err != nil {
		return err
	}
	// Duplicate rows stay in: the collection's Finish compares them.
	c := collection.Attach(out)
	done := report.New(o.Report, o.Units)
	results := make([]schemas.UnitResult, 0, len(rows)+1)
	for _, r := range rows {
		done.Add(r)
		results = append(results, r.UnitResult)
	}
	// Segments of one record may be in several units or files, so joining waits until all units are done.
	if ledger.NeedsJoin(results, o.Units) {
		joined, err := join(ctx, o.Job, results)
		if err != nil {
			return err
		}
		done.Add(joined)
		results = append(results, joined.UnitResult)
	}
	before, err := holdings.ReadTotals(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		before = schemas.Manifest{} // it is damaged, and the run replaces it
	}
	m, err := finish(ctx, c, o.Job, results)
	if err != nil {
		return err
	}
	// The report differs each time, so it does not affect whether the run is right.
	done.End(time.Now())
	if err := c.SaveReport(done); err != nil {
		return err
	}
	return c.KeepRun(kept(o.Job, out, done, rows, before.Totals.Captures, m.Totals.Captures))
}

// finish commits the collection and then tells the sinks.
func finish(ctx context.Context, c *collection.Collection, o unit.Job,
	results []schemas.UnitResult,
) (schemas.Manifest, error) {
	r := collection.Run{Units: o.Units, Options: o.Note(), Versions: o.Made, Index: o.HasIndex()}
	if o.SiteTemplates {
		r.SiteTemplates = &o.Templates
	}
	m, err := c.Finish(results, r)
	if err == nil {
		o.Sinks.Finish(ctx)
	}
	return m, err
}

// surveyed is the work of the first pass, which only looks at its units.
type surveyed struct{ ingest }

// ingest is the work of the graph.
type ingest struct{ unit.Job }

// join joins the segments that the units name and returns the row of the unit of joined records. It runs like any
// other unit. Its input needs no shuffle, since segments only give the offsets of blocks.
func join(ctx context.Context, o unit.Job, units []schemas.UnitResult) (row report.Row, err error) {
	e, err := unit.NewEngine(o)
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if row, err = e.Join(ctx, units); err != nil {
		return row, err
	}
	// It is not an element of the graph, but the runner's metrics count it like other units.
	text, err := json.Marshal(row)
	if err != nil {
		return row, err
	}
	run.Counting(ctx, "ingest", func([]byte) {})(text)
	return row, nil
}

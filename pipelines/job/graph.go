// Package job is the engine of ingest. A Request says what somebody asks for; MakePlan makes a Plan of it, and touches
// nothing; Run keeps what an earlier run has done, has the units that are left read, enriched, written and committed,
// and writes the manifest. It knows no command line, and has nothing that two jobs in one process would share.
//
// Its graph is that of package batch: a unit is read, enriched, written and committed inside one function, and the last
// step joins what was written in segments and writes the manifest. See docs/design.md.
package job

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

// The kinds of work of the two passes, as the metrics have them.
const (
	ingesting = "ingest"
	surveying = "survey"
)

func init() {
	batch.Register[Options](ingesting)
	batch.Register[surveyed](surveying)
}

// Folder is the output: workers open it without a lock.
func (o Options) Folder(ctx context.Context) folder.Folder { return openOutput(ctx, o) }

// Open makes an engine, once for each function that a runner sets up.
// A worker elsewhere has not read the command line, which sets the limit where the work is done here.
func (o Options) Open() (batch.Worker, error) {
	if o.Elsewhere {
		cli.SetMemoryLimit(o.MemoryLimit())
	}
	e, err := newEngine(o)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// AtOnce is how many units of a bundle are under way: as many as there are places for captures.
func (e *engine) AtOnce() int { return cap(e.pool.captures) }

// Do does one unit and returns its row. What a runner has lost and asks for again, as after the failure of a machine,
// is not done again when it is in the folder.
func (e *engine) Do(ctx context.Context, element []byte) (any, error) {
	var t task
	if err := json.Unmarshal(element, &t); err != nil {
		return nil, err
	}
	// A unit waits here if other bundles of the process keep all workers busy.
	if err := e.pool.begin(ctx); err != nil {
		return nil, err
	}
	defer e.pool.end()
	// This answers for units of this run alone: what earlier runs have done is not among the tasks.
	done, there, err := collection.Committed(e.out, t.Unit, t.Key, t.Stamps)
	if err != nil || there {
		return report.Row{UnitResult: done}, err
	}
	return e.unit(ctx, t)
}

// Finish joins what was written in segments, and writes the manifest and the report.
func (o Options) Finish(ctx context.Context, in *batch.Rows) error {
	out := openOutput(ctx, o)
	defer func() { _ = out.Close() }() // what it cannot remove is temporary
	rows, err := batch.Decode[report.Row](in)
	if batch.Repeated(err, func() error { _, err := collection.Ended(out); return err }) {
		return nil
	}
	if err != nil {
		return err
	}
	// Rows that are there twice are left in: Finish compares them.
	c := collection.Attach(out)
	done := report.New(o.Run, o.Units)
	results := make([]schemas.UnitResult, 0, len(rows)+1)
	for _, r := range rows {
		done.Add(r)
		results = append(results, r.UnitResult)
	}
	// Segments are parts of one record in several units or
	// files. They are known only now, when all units are done.
	if collection.NeedsJoin(results, o.Units) {
		joined, err := join(ctx, o, results)
		if err != nil {
			return err
		}
		done.Add(joined)
		results = append(results, joined.UnitResult)
	}
	if _, err := finish(ctx, c, o, results); err != nil {
		return err
	}
	// The report is of this run and is different each time, so it does not decide whether the run was right.
	done.End(time.Now())
	return c.SaveReport(done)
}

// finish commits the collection, and tells the sinks.
func finish(ctx context.Context, c *collection.Collection, o Options,
	results []schemas.UnitResult,
) (schemas.Manifest, error) {
	r := collection.Run{Units: o.Units, Options: o.lasting(), Versions: o.Made, Index: o.index()}
	if o.SiteTemplates {
		r.SiteTemplates = &o.Templates
	}
	// Sinks are told only of a collection that is whole.
	m, err := c.Finish(results, r)
	if err == nil {
		o.Sinks.Finish(ctx)
	}
	return m, err
}

// surveyed is the work of the first pass: its units are looked at, and not ingested.
type surveyed struct{ Options }

package job

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

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

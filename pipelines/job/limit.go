package job

import (
	"context"
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
)

// limits returns how many captures of each unit --limit takes, by unit ID. Units without an entry are taken
// completely; units with 0 are not read. The limit takes the first captures in the order of units, whichever unit is
// done first.
//
// So this process counts before the run begins, and reads no further than the limit. It enriches only if --where
// needs the result, and then the unit enriches again: limits are small. A unit's key has its number, so that a
// greater limit does only the last unit and those after it again.
func limits(ctx context.Context, p *plan.Plan, o unit.Job) (takes map[int]int64, err error) {
	if o.Limit == 0 {
		return nil, nil
	}
	e, err := unit.NewEngine(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	takes = map[int]int64{}
	left := o.Limit
	for _, t := range tasksOf(p, p.Own()) {
		// The unit writes nothing, but it has a result.
		if left == 0 {
			takes[t.Unit.ID] = 0
			continue
		}
		n, err := e.CountTaken(ctx, t, left)
		if err != nil {
			return nil, err
		}
		if left -= n; left == 0 {
			takes[t.Unit.ID] = n
		}
	}
	if left == 0 {
		p.Request.Log.Info(fmt.Sprintf("--limit is reached; %d of %d units are not read to their end, or not at all",
			len(takes), len(p.Own())))
	}
	return takes, nil
}

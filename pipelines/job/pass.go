package job

import (
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
)

// pass is work for a runner: the units to do, and those already done. The latter are rows of units, or in the first
// pass keys of files. Either may be empty.
type pass struct {
	o          unit.Job
	todo, done batch.Listing
}

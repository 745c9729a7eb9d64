package unit

import (
	"context"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// Any fixed time works: only differences are used.
var processStart = time.Now()

// clock is the clock of stopwatches. It never goes back, and reading it takes 0.1 µs. Reading a thread's CPU time
// takes eight times as long: that is read once a capture and shared out by this clock.
func clock() time.Duration { return time.Since(processStart) }

// measure notes how long enriching a capture took. Progress shows the sums, and the report has the slowest captures.
func (u *unitRun) measure(it *item) {
	u.live.Spend(enrich.Stages(), it.spent)
	u.measures.Capture(report.Slow{
		File: it.doc.Filename, Offset: it.doc.Offset, URL: it.doc.URL, Bytes: it.doc.BodyBytes,
	}, enrich.Stages(), it.spent)
}

// logEnd logs how a unit ended, unless it was interrupted. The offset is of the capture that was read last; the one
// that failed is at most a window away.
func (u *unitRun) logEnd(ctx context.Context, unit schemas.Unit, err error) {
	switch {
	case err == nil:
		u.log.Debug("unit done", "unit", unit.ID, "captures", u.counts.Captures, "seconds", u.measures.Seconds)
	case ctx.Err() == nil:
		u.log.Error("unit failed", "unit", unit.ID, "file", u.at.File, "offset", u.at.Offset, "error", err)
	}
}

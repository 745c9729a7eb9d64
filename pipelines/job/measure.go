package job

import (
	"context"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// Any fixed moment would do: only differences are used.
var processStart = time.Now()

// clock is the clock of stopwatches: it does not go back, and to read it takes a tenth of a microsecond. A thread's
// processor time takes eight times as long: that is asked for a whole capture, and divided as the time on the clock is.
func clock() time.Duration { return time.Since(processStart) }

// measure notes how long it took to enrich a capture.
// Progress shows the sums, and the report has the slowest captures by their places in the archives.
func (u *unitRun) measure(it *item) {
	u.live.Spend(enrich.Stages(), it.spent)
	u.measures.Capture(report.Slow{
		File: it.doc.Filename, Offset: it.doc.Offset, URL: it.doc.URL, Bytes: it.doc.BodyBytes,
	}, enrich.Stages(), it.spent)
}

// logEnd says how a unit ended. One that was interrupted is not a failure of its own.
// The place is that of the last capture that was read; the one that failed is at most a window after it.
func (u *unitRun) logEnd(ctx context.Context, unit schemas.Unit, err error) {
	switch {
	case err == nil:
		u.log.Debug("unit done", "unit", unit.ID, "captures", u.counts.Captures, "seconds", u.measures.Seconds)
	case ctx.Err() == nil:
		u.log.Error("unit failed", "unit", unit.ID, "file", u.at.File, "offset", u.at.Offset, "error", err)
	}
}

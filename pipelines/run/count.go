//go:build !local

package run

import (
	"context"
	"encoding/json"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/pipelines/report"
)

// Counting returns an emitter of rows that are report.Row in JSON. Before it emits a row it counts what that says in
// metrics of the runner, in the command's namespace, which users see in the runner's own pages: docs/running.md lists
// them. It is for the goroutine that the runner calls the function in, since Beam's counters are for no other (v2.77).
func Counting(ctx context.Context, command string, emit func([]byte)) func([]byte) {
	// The row is decoded again here, as it is JSON by the time it
	// is emitted; a unit takes seconds, and this microseconds.
	return func(row []byte) {
		var r report.Row
		if err := json.Unmarshal(row, &r); err == nil { // else whoever reads the row says what is wrong with it
			count(ctx, command, r)
		}
		emit(row)
	}
}

// count names the counters by a path: the runners' pages sort
// by name, so that what belongs together stands together.
func count(ctx context.Context, command string, r report.Row) {
	inc := func(name string, n int64) {
		// A counter of zero is not made: there are dozens of kinds and flags, of which most never occur.
		if n != 0 {
			beam.NewCounter(command, name).Inc(ctx, n)
		}
	}
	inc("units/done", 1)
	inc("read/records", r.Records)
	inc("read/captures", r.Captures)
	inc("read/bytes", r.BytesRead)
	inc("read/lost", r.BytesLost)
	inc("read/damaged", r.Damaged)
	inc("write/documents", r.Documents)
	inc("write/feeds", r.Feeds)
	inc("write/links", r.Links)
	inc("write/captures", r.Written)
	for kind, n := range r.ByReject {
		inc("rejects/"+kind, n)
	}
	for flag, n := range r.ByFlag {
		inc("flags/"+flag, n)
	}
	for sink, n := range r.Sinks {
		inc(sink+"/offered", n.Offered)
		inc(sink+"/refused", n.Refused)
	}
	// Units that were only found to be done have not been measured.
	if r.Measures != nil {
		measure(ctx, command, *r.Measures)
	}
}

// measure passes on times, per extractor and as distributions.
func measure(ctx context.Context, command string, m report.Measures) {
	for name, d := range m.Extractors {
		// Beam counts whole numbers: microseconds keep what is lost in a second.
		beam.NewCounter(command, "microseconds/"+name).Inc(ctx, d.Wall.Microseconds())
		beam.NewCounter(command, "cpu_microseconds/"+name).Inc(ctx, d.CPU.Microseconds())
	}
	// Seconds are a float in the report, and become milliseconds here.
	beam.NewDistribution(command, "unit/milliseconds").Update(ctx,
		int64(float64(m.Seconds)*float64(time.Second/time.Millisecond)))
	for name, d := range map[string]report.Distribution{
		"capture/bytes": m.Bytes, "capture/microseconds": m.Micros, "capture/cpu_microseconds": m.CPUMicros,
	} {
		values := beam.NewDistribution(command, name)
		// A distribution of the report keeps counts in classes, and gives back a value for each.
		for v := range d.Values() {
			values.Update(ctx, v)
		}
	}
}

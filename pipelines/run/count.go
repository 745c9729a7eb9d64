//go:build !local

package run

import (
	"context"
	"encoding/json"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
)

// Counting wraps an emitter of report.Row as JSON. It first counts the row in the runner's metrics, in the command's
// namespace: docs/running.md lists them. Use it only in the goroutine in which the runner calls the function, as
// Beam's counters require (v2.77).
func Counting(ctx context.Context, command string, emit func([]byte)) func([]byte) {
	// Decoding the row again takes microseconds, while a unit takes seconds.
	return func(row []byte) {
		var r report.Row
		if err := json.Unmarshal(row, &r); err == nil { // the reader of the row reports errors
			count(ctx, command, r)
		}
		emit(row)
	}
}

// Moving returns a function for calls during units. It adds the counts since its last call to the runner's metrics.
// Several bundles of a process may share the counters. It is for the goroutine of ctx, like Counting.
func Moving(ctx context.Context, command string, c *cli.Counters) func() {
	return func() {
		for name, n := range c.TakeNew() {
			beam.NewCounter(command, "progress/"+name).Inc(ctx, n)
		}
	}
}

// count names counters by paths, because runners' pages sort by name.
func count(ctx context.Context, command string, r report.Row) {
	inc := func(name string, n int64) {
		// Zero counters are not created: most kinds and flags never occur.
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
	// Units found done have no measures.
	if r.Measures != nil {
		measure(ctx, command, *r.Measures)
	}
}

// measure counts times by extractor and as distributions.
func measure(ctx context.Context, command string, m report.Measures) {
	for name, d := range m.Extractors {
		// Beam counts integers, so microseconds keep the precision.
		beam.NewCounter(command, "microseconds/"+name).Inc(ctx, d.Wall.Microseconds())
		beam.NewCounter(command, "cpu_microseconds/"+name).Inc(ctx, d.CPU.Microseconds())
	}
	beam.NewDistribution(command, "unit/milliseconds").Update(ctx,
		int64(float64(m.Seconds)*float64(time.Second/time.Millisecond)))
	for name, d := range map[string]report.Distribution{
		"capture/bytes": m.Bytes, "capture/microseconds": m.Micros, "capture/cpu_microseconds": m.CPUMicros,
	} {
		values := beam.NewDistribution(command, name)
		// Values represents the distribution by single values.
		for v := range d.Values() {
			values.Update(ctx, v)
		}
	}
}

package sourcedb

import (
	"context"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// BenchmarkWorld measures a Source DB at size. GLEANER_WORLD names collections that .tools/feedworld made, of
// successive crawls. For each it reports the processor's time for reading it and for merging it into a generation. For
// the merge it also reports the time by the clock.
func BenchmarkWorld(b *testing.B) {
	names := os.Getenv("GLEANER_WORLD")
	if names == "" {
		b.Skip("GLEANER_WORLD names no collections: go run ./.tools/feedworld makes them")
	}
	b.ReportMetric(0, "ns/op")
	// As the command has it: see cli.SetMemoryLimit.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(768 << 20))
	f := folder.Open(context.Background(), b.TempDir(), nil)
	db, err := Open(f)
	must(b, err)
	o := SortOptions{MemoryBytes: 256 << 20, TempDir: b.TempDir()}
	for i, name := range strings.Split(names, ",") {
		in := folder.Open(context.Background(), name, nil)
		m, err := holdings.ReadManifest(in)
		must(b, err)
		var parts []Part
		began := cputime.Self()
		for _, u := range m.Units {
			p, err := WritePart(b.Context(), f, holdings.Part{Folder: in, Shards: u.Shards}, o)
			must(b, err)
			parts = append(parts, p)
		}
		b.ReportMetric((cputime.Self() - began).Seconds(), string(rune('1'+i))+"-read-CPU-s")
		began, clock := cputime.Self(), time.Now()
		made, err := db.Update(b.Context(), parts, Options{Sort: o})
		must(b, err)
		b.ReportMetric((cputime.Self() - began).Seconds(), string(rune('1'+i))+"-merge-CPU-s")
		b.ReportMetric(time.Since(clock).Seconds(), string(rune('1'+i))+"-merge-s")
		b.ReportMetric(float64(made.Counts.Sources), "sources")
	}
	must(b, db.Close())
}

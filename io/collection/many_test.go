package collection

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// many makes a folder in which n units are done, without waiting for the disk as a run does, and returns their plan.
func many(tb testing.TB, n int) (dir string, units []schemas.Unit, keys []string) {
	tb.Helper()
	dir = tb.TempDir()
	for i := range n {
		in := schemas.Range{File: fmt.Sprintf("/data/crawls/2026/%06d.warc.gz", 2*i), End: 64 << 20, Format: "warc+gzip", Fingerprint: "sha256:00", Next: 64 << 20}
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{in}}
		r := Row{Key: Key(u, "options", "versions"), Total: n, UnitResult: schemas.UnitResult{Unit: u, Counts: oneOfEach}}
		for _, p := range []part{{kindDocuments, ".jsonl.zst"}, {kindRejects, ".jsonl.zst"}, {kindFeeds, ".jsonl.zst"}, {kindCaptures, extCDXJ}} {
			s := schemas.Shard{Name: r.shard(p).String(), Bytes: 2, SHA256: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}
			r.Shards = append(r.Shards, s)
			write(tb, filepath.Join(dir, s.Name), "{}")
			info, err := os.Stat(filepath.Join(dir, s.Name))
			if err != nil {
				tb.Fatal(err)
			}
			r.Modified = append(r.Modified, info.ModTime().UnixNano())
		}
		row, err := encode(r)
		if err != nil {
			tb.Fatal(err)
		}
		write(tb, filepath.Join(dir, hiddenDir, rowName(r.Key)), string(row))
		units, keys = append(units, u), append(keys, r.Key)
	}
	write(tb, filepath.Join(dir, hiddenDir, markerFile), markerText)
	syscall.Sync() // or the run would wait for it
	return dir, units, keys
}

// grown is a plan with one more unit, in the middle.
func grown(units []schemas.Unit, keys []string) ([]schemas.Unit, []string) {
	at := len(units) / 2
	more := schemas.Unit{Inputs: []schemas.Range{{File: fmt.Sprintf("/data/crawls/2026/%06d.warc.gz", 2*at-1), End: 64 << 20, Format: "warc+gzip"}}}
	units, keys = slices.Insert(slices.Clone(units), at, more), slices.Insert(slices.Clone(keys), at, Key(more, "options", "versions"))
	for i := range units {
		units[i].ID = i
	}
	return units, keys
}

// BenchmarkResume is what a run costs beside its new units: it opens a folder of 20,000 that are done, with the plan of
// before and one that has one unit more in the middle, does that one, and finishes.
func BenchmarkResume(b *testing.B) {
	for _, more := range []bool{false, true} {
		b.Run(fmt.Sprintf("more=%v", more), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				dir, units, keys := many(b, 20_000)
				if more {
					units, keys = grown(units, keys)
				}
				b.StartTimer()
				c, err := Open(local(dir), OpenOptions{})
				if err != nil {
					b.Fatal(err)
				}
				todo, done, err := c.Resume(units, keys, nil)
				if err != nil || more != (len(todo) == 1) {
					b.Fatal(len(todo), err)
				}
				for _, u := range todo {
					done = append(done, do(b, dir, u, len(units), keys[u.ID], Options{}))
				}
				if _, err := c.Finish(done, Run{Units: len(units)}); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if err := c.Close(); err != nil {
					b.Fatal(err)
				}
				if err := os.RemoveAll(dir); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}

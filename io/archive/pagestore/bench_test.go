package pagestore_test

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
)

// BenchmarkPlan plans the store that GLEANER_BENCH_PAGESTORE names, or one of ours.
func BenchmarkPlan(b *testing.B) {
	dir := cmp.Or(os.Getenv("GLEANER_BENCH_PAGESTORE"), seeds(b, "enriched-r367"))
	blobs := blob.New(blob.Options{})
	b.ReportAllocs()
	var units []schemas.Unit
	for b.Loop() {
		infos, err := work.Files(b.Context(), blobs, []string{dir}, nil, work.DefaultSize)
		if err != nil {
			b.Fatal(err)
		}
		if units, err = work.Plan(b.Context(), blobs, infos, work.DefaultSize); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(units)), "units")
	b.ReportMetric(float64(peak()), "peak-KiB")
}

// peak is VmHWM of this process, KiB; 0 where the system does not say.
func peak() (n int) {
	status, _ := os.ReadFile("/proc/self/status") // only Linux has it
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			_, _ = fmt.Sscan(rest, &n)
		}
	}
	return n
}

func BenchmarkEntries(b *testing.B) {
	var meta []byte
	for i := range 2000 {
		url := fmt.Sprintf("http://host%d.example/%d", i%97, i)
		meta = fmt.Appendf(meta, "%s %s %d url en\n", pagestore.Hash(url), url, i)
	}
	b.SetBytes(int64(len(meta)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range pagestore.Entries(meta) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != 2000 {
			b.Fatalf("%d lines", n)
		}
	}
}

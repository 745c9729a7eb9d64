//go:build unix

package langid

import (
	"syscall"
	"testing"
	"time"
)

// BenchmarkDetect_corpus detects the texts of each file of the corpus, one per operation. It reports the CPU time of
// each, user and system, since the machine may be busy.
func BenchmarkDetect_corpus(b *testing.B) {
	d := New(Options{})
	for _, name := range []string{"ntrex_tweet", "ntrex_short", "ntrex_medium", "ntrex_long", "mixed"} {
		b.Run(name, func(b *testing.B) {
			var texts []string
			bytes := 0
			corpus(b, name+"_dev.tsv.gz", 20, func(_ int, _, text string) {
				texts = append(texts, text)
				bytes += len(text)
			})
			d.Detect(texts[0])
			b.SetBytes(int64(bytes / len(texts)))
			b.ReportAllocs()
			start, i := cpuTime(b), 0
			for b.Loop() {
				d.Detect(texts[i%len(texts)])
				i++
			}
			b.ReportMetric(float64((cpuTime(b)-start).Nanoseconds())/1e3/float64(b.N), "cpu-µs/op")
		})
	}
}

// cpuTime returns the CPU time that the process has used.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

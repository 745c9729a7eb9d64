//go:build unix

package langid

import (
	"testing"

	"github.com/gleaner-web/gleaner/internal/cputime"
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
			start, i := cputime.Self(), 0
			for b.Loop() {
				d.Detect(texts[i%len(texts)])
				i++
			}
			b.ReportMetric(float64((cputime.Self()-start).Nanoseconds())/1e3/float64(b.N), "cpu-µs/op")
		})
	}
}

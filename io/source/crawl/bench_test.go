package crawl

import (
	"testing"

	"github.com/gleaner-web/gleaner/internal/sitetest"
)

// BenchmarkRun is a crawl of four days, with the sites' answers, into a shelf: most of it is the sites' and the
// network's.
func BenchmarkRun(b *testing.B) {
	const days = 4
	var requests int64
	b.ReportAllocs()
	for b.Loop() {
		web := sitetest.New(start)
		web.AddAll(sitetest.Model(30, 8, days), days, 100)
		n, err := goOn(b.Context(), b, web, b.TempDir(), days)
		if err != nil {
			b.Fatal(err)
		}
		requests += n.Requests
		web.Close()
	}
	b.ReportMetric(float64(requests)/float64(b.N), "requests/op")
}

// BenchmarkReplay applies the journal of such a crawl: what a process does that goes on.
func BenchmarkReplay(b *testing.B) {
	const days = 4
	web := sitetest.New(start)
	defer web.Close()
	web.AddAll(sitetest.Model(30, 8, days), days, 100)
	dir := b.TempDir()
	if _, err := goOn(b.Context(), b, web, dir, days); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		n, err := goOn(b.Context(), b, web, dir, days)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n.Replayed), "requests/op")
	}
}

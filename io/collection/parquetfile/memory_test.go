package parquetfile

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// prose is text that compresses to about a third, as text does.
var prose = func() string {
	rnd := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 0, 1<<20)
	for len(b) < 1<<20 {
		b = fmt.Appendf(b, "%c%x ", 'a'+rnd.IntN(26), rnd.IntN(1<<14))
	}
	return string(b)
}()

// page is a document of 2 kB.
func page(i int, d *schemas.Document) {
	n := uint32(i) * 2654435761 // scatters the keys
	*d = schemas.Document{
		URL: fmt.Sprintf("https://example.com/%08x", n), SURT: fmt.Sprintf("com,example)/%08x", n),
		Timestamp: "2024-05-17T12:00:00Z", Status: 200, MIMEDetected: "text/html", Language: "en",
		RecordType: schemas.TypeResponse,
		Languages:  []schemas.Language{{Code: "en", Share: 1, Confidence: .99}}, Title: "A page", Filename: "a.warc.gz",
		Offset: int64(i),
		Entities: []schemas.Entity{{
			Type: "person", Text: "Ada Lovelace", Source: "jsonld", Count: 1,
			Mentions: []schemas.Span{{Start: 3, End: 15}},
		}},
		Text: prose[n%1_000_000:][:2000],
	}
}

// memoryDocuments is how many documents are written with little memory. They have 400 MB, or 60 MB under the race
// detector, and more than the memory in both cases.
var memoryDocuments = 200_000

func TestWriter_memoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 400 MB of documents")
	}
	w := NewWriter(io.Discard, Options{MemoryBytes: 32 << 20, TempDir: t.TempDir()})
	var base, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&base)
	var peak uint64
	done := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapAlloc)
			}
		}
	}()
	var d schemas.Document
	for i := range memoryDocuments {
		page(i, &d)
		if err := w.Write(&d); err != nil {
			t.Fatal(err)
		}
	}
	err := w.Close()
	close(done)
	<-stopped
	if err != nil {
		t.Fatal(err)
	}
	grown := (int64(peak) - int64(base.HeapAlloc)) >> 20
	t.Logf("peak heap %d MB over what was there before", grown)
	if grown > 150 {
		t.Errorf("the heap grew by %d MB, want at most 150", grown)
	}
}

func BenchmarkWriter(b *testing.B) {
	var d schemas.Document
	page(0, &d)
	w := NewWriter(io.Discard, Options{TempDir: b.TempDir()})
	b.SetBytes(int64(len(d.Text)))
	b.ReportAllocs()
	n := 0
	start := time.Now()
	for b.Loop() {
		page(n, &d)
		if err := w.Write(&d); err != nil {
			b.Fatal(err)
		}
		n++
	}
	if err := w.Close(); err != nil { // half of the work
		b.Fatal(err)
	}
	b.ReportMetric(float64(n)/time.Since(start).Seconds(), "documents/s")
}

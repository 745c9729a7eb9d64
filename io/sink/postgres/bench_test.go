package postgres

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/schemas"
)

// BenchmarkSink writes units of 5,000 documents with texts of 3 kB to a real server. Rows are new, or they replace
// others.
func BenchmarkSink(b *testing.B) {
	server := servertest.StartPostgres(b)
	const unit = 5000
	words := rand.New(rand.NewPCG(1, 2))
	documents := make([]*schemas.Document, unit)
	for n := range documents {
		var text strings.Builder
		for text.Len() < 3000 {
			fmt.Fprintf(&text, "%x ", words.IntN(1<<20))
		}
		documents[n] = &schemas.Document{
			URL: fmt.Sprint("http://example.com/", n), Offset: int64(n), Title: "A title", Text: text.String(),
			Timestamp: "2023-11-14T22:13:20Z", Status: 200, RecordType: schemas.TypeResponse,
		}
	}
	for _, name := range []string{"new", "again"} {
		b.Run(name, func(b *testing.B) {
			c := config(b, server.URL)
			c.Table = name
			for i := 0; b.Loop(); i++ {
				for _, d := range documents {
					d.Filename = "same.warc"
					if name == "new" {
						d.Filename = fmt.Sprint(i, ".warc")
					}
				}
				deliver(b, c, documents...)
			}
			b.ReportMetric(float64(unit*b.N)/b.Elapsed().Seconds(), "documents/s")
		})
	}
}

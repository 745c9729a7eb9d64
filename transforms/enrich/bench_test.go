package enrich

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// BenchmarkDocument_pages measures each extractor, and those of the peers' pipeline together. It uses every fifteenth
// page of a corpus.
func BenchmarkDocument_pages(b *testing.B) {
	pages, size := corpus(b)
	run := func(name string, extract ...string) {
		b.Run(name, func(b *testing.B) {
			e := mustNew(b, Options{Extract: extract})
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, c := range pages {
					e.Document(c)
				}
			}
		})
	}
	for _, name := range []string{"mime", "charset", "text", "metadata", "feeds", "links", "neardup", "quality"} {
		run(name, name)
	}
	run("all but language and entities", "mime", "charset", "text", "metadata", "feeds", "links", "neardup", "quality")
}

func corpus(b *testing.B) (pages []*schemas.Capture, size int64) {
	b.Helper()
	files, err := filepath.Glob("../../../shared/corpora/maintext/wcxb-dev/html/*.html.gz")
	if err != nil || len(files) == 0 {
		b.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	for i := 0; i < len(files); i += 15 {
		zipped, err := os.ReadFile(files[i])
		if err != nil {
			b.Fatal(err)
		}
		r, err := gzip.NewReader(bytes.NewReader(zipped))
		if err != nil {
			b.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, capture(string(body), "text/html"))
		size += int64(len(body))
	}
	return pages, size
}

package page

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/net/html"
)

// corpus returns every n-th page of a folder of the corpora, or skips the test.
func corpus(tb testing.TB, n int) (pages [][]byte, size int64) {
	tb.Helper()
	files, err := filepath.Glob("../../../shared/corpora/maintext/wcxb-dev/html/*.html.gz")
	if err != nil || len(files) == 0 {
		tb.Skip("no pages in ../shared/corpora/maintext, relative to the repository")
	}
	for i := 0; i < len(files); i += n {
		zipped, err := os.ReadFile(files[i])
		if err != nil {
			tb.Fatal(err)
		}
		r, err := gzip.NewReader(bytes.NewReader(zipped))
		if err != nil {
			tb.Fatal(err)
		}
		page, err := io.ReadAll(r)
		if err != nil {
			tb.Fatal(err)
		}
		pages = append(pages, page)
		size += int64(len(page))
	}
	return pages, size
}

func BenchmarkParse(b *testing.B) {
	pages, size := corpus(b, 15)
	b.Run("arena", func(b *testing.B) {
		var r Parser
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range pages {
				r.Parse(src, Options{URL: "https://example.org/"})
			}
		}
	})
	b.Run("x-net", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range pages {
				if _, err := html.Parse(bytes.NewReader(src)); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
